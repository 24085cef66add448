package dev.agentloop.sandbox.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of several processes that share a repository. */
class OtherRunsTest {
    private static final String HOLDS_THE_LOCK =
            """
            import fcntl, sys
            file = open(sys.argv[1], "r+")
            fcntl.lockf(file, fcntl.LOCK_EX)
            print("held", flush=True)
            sys.stdin.read()
            open(sys.argv[2], "w").write("done")
            """;

    @TempDir Path state;
    private Path records;
    private Path lock;

    @BeforeEach
    void folders() throws IOException {
        records = Files.createDirectory(state.resolve("commands"));
        lock = state.resolve("commands.lock");
    }

    @Test
    @DisplayName("one waits until the other process has done its work")
    void waits() throws Exception {
        OtherRuns.alone(records, () -> true); // makes the file
        Path done = state.resolve("done");
        Process other =
                new ProcessBuilder(
                                List.of(
                                        "python3",
                                        "-c",
                                        HOLDS_THE_LOCK,
                                        lock.toString(),
                                        done.toString()))
                        .start();
        assertEquals("held", other.inputReader().readLine());
        Thread end =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                other.getOutputStream().close();
                            } catch (IOException e) {
                                other.destroyForcibly();
                            }
                        });

        assertTrue(OtherRuns.alone(records, () -> Files.exists(done)));
        end.join();
        assertEquals(0, other.waitFor());
    }

    @Test
    @DisplayName("where the lock cannot be had, though records can be written, nothing is done")
    void noLock() throws IOException {
        Files.createDirectory(lock);
        IOException refused =
                assertThrows(IOException.class, () -> OtherRuns.alone(records, () -> true));
        assertTrue(refused.getMessage().contains(lock.toString()), refused::getMessage);
    }

    @Test
    @DisplayName("a run that ends does not wait, and is still interrupted then")
    void interrupted() throws Exception {
        OtherRuns.alone(records, () -> true);
        Path done = state.resolve("done");
        Process other =
                new ProcessBuilder("python3", "-c", HOLDS_THE_LOCK, lock + "", done + "").start();
        assertEquals("held", other.inputReader().readLine());
        Thread.currentThread().interrupt();
        assertThrows(IOException.class, () -> OtherRuns.alone(records, () -> true));

        assertTrue(Thread.interrupted());
        assertFalse(Files.exists(done));
        other.destroyForcibly().waitFor();
    }
}
