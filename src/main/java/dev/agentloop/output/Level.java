package dev.agentloop.output;

import dev.agentloop.event.AgentEvent;
import java.util.Arrays;
import java.util.Optional;

/** How important a line of a log is; HUMAN stands between INFO and WARN. */
public enum Level {
    DEBUG(10),
    INFO(20),
    HUMAN(25),
    WARN(30),
    ERROR(40);

    private final int number;

    Level(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    public String wireName() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    public static Optional<Level> parse(String text) {
        return Arrays.stream(values()).filter(level -> level.wireName().equals(text)).findFirst();
    }

    /** Level of an event: what the human log shows is HUMAN, the rest is technical. */
    public static Level of(AgentEvent event) {
        return switch (event) {
            case AgentEvent.Warning _, AgentEvent.LlmRetried _ -> WARN;
            case AgentEvent.Failed _ -> ERROR;
            case AgentEvent.SessionStarted started when !started.guidance().isEmpty() -> HUMAN;
            case AgentEvent.LlmRequested _,
                    AgentEvent.LlmResponded _,
                    AgentEvent.ToolStarted _,
                    AgentEvent.ToolFinished _,
                    AgentEvent.HookFinished _,
                    AgentEvent.LimitReached _,
                    AgentEvent.Closing _,
                    AgentEvent.AgentSwitched _,
                    AgentEvent.SubagentStarted _,
                    AgentEvent.SubagentFinished _,
                    AgentEvent.ContextCompacted _,
                    AgentEvent.Finished _ ->
                    HUMAN;
            case AgentEvent.SessionStarted _,
                    AgentEvent.StepStarted _,
                    AgentEvent.UserMessage _,
                    AgentEvent.UsageReported _,
                    AgentEvent.PermissionDecided _,
                    AgentEvent.EditApplied _,
                    AgentEvent.BudgetUpdated _ ->
                    INFO;
            case AgentEvent.SubagentDid did -> of(did.event());
            case AgentEvent.TextDelta _, AgentEvent.ThinkingDelta _, AgentEvent.ToolProgress _ ->
                    DEBUG;
        };
    }
}
