package dev.agentloop.tool.builtin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ToolFixture;
import dev.agentloop.tool.builtin.command.RunCommandTool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BackgroundToolsTest {
    @TempDir Path root;
    private ToolFixture tools;

    @BeforeEach
    void prepare() {
        tools = ToolFixture.in(root);
    }

    @AfterEach
    void nothingIsLeft() {
        tools.runner.killAll();
        assertEquals(List.of(), workersHere());
    }

    @Test
    void aServerRunsBesideTheCallsUntilItIsStopped() throws Exception {
        String started =
                start("echo ready; until test -e go; do sleep 0.01; done; echo went; sleep 300");
        assertTrue(
                started.matches(
                        "b1 is running \\(pid \\d+, \\d+\\.\\d s\\); output since last asked:"
                                + "\nstdout:\nready\nstderr: \\(empty\\)"),
                started);
        ToolResult beside = tools.call("run_command", "command", "touch go; sleep 300 & echo hi");
        assertTrue(beside.text().contains("stdout:\nhi\n"), beside.text());
        await("went");
        assertTrue(output().text().contains("\nstdout: (empty)\n"), "it was told before");

        ToolResult stopped = tools.call("stop_command", "id", "b1");
        assertEquals(ToolResult.Kind.OK, stopped.kind());
        assertTrue(
                stopped.text()
                        .startsWith("b1 was stopped with everything it started (exit code: 143, "),
                stopped.text());
        assertEquals(List.of(), workersHere());
        assertTrue(output().text().startsWith("b1 was stopped with everything"));
    }

    @Test
    void aCommandThatFailsAtOnceIsToldSo() {
        ToolResult result = background("no_such_server");
        assertEquals(ToolResult.Kind.ERROR, result.kind());
        assertEquals(OptionalInt.of(127), result.exitCode());
        assertTrue(
                result.text()
                        .startsWith(
                                "b1 has ended: exit code: 127, command not found: no_such_server"),
                result.text());
    }

    @Test
    @Tag("B22")
    @Tag("B24")
    @DisplayName("the whole tree of a background command ends, whatever it ignores")
    void theWholeTreeEnds() {
        start("trap '' TERM; setsid nohup sleep 300 & (sleep 300 &); sleep 300; sleep 300");
        String text = tools.call("stop_command", "id", "b1").text();
        assertTrue(text.contains("(exit code: 137, "), text);
        assertEquals(List.of(), workersHere());
    }

    @Test
    @Tag("B23")
    @DisplayName("a timeout holds in the background, too, and without one there is none")
    void aTimeoutHolds() throws Exception {
        tools.call("run_command", "command", "echo a; sleep 300", "background", true, "timeout", 1);
        await("timed out after 1 s; killed with everything it started");
    }

    @Test
    @Tag("B27")
    @DisplayName("a flood in the background is drained, cut and kept, each time anew")
    void aFloodIsDrained() throws Exception {
        start("seq 100000; until test -e go; do sleep 0.01; done; seq 9000; sleep 300");
        Thread.sleep(300); // the flood may take longer than the first look
        output();
        tools.write("go", "");
        String text = await("8999\n9000");
        assertTrue(text.contains("all of stdout, until the run ends: "), text);
        assertFalse(text.contains("99999"), text);
    }

    @Test
    void tooManyAreRefused() {
        IntStream.range(0, 8).forEach(_ -> start("sleep 300"));
        String text = background("sleep 300").text();
        assertTrue(
                text.startsWith(
                        "Not started: 8 background commands are running, which is the limit: b1"
                                + " (sleep 300), b2 (sleep 300), "),
                text);
        tools.call("stop_command", "id", "b3");
        assertTrue(start("sleep 300").startsWith("b9 is running"));
    }

    @Test
    void anIdOfAnEarlierRunIsExplained() {
        start("sleep 300");
        for (String tool : List.of("command_output", "stop_command")) {
            assertEquals(
                    ToolResult.error(
                            "There is no background command \"b7\" in this run. Running: b1 (sleep"
                                    + " 300). Commands of an earlier run ended with it: start it"
                                    + " again if it is needed."),
                    tools.call(tool, "id", "b7"));
        }
    }

    @Test
    @Tag("P20")
    @DisplayName("without a person nothing is started in the background")
    void withoutAPersonNothingIsStarted() {
        var alone =
                ToolFixture.with(
                        root,
                        List.of(new RunCommandTool(tools.runner, Duration.ofSeconds(9), false)));
        ToolResult result = alone.call("run_command", "command", "touch x", "background", true);
        assertEquals(ToolResult.Kind.ERROR, result.kind());
        assertTrue(
                result.text().startsWith("Not started: background commands need a person"),
                result.text());
        assertFalse(Files.exists(root.resolve("x")));

        assertEquals(
                "Invalid arguments for run_command: \"background\" must be a boolean, not a string."
                        + " Expected: command (string), cwd? (string), timeout? (integer), network?"
                        + " (boolean). Nothing was done; call it again.",
                alone.call("run_command", "command", "x", "background", "later").text());
        String typo = alone.call("run_command", "command", "x", "backgroun", true).text();
        assertTrue(typo.contains("unknown parameter \"backgroun\". Expected"), typo);
    }

    @Test
    @Tag("C19")
    @DisplayName("a command lives on when the thread that asked for it has ended")
    void aCommandDoesNotDieWithAThread() throws Exception {
        Thread caller =
                new Thread(() -> start("setpriv --pdeathsig KILL sh -c 'echo a; sleep 300'"));
        caller.start();
        caller.join();
        Thread.sleep(100); // the kernel would have killed it long ago
        assertTrue(output().text().startsWith("b1 is running"), "killed with its thread");
    }

    @Test
    void atTheEndOfTheRunAllEnd() throws InterruptedException {
        start("trap 'echo bye; exit 0' TERM; while :; do sleep 0.01; done");
        start("sleep 300");
        background("true");
        while (tools.runner.background().running().size() > 2) {
            Thread.sleep(20); // "true" needs its time on a busy machine
        }
        assertEquals(
                List.of(
                        "b1 (trap 'echo bye; exit 0' TERM; while :; do sleep 0.01; done)",
                        "b2 (sleep 300)"),
                tools.runner.background().stopAll());
        assertEquals(List.of(), tools.runner.background().running());
        assertTrue(output().text().contains("bye"), "it had no time to clean up");
    }

    private String start(String command) {
        ToolResult result = background(command);
        assertEquals(ToolResult.Kind.OK, result.kind(), result.text());
        return result.text();
    }

    private ToolResult background(String command) {
        return tools.call("run_command", "command", command, "background", true);
    }

    private ToolResult output() {
        return tools.call("command_output", "id", "b1");
    }

    private String await(String part) throws InterruptedException {
        String text = output().text();
        while (!text.contains(part)) {
            TimeUnit.MILLISECONDS.sleep(10); // the class has a time limit
            text = output().text();
        }
        return text;
    }

    /** Command lines of the processes that work in our folder. */
    private List<String> workersHere() {
        return ProcessHandle.allProcesses()
                .filter(process -> root.toString().equals(folderOf(process)))
                .map(process -> process.info().commandLine().orElse("?"))
                .toList();
    }

    private static String folderOf(ProcessHandle process) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/cwd")).toString();
        } catch (java.io.IOException e) {
            return ""; // it has just ended
        }
    }
}
