package dev.agentloop.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeenFilesTest {
    @TempDir Path root;

    @Test
    void whatAHookLeftOnDiskCanBeTakenOver() throws IOException {
        SeenFiles seen = new SeenFiles();
        Path file = Files.writeString(root.resolve("a"), "formatted");
        seen.saw(file, "old".getBytes(StandardCharsets.UTF_8));
        seen.sawOnDisk(file);
        String hash = SeenFiles.fingerprint("formatted".getBytes(StandardCharsets.UTF_8));
        assertEquals(Optional.of(hash), seen.seen(file));
        Files.delete(file);
        seen.sawOnDisk(file);
        assertEquals(Optional.empty(), seen.seen(file));
    }
}
