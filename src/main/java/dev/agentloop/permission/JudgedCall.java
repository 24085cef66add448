package dev.agentloop.permission;

import dev.agentloop.shell.CommandFacts;
import dev.agentloop.tool.SubjectKind;
import dev.agentloop.tool.call.PreparedCall;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A call while it is judged: looked at once, so that all rules speak about the same thing.
 *
 * @param facts about the command; empty for a call that runs none
 */
record JudgedCall(PreparedCall.Ready<?> ready, Optional<CommandFacts> facts) {

    String tool() {
        return ready.spec().name();
    }

    SubjectKind kind() {
        return ready.tool().subjectKind();
    }

    /** A path as rules and people name it: relative to the workspace, absolute outside of it. */
    static String shown(Path root, Path path) {
        if (!path.startsWith(root)) {
            return path.toString();
        }
        String relative = root.relativize(path).toString();
        return relative.isEmpty() ? "." : relative;
    }
}
