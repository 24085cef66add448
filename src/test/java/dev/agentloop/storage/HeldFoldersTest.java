package dev.agentloop.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a tree are read from folders that stay open, and no link is followed on the way. */
class HeldFoldersTest {
    @TempDir Path temp;
    private Path root;

    @BeforeEach
    void plant() throws IOException {
        root = Files.createDirectory(temp.toRealPath().resolve("w"));
        for (String name : new String[] {"top", "a/one", "a/b/c/deep", "a/b/two", "z/last"}) {
            Path file = root.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, name);
        }
        Files.createDirectories(temp.resolve("outside/c"));
        Files.writeString(temp.resolve("outside/c/deep"), "secret");
        Files.writeString(temp.resolve("outside/two"), "secret");
    }

    private String read(HeldFolders folders, String name) throws IOException {
        try (InputStream in = Channels.newInputStream(folders.open(root.resolve(name)))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    @DisplayName("down, up, to the side and back")
    void inAnyOrder() throws IOException {
        try (HeldFolders folders = new HeldFolders(root)) {
            for (String name :
                    new String[] {"a/b/c/deep", "a/b/two", "z/last", "top", "a/one", "a/b/two"}) {
                assertEquals(name, read(folders, name));
            }
        }
    }

    @Test
    @DisplayName("a folder that a link has taken the place of is not entered")
    void aLinkInItsPlace() throws IOException {
        try (HeldFolders folders = new HeldFolders(root)) {
            assertEquals("a/b/two", read(folders, "a/b/two"));
            Files.move(root.resolve("a/b"), root.resolve("a/old"));
            Files.createSymbolicLink(root.resolve("a/b"), temp.resolve("outside"));
            assertEquals("a/b/two", read(folders, "a/b/two"), "what is held stays what it was");
            assertEquals("z/last", read(folders, "z/last"));
            assertThrows(IOException.class, () -> read(folders, "a/b/two"));
            assertThrows(IOException.class, () -> read(folders, "a/b/c/deep"));
            assertEquals("a/one", read(folders, "a/one"), "and goes on elsewhere");
        }
    }

    @Test
    @DisplayName("a root that a link has taken the place of, or a folder above it, is not entered")
    void aLinkInPlaceOfTheRoot() throws IOException {
        Path inner = root.resolve("a/b");
        Roots roots = new Roots(root, List.of(inner));
        HeldFolder.of(roots.from(inner), inner.resolve("two")).close();
        Files.move(inner, root.resolve("a/old"));
        Files.createSymbolicLink(inner, temp.resolve("outside"));
        assertThrows(
                IOException.class, () -> HeldFolder.of(roots.from(inner), inner.resolve("two")));

        Files.move(root, temp.resolve("old"));
        Files.createDirectories(temp.resolve("far/w"));
        Files.createSymbolicLink(root, temp.resolve("far"));
        Path below = root.resolve("w");
        assertThrows(IOException.class, () -> HeldFolder.of(below, below.resolve("new")));
    }
}
