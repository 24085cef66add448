package dev.agentloop.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisorPlaceholdersTest {
    @TempDir Path root;

    @Test
    @Tag("D48")
    @DisplayName("after kill -9 the placeholders go, and nothing that anybody has filled")
    void onlyWhatIsEmptyGoes() throws IOException, InterruptedException {
        Path run = Files.createDirectory(root.resolve("run"));
        Path folder = Files.createDirectory(root.resolve(".agent"));
        Path file = Files.createFile(root.resolve("a b"));
        Path filled = Files.createDirectories(root.resolve(".vscode"));
        Path mine = Files.writeString(filled.resolve("tasks.json"), "{}");
        Path text = Files.writeString(root.resolve(".envrc"), "x");
        Path link = Files.createSymbolicLink(root.resolve("link"), file);
        List<String> listed =
                List.of(folder, file, filled, text, link).stream().map(Path::toString).toList();
        Files.write(run.resolve("placeholders"), listed);

        Process supervisor =
                new ProcessBuilder(Supervisor.argv("no-such-marker-4711-", run))
                        .redirectInput(new File("/dev/null"))
                        .redirectErrorStream(true)
                        .start();
        assertTrue(supervisor.waitFor(20, TimeUnit.SECONDS));

        assertFalse(Files.exists(folder));
        assertFalse(Files.exists(file));
        assertFalse(Files.exists(run));
        assertEquals("{}", Files.readString(mine));
        assertEquals("x", Files.readString(text));
        assertTrue(Files.isSymbolicLink(link));
    }
}
