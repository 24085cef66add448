package dev.agentloop.loop.run;

import dev.agentloop.llm.Generation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that shape a run.
 *
 * @param maxSteps model replies with or without tools; 0 closes before the first call
 * @param timeout wall clock of the whole run; null for none
 * @param stepTimeout one model call; null for none
 * @param maxContinuations how often a reply cut at the output limit is continued
 * @param maxOutputTokens cap of each reply; 0 leaves it to the model
 * @param stream whether replies are asked for as streams
 * @param generation how the model is asked to answer
 * @param answers what the final answer must be
 * @param checks what must hold when the model says it is done
 */
public record LoopSettings(
        int maxSteps,
        @Nullable Duration timeout,
        @Nullable Duration stepTimeout,
        int maxContinuations,
        int maxOutputTokens,
        boolean stream,
        Generation generation,
        AnswerCheck answers,
        FinalChecks checks) {

    /** Settings of a run that nothing checks in the end. */
    public LoopSettings(
            int maxSteps,
            @Nullable Duration timeout,
            @Nullable Duration stepTimeout,
            int maxContinuations,
            int maxOutputTokens,
            boolean stream,
            Generation generation,
            AnswerCheck answers) {
        this(
                maxSteps,
                timeout,
                stepTimeout,
                maxContinuations,
                maxOutputTokens,
                stream,
                generation,
                answers,
                FinalChecks.NONE);
    }

    private static final long RESERVE_CAP_SECONDS = 20; // a summary takes seconds
    private static final long RESERVE_FROM_SECONDS = 30; // shorter runs keep all their time

    /** Time kept back from the timeout for the closing summary; part of the timeout, not on top. */
    public Duration closeReserve() {
        if (timeout == null || timeout.toSeconds() < RESERVE_FROM_SECONDS) {
            return Duration.ZERO;
        }
        return Duration.ofSeconds(Math.min(RESERVE_CAP_SECONDS, timeout.toSeconds() / 10));
    }
}
