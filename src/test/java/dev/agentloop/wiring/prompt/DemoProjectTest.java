package dev.agentloop.wiring.prompt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoProjectTest {
    @TempDir Path temporary;
    @TempDir Path elsewhere;

    private static void age(Path path, Duration age) throws IOException {
        Files.setLastModifiedTime(path, FileTime.from(Instant.now().minus(age)));
    }

    private static void ageAll(Path folder, Duration age) throws IOException {
        for (String file : List.of("README.md", "sum.sh", "test.sh")) {
            age(folder.resolve(file), age);
        }
        age(folder, age);
    }

    private Path aged() throws IOException {
        Path folder = DemoProject.create(temporary);
        ageAll(folder, Duration.ofHours(25));
        return folder;
    }

    private static void write(Path folder, String sum) throws IOException {
        Files.writeString(folder.resolve("sum.sh"), sum);
        ageAll(folder, Duration.ofDays(9));
    }

    @Test
    void whatWasEditedInPlaceStays() throws IOException {
        Path today = aged();
        Path sum = today.resolve("sum.sh");
        Files.writeString(sum, Files.readString(sum)); // in place: the folder's time stays
        Path rewritten = aged();
        write(rewritten, "# an hour of work\n");

        DemoProject.create(temporary);

        assertTrue(Files.exists(sum));
        assertEquals("# an hour of work\n", Files.readString(rewritten.resolve("sum.sh")));
        assertTrue(Files.exists(rewritten.resolve("README.md")), "all of it or nothing");
    }

    @Test
    void whatTheScriptMadeOfItGoes() throws IOException {
        Path folder = aged();
        String sum = Files.readString(folder.resolve("sum.sh"));
        write(folder, sum.replace("total - number", "total + number"));

        DemoProject.create(temporary);

        assertFalse(Files.exists(folder));
    }

    @Test
    void whatCannotBeOpenedStopsNothing() throws IOException {
        Path first = aged();
        Path second = aged();
        for (int i = 0; i < 8; i++) { // some of them are listed before the two
            Files.createFile(temporary.resolve("agent-demo-file" + i));
        }

        DemoProject.create(temporary);

        assertFalse(Files.exists(first) || Files.exists(second));
        assertTrue(Files.exists(temporary.resolve("agent-demo-file0")));
    }

    @Test
    void aProjectOfAPastDayGoesAndTodaysStays() throws IOException {
        Path today = DemoProject.create(temporary);
        ageAll(today, Duration.ofHours(23));
        Path yesterday = aged();

        Path now = DemoProject.create(temporary);

        assertFalse(Files.exists(yesterday));
        assertTrue(Files.exists(today.resolve("sum.sh")));
        assertEquals(
                "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(now)));
    }

    @Test
    void whatTheUserPutThereIsNeverRemoved() throws IOException {
        Path folder = aged();
        Files.writeString(folder.resolve("notes.md"), "mine");
        age(folder, Duration.ofDays(9));

        DemoProject.create(temporary);

        assertEquals("mine", Files.readString(folder.resolve("notes.md")));
        assertTrue(Files.exists(folder.resolve("sum.sh")), "all of it or nothing");
    }

    @Test
    void aLinkInPlaceOfAFolderIsNotFollowed() throws IOException {
        Path target = aged();
        Path moved = Files.move(target, elsewhere.resolve("precious"));
        Path link = Files.createSymbolicLink(temporary.resolve("agent-demo-1"), moved);
        age(moved, Duration.ofDays(9));

        DemoProject.create(temporary);

        assertTrue(Files.isSymbolicLink(link));
        assertTrue(Files.exists(moved.resolve("sum.sh")));
    }

    @Test
    void aLinkInPlaceOfAFileKeepsTheFolder() throws IOException {
        Path precious = Files.writeString(elsewhere.resolve("precious"), "mine");
        Path folder = aged();
        Files.delete(folder.resolve("sum.sh"));
        Files.createSymbolicLink(folder.resolve("sum.sh"), precious);
        age(folder, Duration.ofDays(9));

        DemoProject.create(temporary);

        assertEquals("mine", Files.readString(precious));
        assertTrue(Files.isSymbolicLink(folder.resolve("sum.sh")));
    }

    @Test
    void aFolderThatOthersMayEnterIsNotOurs() throws IOException {
        Path folder = aged();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));

        DemoProject.create(temporary);

        assertTrue(Files.exists(folder.resolve("sum.sh")));
    }
}
