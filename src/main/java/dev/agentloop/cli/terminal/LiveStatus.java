package dev.agentloop.cli.terminal;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.message.ToolCall;
import dev.agentloop.output.CallWords;
import dev.agentloop.output.SafeText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the live line says: what the run waits for, or the newest words of the model, whose text is
 * shown above a block at a time; seconds so far, tokens and, where prices are known, the cost.
 */
public final class LiveStatus implements EventSink, Supplier<String> {
    private final long started = System.nanoTime();
    private static final int LONGEST = 40; // characters; the line must not wrap
    private String doing = "";
    private String writing = "";
    private long tokens;
    private @Nullable BigDecimal usd = BigDecimal.ZERO;

    @Override
    public synchronized void emit(AgentEvent event) {
        switch (event) {
            case AgentEvent.LlmRequested _ -> doing = "Thinking, ";
            case AgentEvent.ToolStarted(ToolCall call) ->
                    doing = SafeText.line(CallWords.of(call), LONGEST) + ", ";
            case AgentEvent.TextDelta(String text) -> write(text);
            case AgentEvent.LlmResponded _, AgentEvent.ToolFinished _ -> {
                doing = "";
                writing = "";
            }
            default -> {} // changes nothing in what is waited for
        }
        if (event instanceof AgentEvent.UsageReported reported) {
            tokens += reported.usage().total();
            BigDecimal more = reported.usd();
            usd = usd == null || more == null ? null : usd.add(more);
        }
    }

    /** The line shows the newest words of the model: the end of the last line of its text. */
    private void write(String text) {
        String line = writing + text;
        line = line.substring(line.lastIndexOf('\n') + 1);
        int from = Math.max(0, line.length() - LONGEST);
        boolean inside = from > 0 && Character.isLowSurrogate(line.charAt(from));
        writing = line.substring(inside ? from + 1 : from);
        doing = writing.isBlank() ? "Writing, " : SafeText.line(writing.strip()) + ", ";
    }

    /** Without tokens and cost. */
    public synchronized String doing() {
        return doing + (System.nanoTime() - started) / 1_000_000_000L + " s";
    }

    @Override
    public synchronized String get() {
        String money =
                usd == null || usd.signum() == 0
                        ? ""
                        : ", $" + usd.setScale(4, RoundingMode.HALF_UP).toPlainString();
        return doing() + ", " + tokens + " tokens" + money;
    }
}
