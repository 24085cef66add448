package dev.agentloop.loop.run;

import dev.agentloop.llm.LlmResponse;
import java.util.Optional;

/** What a reply without tool calls means for the run. */
public sealed interface Ending {
    /** Stands in for a final answer after work that changed files. */
    String SILENT = "Files were changed; the model ended without a final answer.";

    /** The run ends for this reason. */
    record Done(StopReason reason) implements Ending {}

    /** The model is asked to go on. */
    record GoOn(Prompt prompt) implements Ending {}

    /** The model is asked again, without a word: its provider interrupted it. */
    record Resume() implements Ending {}

    /** The answer is not what the user asked for; the model hears why. */
    record Correct(String problem) implements Ending {}

    /** The answer is still not what the user asked for. */
    record Mismatch(String problem) implements Ending {}

    /** What the program says to the model in the person's place. */
    enum Prompt {
        /** The reply was cut at the output limit. */
        CONTINUE("continue"),
        /** The reply had neither text nor calls, or promised calls and made none. */
        NUDGE("nudge");

        private final String origin;

        Prompt(String origin) {
            this.origin = origin;
        }

        public String origin() {
            return origin;
        }
    }

    static Ending of(Run run, LlmResponse reply, LoopSettings settings) {
        return switch (reply.finish()) {
            case REFUSAL -> new Done(StopReason.REFUSED);
            case PAUSED -> reply.message().isEmpty() ? empty(run) : new Resume();
            case MAX_TOKENS -> cut(run, reply, settings);
            case TOOL_USE -> run.mayNudge() ? new GoOn(Prompt.NUDGE) : said(run, reply, settings);
            case END_TURN -> said(run, reply, settings);
        };
    }

    /** What says the same over and over would never come to an end. */
    private static Ending cut(Run run, LlmResponse reply, LoopSettings settings) {
        if (new RepeatedText().add(reply.message().text())) {
            return new Done(StopReason.LOOP_DETECTED);
        }
        return run.continuations() < settings.maxContinuations()
                ? new GoOn(Prompt.CONTINUE)
                : new Done(StopReason.OUTPUT_LIMIT);
    }

    /** Asked again as it is, the model would say the same for ever. */
    private static Ending empty(Run run) {
        return run.mayNudge() ? new GoOn(Prompt.NUDGE) : new Done(StopReason.EMPTY_RESPONSE);
    }

    private static Ending said(Run run, LlmResponse reply, LoopSettings settings) {
        String text = run.joinedText(reply);
        if (text.isBlank() && run.mayNudge()) {
            return new GoOn(Prompt.NUDGE);
        }
        if (text.isBlank() && !run.hasChangedFiles()) { // some models end their work in silence
            return new Done(StopReason.EMPTY_RESPONSE);
        }
        return checked(run, settings.answers().problem(text));
    }

    private static Ending checked(Run run, Optional<String> problem) {
        if (problem.isEmpty()) {
            return new Done(StopReason.LLM_DONE);
        }
        return run.mayCorrect() ? new Correct(problem.get()) : new Mismatch(problem.get());
    }

    /** The model's final text, or a note in its place when its work must speak for itself. */
    static String text(Run run, LlmResponse reply, StopReason reason) {
        String text = run.joinedText(reply);
        if (!text.isBlank()) {
            return text;
        }
        return reason == StopReason.LLM_DONE ? SILENT : run.promise();
    }
}
