package dev.agentloop.replay;

import dev.agentloop.hook.HookTape;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.loop.call.ToolTape;
import dev.agentloop.loop.run.FinalChecks;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.message.Message;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Stands between a run and its ports, to keep what they answer or to answer in their place. What is
 * not overridden lets the port answer.
 */
public interface Tape extends ToolTape, HookTape {
    /** Everything is as it is. */
    Tape NONE = new Tape() {};

    /** The model that the run asks; {@code real} is not made where it is not needed. */
    default LlmAdapter llm(Supplier<LlmAdapter> real) {
        return real.get();
    }

    /** What a cassette must not hold of this run, besides what its maker knew: a mask of texts. */
    default void hide(UnaryOperator<String> mask) {}

    /** The history to start from. */
    default List<Message> history(Supplier<List<Message>> real) {
        return real.get();
    }

    /** The system prompt of an agent that takes over. */
    default String systemPrompt(Supplier<String> real) {
        return real.get();
    }

    /** What is checked when the model says it is done. */
    default FinalChecks checks(FinalChecks real) {
        return real;
    }

    /** Why the run is not the recorded one; empty if it is, or if none was. */
    default Optional<String> mismatch() {
        return Optional.empty();
    }

    /** The result of the run, or what it is instead if it was not the recorded one. */
    default RunResult end(RunResult result) {
        return result;
    }
}
