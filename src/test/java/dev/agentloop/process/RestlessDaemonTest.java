package dev.agentloop.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.control.Cancellation;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Daemons that are looked for in the moment in which they are hard to see. */
@Timeout(120)
class RestlessDaemonTest {
    private static final int ROUNDS = 24;
    private static final int SUPERVISORS = 8;
    private static final int LOOKS = 5;
    private static final Duration LONG = Duration.ofSeconds(50);

    @TempDir Path cwd;
    private final ProcessRunner runner =
            new ProcessRunner(Map.of("PATH", System.getenv("PATH")), List.of());

    @BeforeEach
    void needsLinux() {
        assumeTrue(ProcessTable.isAvailable(), "no /proc");
    }

    @AfterEach
    void end() {
        runner.killAll();
    }

    @Test
    @Tag("B22")
    @DisplayName("a daemon that is just becoming another program is found")
    void becomesAnotherProgram() throws Exception {
        Path script = restless();
        for (int round = 0; round < ROUNDS; round++) {
            run("setsid sh " + script + " 3000 >/dev/null 2>&1 </dev/null & sleep 0.02");
            assertNothingRuns(script, round);
        }
    }

    @Test
    @Tag("B22")
    @DisplayName("a daemon whose parent ends while it is looked for is found")
    void leavesItsParent() throws Exception {
        Path script = cwd.resolve("hops");
        Files.writeString(
                script,
                """
                if [ $1 = 0 ]; then exec sleep 300; fi
                setsid sh "$0" $(($1 - 1)) &
                """);
        for (int round = 0; round < ROUNDS; round++) {
            int hops = round % 2 == 0 ? 3000 : round % 8;
            run("setsid sh " + script + " " + hops + " >/dev/null 2>&1 </dev/null &");
            assertNothingRuns(script, round);
        }
    }

    @ParameterizedTest
    @Tag("C18")
    @DisplayName("after kill -9 a daemon is found that forks or changes its program all the time")
    @ValueSource(strings = {"exec /bin/sh \"$0\" $(($1 - 1))", "setsid sh \"$0\" $(($1 - 1)) &"})
    void outlivesTheProgram(String again) throws Exception {
        Path script = cwd.resolve("again");
        Files.writeString(script, "[ $1 = 0 ] && exec sleep 300\n" + again + "\n");
        List<Process> supervisors = new ArrayList<>();
        for (int each = 0; each < SUPERVISORS; each++) {
            String marker = "restless-" + ProcessHandle.current().pid() + "-" + each + "-";
            var daemon = new ProcessBuilder("setsid", "sh", script.toString(), "5000");
            daemon.environment().put(ProcessRunner.MARKER, marker);
            daemon.directory(cwd.toFile()).start();
            Path folder = Files.createDirectory(cwd.resolve("run" + each));
            var supervisor = new ProcessBuilder(Supervisor.argv(marker, folder));
            supervisor.redirectInput(new File("/dev/null")).redirectError(Redirect.DISCARD);
            supervisors.add(supervisor.start());
            if (each % 2 == 1) { // two at a time: more would be a test of the machine
                assertTrue(supervisors.get(each - 1).waitFor(60, TimeUnit.SECONDS));
                assertTrue(supervisors.get(each).waitFor(60, TimeUnit.SECONDS));
            }
        }
        assertNothingRuns(script, 0);
    }

    /** Becomes itself again and again. */
    private Path restless() throws IOException {
        String again = "[ $1 = 0 ] || exec /bin/sh \"$0\" $(($1 - 1))\n";
        return Files.writeString(cwd.resolve("restless"), again);
    }

    private void run(String command) throws IOException {
        CommandOutcome outcome =
                runner.run(CommandRequest.shell(command, cwd, LONG), new Cancellation());
        assertEquals(CommandOutcome.Ending.EXITED, outcome.ending());
    }

    /** A loser is ended, so that it cannot be that of the next round. */
    private void assertNothingRuns(Path script, int round) throws Exception {
        Set<String> names = new LinkedHashSet<>();
        for (int look = 0; look < LOOKS; look++) { // what hides from one is seen by another
            List<ProcessHandle> left =
                    ProcessHandle.allProcesses()
                            .filter(it -> ProcessTable.worksIn(it.pid(), cwd.toAbsolutePath()))
                            .filter(it -> !Supervisor.isOne(it.pid()))
                            .toList();
            left.forEach(it -> names.add(ProcessTree.describe(it.pid())));
            left.forEach(ProcessHandle::destroyForcibly);
        }
        assertTrue(names.isEmpty(), script + " lives on after round " + round + ": " + names);
    }
}
