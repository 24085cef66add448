package dev.agentloop.cli.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.terminal.Streams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunSandboxTest {
    @TempDir Path folder;

    @Test
    @DisplayName("the run's folder is made in TMPDIR, but never where commands can exchange it")
    void temporary() throws IOException {
        Path workspace = Files.createDirectories(folder.resolve("ws")).toRealPath();
        Path writable = Files.createDirectories(folder.resolve("cache/tmp"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), workspace);
        Path free = Files.createDirectories(folder.resolve("tmp"));
        List<Path> further = List.of(writable.getParent());

        assertEquals(free.toString(), temporary(free, workspace, further));
        for (Path changeable : new Path[] {workspace, workspace.resolve("b"), link, writable}) {
            Files.createDirectories(changeable);
            assertEquals("/tmp", temporary(changeable, workspace, further), changeable::toString);
        }
        assertEquals("/tmp", temporary(folder.resolve("missing"), workspace, further));
    }

    private String temporary(Path wanted, Path workspace, List<Path> further) {
        Streams streams =
                new Streams(
                        InputStream.nullInputStream(),
                        OutputStream.nullOutputStream(),
                        OutputStream.nullOutputStream(),
                        false,
                        false,
                        false);
        Map<String, String> environment = Map.of("TMPDIR", wanted.toString());
        Invocation invocation = new Invocation(streams, environment, folder, folder, false);
        return RunSandbox.temporary(invocation, workspace, further);
    }
}
