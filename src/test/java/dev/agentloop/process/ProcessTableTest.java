package dev.agentloop.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessTableTest {
    @BeforeEach
    void needsLinux() {
        assumeTrue(ProcessTable.isAvailable(), "no /proc");
    }

    @Test
    @DisplayName("a process without a command line is named by its program")
    void aProcessWithoutACommandLine() throws Exception {
        Process nameless = new ProcessBuilder("bash", "-c", "echo up; exec -a '' cat").start();
        try {
            assertEquals('u', nameless.getInputStream().read());
            while (!ProcessTable.command(nameless.pid()).equals("cat")) {
                Thread.sleep(5); // until bash has become it; the time limit ends a failure
            }
            String named = "pid " + nameless.pid() + " (cat)";
            assertEquals(named, ProcessTree.describe(nameless.pid()));
        } finally {
            nameless.destroyForcibly();
        }
    }

    @Test
    @Tag("C25")
    @DisplayName("what ran before a command is none of its processes, whatever its number")
    void whatRanBefore() throws Exception {
        Process before = new ProcessBuilder("sleep", "20").start();
        try {
            Thread.sleep(30); // the kernel counts hundredths of a second
            long now = ProcessTable.now();
            Thread.sleep(30);
            Process after = new ProcessBuilder("sleep", "20").start();
            List<Long> found =
                    ProcessTable.startedSince(1, now).alive().stream()
                            .map(ProcessTable.Entry::pid)
                            .toList();
            after.destroyForcibly();

            assertTrue(found.contains(after.pid()));
            assertFalse(found.contains(before.pid()));
            assertFalse(found.contains(ProcessHandle.current().pid()));
        } finally {
            before.destroyForcibly();
        }
    }

    @Test
    void aProcessThatIsGoneHasNoName() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        assertEquals("pid " + gone.pid(), ProcessTree.describe(gone.pid()));
    }
}
