package dev.agentloop.session;

import dev.agentloop.message.ToolResult;
import dev.agentloop.storage.Roots;
import java.util.Map;

/** Finds out what became of a call that changes files and was cut off. */
@FunctionalInterface
public interface Recovery {
    /**
     * Makes the call's changes whole or takes them back, if that can be told from the files.
     *
     * @param roots of the session's workspace
     * @param effect without a state after it
     */
    Outcome settle(Roots roots, FileEffect effect, Blobs blobs);

    /**
     * What was found, or made of it.
     *
     * @param result for the model
     * @param after what the names hold now
     */
    record Outcome(ToolResult result, Map<String, FileState> after) {}
}
