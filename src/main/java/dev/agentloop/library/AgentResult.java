package dev.agentloop.library;

import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.message.Usage;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended; the same from every way to run.
 *
 * @param text the model's last words; of a run that was stopped its summary, or a line that says
 *     why it ended
 * @param messages the whole conversation so far, system message first if there is one
 * @param usage tokens of this run
 * @param usd cost of this run in US dollars; null when a price is unknown
 * @param turns replies of the model in this run
 * @param stopReason {@code LLM_DONE} if the model was done
 */
public record AgentResult(
        String text,
        List<Message> messages,
        Usage usage,
        @Nullable BigDecimal usd,
        int turns,
        StopReason stopReason) {
    public AgentResult {
        messages = List.copyOf(messages);
    }

    /** Whether the model said that it was done, and nothing stopped it. */
    public boolean isDone() {
        return stopReason == StopReason.LLM_DONE;
    }
}
