package dev.agentloop.cli.workspace;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.wiring.prompt.DemoProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder that the demo works in: a copy of its sample project, made for this run. */
public final class DemoFolder {
    private DemoFolder() {}

    /** Makes it, and says where it is. */
    public static Path create(Invocation invocation) throws IOException, UsageException {
        String named = invocation.variable("TMPDIR");
        Path parent = Path.of(named.isEmpty() ? System.getProperty("java.io.tmpdir") : named);
        if (!Files.isDirectory(parent)) {
            throw new UsageException(
                    "The folder for temporary files " + parent + " does not exist. Set TMPDIR.");
        }
        Path folder = DemoProject.create(parent.toAbsolutePath());
        invocation
                .streams()
                .printError(
                        "demo: a scripted model on a sample project in "
                                + folder
                                + "\n  A demo of another day removes it.\n");
        return folder;
    }
}
