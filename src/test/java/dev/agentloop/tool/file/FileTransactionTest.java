package dev.agentloop.tool.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.agentloop.storage.Roots;
import dev.agentloop.tool.ToolContext;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTransactionTest {
    @TempDir Path root;

    @Test
    @Tag("B18")
    @DisplayName("the last change fails when all others are made: they are undone")
    void undone() throws Exception {
        Path changed = Files.writeString(root.resolve("changed"), "old");
        Files.setPosixFilePermissions(changed, PosixFilePermissions.fromString("rwxr-x--x"));
        Object before = Files.readAttributes(changed, "unix:mode,uid,gid,nlink");
        Path deleted = Files.writeString(root.resolve("deleted"), "gone");
        Path taken = Files.createDirectory(root.resolve("taken"));
        FileTransaction all = new FileTransaction(Roots.only(root));
        all.write(changed, new byte[] {1}, changed, -1);
        all.delete(deleted);
        all.write(root.resolve("new/deep/file"), new byte[] {2}, root.resolve("x"), 0600);
        all.write(taken, new byte[] {3}, root.resolve("x"), -1);

        FileSystemException problem =
                assertThrows(FileSystemException.class, () -> all.commit(ToolContext.Barrier.OPEN));

        assertEquals("it is no regular file any more", problem.getReason());
        assertEquals("old", Files.readString(changed));
        assertEquals(before, Files.readAttributes(changed, "unix:mode,uid,gid,nlink"));
        assertEquals("gone", Files.readString(deleted));
        assertEquals(List.of("changed", "deleted", "taken"), names());
    }

    @Test
    void nothingIsLeftAside() throws Exception {
        Path changed = Files.writeString(root.resolve("changed"), "old");
        Path deleted = Files.writeString(root.resolve("deleted"), "gone");
        FileTransaction all = new FileTransaction(Roots.only(root));
        all.write(changed, new byte[] {'n'}, changed, 0640);
        all.delete(deleted);
        all.commit(ToolContext.Barrier.OPEN);
        assertEquals("n", Files.readString(changed));
        assertEquals(
                "rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(changed)));
        assertEquals(List.of("changed"), names());
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(root)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
