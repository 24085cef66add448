package dev.agentloop.tool;

import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.List;

/** A tool call after its arguments were parsed, once: what is checked is what runs. */
public sealed interface Prepared {
    ToolCall call();

    /**
     * A call that may run if the policy allows it.
     *
     * @param subject what permission patterns are matched against
     * @param paths real paths inside the workspace that the call reads or changes
     */
    record Ready<A extends Record>(
            ToolCall call, Tool<A> tool, A arguments, String subject, List<String> paths)
            implements Prepared {
        public ToolSpec spec() {
            return tool.spec();
        }
    }

    /** A call that can never run: unknown tool, broken or cut arguments; the answer is ready. */
    record Refused(ToolCall call, ToolResult result) implements Prepared {}
}
