package dev.agentloop.wiring;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoProjectTest {
    @TempDir Path temporary;
    @TempDir Path elsewhere;

    private static void age(Path folder, Duration age) throws IOException {
        Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minus(age)));
    }

    private Path aged() throws IOException {
        Path folder = DemoProject.create(temporary);
        age(folder, Duration.ofHours(25));
        return folder;
    }

    @Test
    void aProjectOfAPastDayGoesAndTodaysStays() throws IOException {
        Path today = DemoProject.create(temporary);
        age(today, Duration.ofHours(23));
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
