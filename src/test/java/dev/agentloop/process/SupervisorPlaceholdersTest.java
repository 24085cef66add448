package dev.agentloop.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.sandbox.git.file.RecordText;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
        supervise(run, "", List.of(folder, file, filled, text, link));

        assertFalse(Files.exists(folder));
        assertFalse(Files.exists(file));
        assertFalse(Files.exists(run));
        assertEquals("{}", Files.readString(mine));
        assertEquals("x", Files.readString(text));
        assertTrue(Files.isSymbolicLink(link));
    }

    @Test
    @Tag("D48")
    @DisplayName("what a run that lives has written down as needed stays for it")
    void whatOthersNeedStays() throws IOException, InterruptedException {
        Path run = Files.createDirectory(root.resolve("run"));
        Path records = Files.createDirectory(root.resolve("all records"));
        Path needed = Files.createDirectory(root.resolve("needed"));
        Path file = Files.createFile(root.resolve("a-needed-file"));
        Path nobodys = Files.createDirectory(root.resolve("need"));
        Path ofTheDead = Files.createFile(root.resolve("dead"));
        long living = ProcessHandle.current().pid();
        Files.writeString(
                records.resolve("ab-" + living + "-1-1"),
                "record 2\nplaceholder " + needed + "\nplaceholder " + file + "\nend\n");
        Files.writeString(
                records.resolve("ab-999999999-1-1"), // more than Linux gives to processes
                "record 2\nplaceholder " + ofTheDead + "\nend\n");

        supervise(run, records.toString(), List.of(needed, file, nobodys, ofTheDead));

        assertTrue(Files.exists(needed));
        assertTrue(Files.exists(file));
        assertFalse(Files.exists(nobodys));
        assertFalse(Files.exists(ofTheDead));
    }

    private static void supervise(Path run, String records, List<Path> placeholders)
            throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>(List.of(records));
        for (Path path : placeholders) {
            lines.add(RecordText.path(path));
            lines.add(path.toString());
        }
        Files.write(run.resolve("placeholders"), lines);
        Process supervisor =
                new ProcessBuilder(Supervisor.argv("no-such-marker-4711-", run))
                        .redirectInput(new File("/dev/null"))
                        .redirectErrorStream(true)
                        .start();
        assertTrue(supervisor.waitFor(20, TimeUnit.SECONDS));
    }
}
