package dev.agentloop.loop.call;

import dev.agentloop.message.ToolCall;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.verification.CheckedWork;
import java.util.List;
import java.util.function.Supplier;

/**
 * Stands between the loop and its tools, to keep what they answer or to answer in their place.
 *
 * <p><b>Contract.</b> Called by the thread of the run only, one call at a time. What is recorded
 * must be what the loop gets; a tape that answers itself never calls {@code real}.
 */
public interface ToolTape {
    /** Everything is as it is. */
    ToolTape NONE = new ToolTape() {};

    /** What is offered to the model from here on. */
    default List<ToolSpec> specs(List<ToolSpec> real) {
        return real;
    }

    /** The results of all calls of one reply. */
    default ToolAnswers answer(List<ToolCall> calls, Supplier<ToolAnswers> real) {
        return real.get();
    }

    /** What has become of the files, for the judge. */
    default String diff(Supplier<String> real) {
        return real.get();
    }

    /** What nobody has told of the files and commands of the run. */
    default CheckedWork.Found found(Supplier<CheckedWork.Found> real) {
        return real.get();
    }

    /** Whether the answers come from elsewhere, so that the run does not know yet what they did. */
    default boolean replays() {
        return false;
    }
}
