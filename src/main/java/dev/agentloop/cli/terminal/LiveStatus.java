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
 * What the live line says: what the run waits for, seconds so far, tokens and, where prices are
 * known, the cost.
 */
public final class LiveStatus implements EventSink, Supplier<String> {
    private final long started = System.nanoTime();
    private static final int LONGEST = 40; // characters; the line must not wrap
    private String doing = "";
    private long tokens;
    private @Nullable BigDecimal usd = BigDecimal.ZERO;

    @Override
    public synchronized void emit(AgentEvent event) {
        switch (event) {
            case AgentEvent.LlmRequested _ -> doing = "Thinking, ";
            case AgentEvent.ToolStarted(ToolCall call) ->
                    doing = SafeText.line(CallWords.of(call), LONGEST) + ", ";
            case AgentEvent.LlmResponded _, AgentEvent.ToolFinished _ -> doing = "";
            default -> {} // changes nothing in what is waited for
        }
        if (event instanceof AgentEvent.UsageReported reported) {
            tokens += reported.usage().total();
            BigDecimal more = reported.usd();
            usd = usd == null || more == null ? null : usd.add(more);
        }
    }

    @Override
    public synchronized String get() {
        long seconds = (System.nanoTime() - started) / 1_000_000_000L;
        String money =
                usd == null || usd.signum() == 0
                        ? ""
                        : ", $" + usd.setScale(4, RoundingMode.HALF_UP).toPlainString();
        return doing + seconds + " s, " + tokens + " tokens" + money;
    }
}
