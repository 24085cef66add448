package dev.agentloop.session.jsonl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileBlobsTest {
    @TempDir Path temp;

    @Test
    @DisplayName("equal contents are kept once; an equal name is no proof of an equal content")
    void names() throws Exception {
        FileBlobs blobs = new FileBlobs(temp, true);
        assertEquals("1-2-3", blobs.keep("1-2-3", new byte[] {1}));
        assertEquals("1-2-3", blobs.keep("1-2-3", new byte[] {1}));
        assertEquals("1-2-3-2", blobs.keep("1-2-3", new byte[] {2}));
        blobs.force(java.util.List.of("1-2-3", "1-2-3-2"));
        assertArrayEquals(new byte[] {1}, blobs.read("1-2-3"));
        assertArrayEquals(new byte[] {2}, new FileBlobs(temp, false).read("1-2-3-2"));
        try (var files = Files.list(temp.resolve("blobs"))) {
            assertEquals(2, files.count());
        }
    }

    @Test
    @Tag("D33")
    @DisplayName("blobs are the user's alone, also below a folder that was open")
    void isPrivate() throws Exception {
        Path folder = Files.createDirectory(temp.resolve("blobs"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        new FileBlobs(temp, true).keep("1", new byte[0]);
        assertEquals("rwx------", mode(folder));
        assertEquals("rw-------", mode(folder.resolve("1")));
    }

    @Test
    @DisplayName("a damaged journal cannot name a file elsewhere")
    void namesLeadNowhereElse() throws Exception {
        FileBlobs blobs = new FileBlobs(temp, true);
        blobs.keep("1", new byte[0]);
        Files.writeString(temp.resolve("secret"), "s");
        for (String name : new String[] {"../secret", temp.resolve("secret").toString(), ".."}) {
            assertThrows(IOException.class, () -> blobs.read(name), name);
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
