package dev.agentloop.sandbox.git.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerRightsTest {
    @TempDir Path temp;

    private Path folder(String name, String rights) throws IOException {
        Path folder = Files.createDirectory(temp.resolve(name));
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(rights));
    }

    private static String rights(Path folder) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
    }

    @Test
    @DisplayName("a folder that cannot be listed is given back to its owner with all rights")
    void closedFoldersAreOpened() throws IOException {
        Path folder = folder("closed", "---r-x---");

        assertTrue(OwnerRights.giveBack(folder));
        assertEquals("rwxr-x---", rights(folder));
    }

    @Test
    @DisplayName("a link in its place changes nothing of what it leads to")
    void links() throws IOException {
        Path keys = folder("keys", "r-x------");
        Path link = Files.createSymbolicLink(temp.resolve("link"), keys);

        assertFalse(OwnerRights.giveBack(link));
        assertEquals("r-x------", rights(keys));
    }
}
