package dev.agentloop.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpawnerTest {
    @Test
    @DisplayName(
            "a process that is held up before it is a program is killed, and the start goes on")
    void heldUp() throws Exception {
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            var held =
                    thread.submit(() -> { // as ProcessBuilder.start waits for one that was stopped
                        Thread.sleep(100);
                        return new ProcessBuilder("sleep", "50").start().waitFor();
                    });
            Spawner.Started next = started(thread);

            assertEquals(137, held.get());
            assertEquals(0, next.process().waitFor());
        }
    }

    private static Spawner.Started started(ExecutorService thread) throws IOException {
        return Spawner.start(new ProcessBuilder("true"), thread);
    }
}
