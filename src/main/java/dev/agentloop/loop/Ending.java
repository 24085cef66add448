package dev.agentloop.loop;

import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmResponse;
import java.util.Optional;

/** What a reply without tool calls means for the run. */
sealed interface Ending {
    /** The run ends for this reason. */
    record Done(StopReason reason) implements Ending {}

    /** The model is asked to go on. */
    record GoOn(Prompt prompt) implements Ending {}

    /** The answer is not what the user asked for; the model hears why. */
    record Correct(String problem) implements Ending {}

    /** What the program says to the model in the person's place. */
    enum Prompt {
        /** The reply was cut at the output limit. */
        CONTINUE("continue"),
        /** The reply had neither text nor calls. */
        NUDGE("nudge");

        private final String origin;

        Prompt(String origin) {
            this.origin = origin;
        }

        String origin() {
            return origin;
        }
    }

    static Ending of(Run run, LlmResponse reply, LoopSettings settings) {
        if (reply.finish() == FinishReason.REFUSAL) {
            return new Done(StopReason.REFUSED);
        }
        if (reply.finish() == FinishReason.MAX_TOKENS) {
            return run.continuations() < settings.maxContinuations()
                    ? new GoOn(Prompt.CONTINUE)
                    : new Done(StopReason.OUTPUT_LIMIT);
        }
        if (run.joinedText(reply).isBlank()) {
            return run.mayNudge() ? new GoOn(Prompt.NUDGE) : new Done(StopReason.EMPTY_RESPONSE);
        }
        return checked(run, settings.answers().problem(run.joinedText(reply)));
    }

    private static Ending checked(Run run, Optional<String> problem) {
        if (problem.isEmpty()) {
            return new Done(StopReason.LLM_DONE);
        }
        return run.mayCorrect() ? new Correct(problem.get()) : new Done(StopReason.SCHEMA_MISMATCH);
    }
}
