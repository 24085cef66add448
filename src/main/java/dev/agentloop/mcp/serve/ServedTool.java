package dev.agentloop.mcp.serve;

import dev.agentloop.control.Cancellation;
import dev.agentloop.json.JsonValue;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A tool that clients can call.
 *
 * <p><b>Contract.</b> Calls come from several threads at once.
 */
public interface ServedTool {
    String name();

    /** Its item of {@code tools/list}. */
    Map<String, @Nullable Object> declaration();

    /**
     * Does the work; may block, and stops soon after the cancellation falls.
     *
     * @param arguments an object; whether it has the tool's form the tool finds out
     * @param progress takes lines for people
     * @return the result of {@code tools/call}; trouble of the tool is one with {@code isError}
     */
    Map<String, @Nullable Object> call(
            JsonValue arguments, Cancellation cancellation, Consumer<String> progress);
}
