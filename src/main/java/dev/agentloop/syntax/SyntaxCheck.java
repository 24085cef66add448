package dev.agentloop.syntax;

import dev.agentloop.control.Cancellation;
import java.util.List;

/**
 * Looks for what is wrong in the syntax of an edited file.
 *
 * <p><b>Contract.</b> Never throws, changes nothing, ends within seconds and soon after the
 * cancellation falls. What it cannot check has no problems.
 */
@FunctionalInterface
public interface SyntaxCheck {
    /** Nothing is checked. */
    SyntaxCheck NONE = (_, _, _) -> List.of();

    /**
     * One line for each problem that the file did not have before.
     *
     * @param path of the file, relative to the workspace root
     * @param before its content before the edit; empty for a new file
     */
    List<String> problems(String path, byte[] before, Cancellation cancellation);
}
