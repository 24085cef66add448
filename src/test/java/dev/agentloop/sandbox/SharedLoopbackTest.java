package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.sandbox.watch.Boundaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one command of a run serves, the next one can fetch; nobody else can. */
class SharedLoopbackTest {
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");
    private static final String SERVER =
            "exec python3 -u -m http.server --bind 127.0.0.1 8137 --directory .";
    private static final String FETCH =
            "python3 -c \"import urllib.request as u;"
                    + " print(u.urlopen('http://127.0.0.1:8137/a.txt', timeout=5).read().decode())\"";

    @TempDir Path folder;
    private ProcessRunner runner;

    @BeforeEach
    void prepare() throws IOException {
        assumeTrue(Files.isExecutable(BWRAP), "no bubblewrap on this machine");
        Path workspace = Files.createDirectory(folder.toRealPath().resolve("w"));
        Files.writeString(workspace.resolve("a.txt"), "served");
        runner = runner(workspace);
    }

    @AfterEach
    void end() {
        if (runner != null) {
            runner.killAll();
        }
    }

    private ProcessRunner runner(Path workspace) {
        Boundaries boundaries =
                new Boundaries(
                        workspace,
                        folder.resolve("home"),
                        List.of(),
                        List.of(),
                        System.getenv(),
                        false);
        Sandbox sandbox = new BwrapSandbox(BWRAP, boundaries);
        return new ProcessRunner(System.getenv(), List.of(), () -> sandbox);
    }

    @Test
    @DisplayName("a server in the background answers the next command, and not another run's")
    void aServerAnswersTheNextCommand() throws IOException {
        Path workspace = folder.toRealPath().resolve("w");
        serve(workspace);

        CommandOutcome fetched = run(runner, FETCH, workspace);
        assertEquals("served\n", fetched.stdout().text(), fetched::toString);
        ProcessRunner other = runner(workspace);
        try {
            CommandOutcome refused = run(other, FETCH, workspace);
            assertTrue(refused.stderr().text().contains("refused"), refused::toString);
        } finally {
            other.killAll();
        }
        CommandOutcome outside =
                run(new ProcessRunner(System.getenv(), List.of()), FETCH, workspace);
        assertTrue(outside.stderr().text().contains("refused"), outside::toString);
    }

    @Test
    @DisplayName("with its run the network ends, and no process stays")
    void nothingStays() throws IOException {
        Path workspace = folder.toRealPath().resolve("w");
        Set<ProcessHandle> others = processes();
        serve(workspace);
        assertTrue(processes().size() >= others.size() + 2, "a server and what keeps its network");

        runner.killAll();
        Set<ProcessHandle> left = processes();
        left.removeAll(others);
        assertEquals(Set.of(), left);
    }

    private static Set<ProcessHandle> processes() {
        return ProcessHandle.current().descendants().collect(Collectors.toSet());
    }

    private void serve(Path workspace) throws IOException {
        CommandRequest server =
                CommandRequest.shell(SERVER, workspace, Duration.ofMinutes(1)).listening();
        Optional<BackgroundCommands.Report> started =
                runner.background().start(server, Optional.empty());
        String id = started.orElseThrow().id();
        BackgroundCommands.Report report =
                runner.background()
                        .await(
                                id,
                                text -> text.contains("Serving"),
                                Duration.ofSeconds(20),
                                new Cancellation())
                        .orElseThrow();
        assertTrue(report.end().isEmpty(), report::toString);
    }

    private static CommandOutcome run(ProcessRunner runner, String command, Path workspace)
            throws IOException {
        return runner.run(
                CommandRequest.shell(command, workspace, Duration.ofSeconds(30)),
                new Cancellation());
    }
}
