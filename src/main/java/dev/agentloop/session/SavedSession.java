package dev.agentloop.session;

import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.Usage;
import dev.agentloop.storage.Roots;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A session folded from its journal: what a resumed run starts from.
 *
 * @param history what is sent: a legal history, system first, every tool call answered exactly
 *     once, no empty assistant message; calls without a recorded result carry an "outcome unknown"
 *     result
 * @param transcript the same with all that compactions have replaced
 * @param steps completed model replies with or without tools, closing calls not counted
 * @param usd cost so far in US dollars; null when any call's price is unknown
 * @param paid what each model call used, in order; also of steps that were taken back
 * @param millis time that earlier runs took
 * @param effects what calls did to files, in order
 * @param prompts how often the person spoke
 * @param unresolved ids of calls that may have run although no result was recorded
 * @param again calls of the last reply that only read and were cut off: they are made again, and
 *     until then the history says that they did not run
 * @param routes servers that the user named, by the model they were named for
 * @param caps on the session as a whole
 * @param terms under which its last run worked
 * @param speaker model whose replies the history is made for; empty before the first
 * @param sealed whether a part of the history is a summary that only the speaker's provider can
 *     read
 * @param measure what the model has last counted
 * @param held stays out of use under a cap
 * @param notes what was repaired, one line each, for a person
 */
public record SavedSession(
        SessionSummary summary,
        List<Message> history,
        List<Message> transcript,
        int steps,
        int toolCalls,
        Usage usage,
        @Nullable BigDecimal usd,
        List<Paid> paid,
        long millis,
        List<FileChange> changes,
        List<FileEffect> effects,
        int prompts,
        List<String> unresolved,
        List<ToolCall> again,
        List<String> notes,
        Map<String, JournalRecord.Routed> routes,
        JournalRecord.Capped caps,
        JournalRecord.Terms terms,
        String speaker,
        boolean sealed,
        Measure measure,
        Held held) {
    /**
     * What one model call of the session used and cost.
     *
     * @param source who caused it: {@code agent}, {@code close}, …
     * @param usd its cost in US dollars as a decimal number; null when the price is unknown
     */
    public record Paid(String source, Usage usage, @Nullable String usd) {}

    /** The same without what was said, which may be hundreds of megabytes. */
    public SavedSession withoutMessages() {
        return new SavedSession(
                summary,
                List.of(),
                List.of(),
                steps,
                toolCalls,
                usage,
                usd,
                paid,
                millis,
                changes,
                effects,
                prompts,
                unresolved,
                again,
                notes,
                routes,
                caps,
                terms,
                speaker,
                sealed,
                measure,
                held);
    }

    /** The folders that it has worked in. */
    public Roots roots() {
        return terms.roots(summary.workspace());
    }

    /** The server that the user named for a model. */
    public JournalRecord.Routed route(String model) {
        return routes.getOrDefault(model, JournalRecord.Routed.NOWHERE);
    }

    /** Tokens of a prompt by our estimate, and as the model counted them; 0 if it never did. */
    public record Measure(long estimate, long counted) {
        public static final Measure NONE = new Measure(0, 0);
    }

    /**
     * What lost replies may have used besides the estimate that was counted for them.
     *
     * @param usd zero where no cap on money stood behind them
     * @param counted what a person should know of a request that was cut off last and counts as the
     *     most it can have used; empty if there is none
     */
    public record Held(long tokens, BigDecimal usd, String counted) {
        public static final Held NOTHING = new Held(0, BigDecimal.ZERO, "");
    }
}
