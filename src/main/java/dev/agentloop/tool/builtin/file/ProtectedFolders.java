package dev.agentloop.tool.builtin.file;

import dev.agentloop.controlfile.ControlNames;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Workspace;
import java.nio.file.Path;

/** Folders that decide what programs do; a file tool never writes there, whatever the policy. */
final class ProtectedFolders {
    private ProtectedFolders() {}

    /** Throws if the real path {@code file} is, or is in, a control folder. */
    static void refuse(Workspace workspace, Path file) throws ToolException {
        for (Path name : workspace.roots().around(file).relativize(file)) {
            if (!ControlNames.isOwn(name)) {
                continue;
            }
            throw ToolException.error(
                    "%s belongs to %s, which file tools never change. Nothing was written."
                            .formatted(workspace.show(file), name));
        }
    }
}
