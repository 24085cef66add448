package dev.agentloop.output;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import org.slf4j.Logger;

/** The technical console of {@code -v}: what happens inside, without the human log's lines. */
public final class TechnicalLog implements EventSink {
    private final Logger log;

    public TechnicalLog(Logger log) {
        this.log = log;
    }

    @Override
    public void emit(AgentEvent event) {
        switch (Level.of(event)) {
            case DEBUG -> log.debug("{} {}", EventJson.type(event), Describe.of(event));
            case INFO -> log.info("{} {}", EventJson.type(event), Describe.of(event));
            case HUMAN, WARN, ERROR -> {} // the human log shows them
        }
    }

    /** One safe line; foreign text never forges a line of the log. */
    private static final class Describe {
        private static final int MAX = 500;

        static String of(AgentEvent event) {
            return switch (event) {
                case AgentEvent.SessionStarted started ->
                        "session=" + started.sessionId() + " model=" + started.model();
                case AgentEvent.StepStarted(int step) -> "step=" + step;
                case AgentEvent.UsageReported usage ->
                        "source=" + usage.source() + " tokens=" + usage.usage().total();
                case AgentEvent.PermissionDecided decided ->
                        decided.tool() + " " + decided.verdict() + " rule=" + decided.rule();
                case AgentEvent.UserMessage(String text, String origin) ->
                        "origin=" + origin + " " + SafeText.line(text, MAX);
                case AgentEvent.TextDelta(String text) -> SafeText.line(text, MAX);
                case AgentEvent.ThinkingDelta(String text) -> SafeText.line(text, MAX);
                case AgentEvent.ToolProgress progress -> SafeText.line(progress.message(), MAX);
                case AgentEvent.EditApplied edit -> SafeText.line(edit.change().path(), MAX);
                default -> "";
            };
        }
    }
}
