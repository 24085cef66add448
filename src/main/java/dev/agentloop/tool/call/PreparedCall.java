package dev.agentloop.tool.call;

import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolSpec;
import java.nio.file.Path;
import java.util.List;

/** A tool call after its arguments were parsed, once: what is checked is what runs. */
public sealed interface PreparedCall {
    ToolCall call();

    /**
     * A call that may run if the policy allows it.
     *
     * @param subject what the call is about, for people
     * @param subjects what permission patterns are matched against, at least one
     * @param paths real paths that the call reads or changes; those outside the workspace can only
     *     be read, and only if the policy allows it
     */
    record Ready<A extends Record>(
            ToolCall call,
            Tool<A> tool,
            A arguments,
            String subject,
            List<String> subjects,
            List<String> paths)
            implements PreparedCall {
        public Ready {
            subjects = List.copyOf(subjects);
            paths = List.copyOf(paths);
        }

        /** A call that is about one thing. */
        public Ready(ToolCall call, Tool<A> tool, A arguments, String subject, List<String> paths) {
            this(call, tool, arguments, subject, List.of(subject), paths);
        }

        public ToolSpec spec() {
            return tool.spec();
        }

        /** The text that the call would put into files, as far as it is known before. */
        public List<String> newTexts() {
            return tool.newTexts(arguments);
        }

        /** Whether the call asks for the network. */
        public boolean wantsNetwork() {
            return tool.reachesNetwork(arguments);
        }

        /** Where a command would run; what cannot be resolved fails when it does. */
        public Path folder(Path root) {
            return root.resolve(tool.folder(arguments)).normalize();
        }
    }

    /** A call that can never run: unknown tool, broken or cut arguments; the answer is ready. */
    record Refused(ToolCall call, ToolResult result) implements PreparedCall {}
}
