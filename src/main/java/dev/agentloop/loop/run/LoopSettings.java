package dev.agentloop.loop.run;

import dev.agentloop.llm.Generation;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Numbers that shape a run.
 *
 * @param maxContinuations how often a reply cut at the output limit is continued
 * @param maxOutputTokens cap of each reply; 0 leaves it to the model
 * @param stream whether replies are asked for as streams
 * @param generation how the model is asked to answer
 * @param answers what the final answer must be
 * @param checks what must hold when the model says it is done
 * @param mayCheck whether the model is asked once to check what it has changed; asked when it says
 *     that it is done
 */
public record LoopSettings(
        Watchdogs.Limits limits,
        int maxContinuations,
        int maxOutputTokens,
        boolean stream,
        Generation generation,
        AnswerCheck answers,
        FinalChecks checks,
        BooleanSupplier mayCheck) {

    private static final long RESERVE_CAP_SECONDS = 20; // a summary takes seconds
    private static final long RESERVE_FROM_SECONDS = 30; // shorter runs keep all their time

    /** Time kept back from the timeout for the closing summary; part of the timeout, not on top. */
    public Duration closeReserve() {
        return limits.timeout()
                .filter(timeout -> timeout.toSeconds() >= RESERVE_FROM_SECONDS)
                .map(timeout -> Math.min(RESERVE_CAP_SECONDS, timeout.toSeconds() / 10))
                .map(Duration::ofSeconds)
                .orElse(Duration.ZERO);
    }
}
