package dev.agentloop.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class InputPipeTest {
    @TempDir Path folder;

    @Test
    @Timeout(60)
    @DisplayName("what nobody has read is given up at the end, with thread and file")
    void whatNobodyReads() throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (boolean ended : new boolean[] {false, true}) {
                InputPipe pipe = InputPipe.named(folder);
                assertTrue(pipe.write(new byte[65_536], threads)); // as much as a pipe holds
                assertFalse(pipe.write(new byte[60_000], threads));
                if (ended) {
                    pipe.end(threads);
                }
                pipe.close();
                assertFalse(Files.exists(pipe.path().orElseThrow()));
            }
            threads.shutdown();
            assertTrue(threads.awaitTermination(20, TimeUnit.SECONDS), "a thread still writes");
        }
        try (var left = Files.list(folder)) {
            assertEquals(0, left.count());
        }
    }
}
