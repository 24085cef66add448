package dev.agentloop.sandbox.home;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StampedTest {
    @TempDir private Path folder;

    private final AtomicInteger looks = new AtomicInteger();
    private Path file;

    @BeforeEach
    void oldFile() throws IOException {
        file = Files.writeString(folder.resolve("file"), "text");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
    }

    @Test
    void whatStaysAsItIsIsLookedAtOnce() throws IOException {
        Stamped<Integer> stamped = new Stamped<>(_ -> looks.incrementAndGet());

        assertEquals(Optional.of(1), stamped.of(file, false));
        assertEquals(Optional.of(1), stamped.of(file, false));
        Files.writeString(file, "longer text");
        assertEquals(Optional.of(2), stamped.of(file, false));
        assertEquals(Optional.of(3), stamped.of(file, false), "it has changed just now");
        assertEquals(Optional.empty(), stamped.of(file, true));
    }

    @Test
    void aLookThatFailsIsTakenAgain() {
        Stamped<Integer> stamped =
                new Stamped<>(path -> {
                    if (looks.incrementAndGet() == 1) {
                        throw new IOException(path + ": too many open files");
                    }
                    return looks.get();
                });

        assertEquals(Optional.empty(), stamped.of(file, false));
        assertEquals(Optional.of(2), stamped.of(file, false));
    }
}
