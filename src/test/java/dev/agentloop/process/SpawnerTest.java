package dev.agentloop.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(100)
class SpawnerTest {
    /** Stops a helper of Java once, as a command in the same sandbox could. */
    private static final String STOPPER =
            """
            import os, signal, sys
            met = {int(name) for name in os.listdir('/proc') if name.isdigit()}
            print('watching', flush=True)
            while True:
                last = int(open('/proc/loadavg').read().split()[-1])
                for pid in range(last - 2, last + 3):
                    if pid in met or pid == os.getpid():
                        continue
                    try:
                        parent = open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()[1]
                        if parent == sys.argv[1]:
                            met.add(pid)
                            os.kill(pid, signal.SIGSTOP)
                            if 'jspawnhelper' in open(f'/proc/{pid}/cmdline').read():
                                print('stopped', flush=True)
                                sys.exit()
                            os.kill(pid, signal.SIGCONT)
                    except OSError:
                        pass
            """;

    @TempDir Path folder;

    @Test
    @DisplayName("a start that somebody holds up ends after ten seconds, and nothing else does")
    void heldUp() throws Exception {
        Path told = folder.resolve("told");
        Process innocent = new ProcessBuilder("sleep", "90").start();
        Process stopper =
                new ProcessBuilder("python3", "-c", STOPPER, "" + ProcessHandle.current().pid())
                        .redirectOutput(told.toFile())
                        .start();
        try {
            await(told, "watching");
            String trouble = "";
            while (stopper.isAlive()) {
                trouble = started();
            }

            assertTrue(Files.readString(told).contains("stopped"));
            assertTrue(
                    trouble.isEmpty() || trouble.contains("another command held up the start"),
                    trouble);
            assertTrue(innocent.isAlive());
            assertTrue(started().isEmpty(), "and the next one starts");
        } finally {
            stopper.destroyForcibly();
            innocent.destroyForcibly();
        }
    }

    /** Starts a process; the message of the exception if that fails, else empty. */
    private static String started() throws InterruptedException {
        try {
            Spawner.start(new ProcessBuilder("true")).process().waitFor();
            return "";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void await(Path file, String text) throws Exception {
        while (!Files.exists(file) || !Files.readString(file).contains(text)) {
            Thread.sleep(10);
        }
    }
}
