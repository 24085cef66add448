package dev.agentloop.sandbox.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitCopyTest {
    @TempDir private Path folder;

    @Test
    void theSameSettingsAreWrittenOnce() throws IOException {
        Path copy =
                new GitCopy(List.of("[include]\n\tpath = 1\n", "\u00e4")).in(folder).orElseThrow();
        Path again =
                new GitCopy(List.of("[include]\n\tpath = 1\n", "\u00e4")).in(folder).orElseThrow();

        assertEquals(copy, again);
        assertEquals("[include]\n\tpath = 1\n", Files.readString(copy));
        assertEquals((byte) 0xe4, Files.readAllBytes(copy.resolveSibling("1"))[0]);
        assertNotEquals(copy, new GitCopy(List.of("other")).in(folder).orElseThrow());
        try (var left = Files.list(folder)) {
            assertEquals(2, left.count(), "nothing half made is left");
        }
    }

    @Test
    void whereNothingCanBeWrittenGitHasNoSettings() {
        GitCopy copy = new GitCopy(List.of("x"));

        assertEquals(Optional.of(Path.of("/dev/null")), copy.in(folder.resolve("missing")));
        assertEquals(Optional.empty(), GitCopy.NONE.in(folder.resolve("missing")));
    }
}
