package dev.agentloop.tool.builtin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ToolFixture;
import dev.agentloop.tool.builtin.command.CommandInputTool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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
        start(
                "seq 100000; touch flooded; until test -e go; do sleep 0.01; done;"
                        + " seq 9000; sleep 300");
        while (!Files.exists(root.resolve("flooded"))) {
            Thread.sleep(20);
        }
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
    @DisplayName("a REPL is driven line by line, and ends with its input")
    void aReplIsDriven() throws InterruptedException {
        start("while read -r line; do echo \"got $line\"; done; echo over");
        String first = tools.call("command_input", "id", "b1", "text", "one\n").text();
        assertTrue(first.contains("got one"), first);
        String second =
                tools.callRaw(
                                "command_input",
                                "{\"id\":\"b1\",\"text\":\"two\",\"keys\":[\"ctrl-j\"]}")
                        .text();
        assertTrue(second.contains("got two") && !second.contains("got one"), second);
        String last = tools.call("command_input", "id", "b1", "end", true).text();
        assertTrue(last.contains("over") || await("over").contains("over"), last);
        ToolResult late = tools.call("command_input", "id", "b1", "text", "x\n");
        assertTrue(late.text().startsWith("Not sent to b1: it"), late::text);
    }

    @Test
    @DisplayName("a call waits for what a command prints, not longer than it says")
    void aCallWaitsForAWord() {
        start("sleep 0.4; echo listening on 8123; sleep 300");
        String text = tools.call("command_output", "id", "b1", "wait_for", "listening").text();
        assertTrue(text.contains("listening on 8123"), text);
        String none =
                tools.call("command_output", "id", "b1", "wait_for", "never", "timeout", 1).text();
        assertTrue(none.startsWith("b1 is running"), none);
        assertTrue(none.endsWith("since you last asked; waited 1 s]"), none);
        ToolResult wrong = tools.call("command_output", "id", "b1", "wait_for", "(");
        assertTrue(wrong.text().startsWith("wait_for is no regular expression"), wrong::text);
    }

    @Test
    @DisplayName("a call waits for a line of which the beginning was told before")
    void aLineThatComesInTwoParts() {
        String begun = start("printf 'Starting server... '; sleep 2; echo up; sleep 300");
        begun += tools.call("command_output", "id", "b1", "wait_for", "\\.\\.\\.").text();
        assertTrue(begun.contains("Starting server..."), begun);
        String rest =
                tools.call("command_output", "id", "b1", "wait_for", "server.*up", "timeout", 60)
                        .text();
        assertTrue(rest.contains("up") && !rest.contains("wait_for"), rest);
        String none =
                tools.call("command_output", "id", "b1", "wait_for", "server", "timeout", 1).text();
        assertTrue(none.endsWith("waited 1 s]"), none);
    }

    @Test
    @DisplayName("nobody waits for what the first result has told, unless something was said since")
    void whatTheFirstResultHasTold() {
        String first = start("echo 'ready'; read a; echo \"got $a\"; echo 'ready'; sleep 300");
        String told = tools.call("command_output", "id", "b1", "wait_for", "ready").text();
        String known = "[wait_for is in what you were told just now; nobody waited]";
        boolean atOnce = first.contains("ready"); // a slow machine prints it later
        assertTrue(atOnce ? told.endsWith(known) : told.contains("ready"), told);
        String reply = tools.call("command_input", "id", "b1", "text", "x\n").text();
        String next = tools.call("command_output", "id", "b1", "wait_for", "got x").text();
        assertTrue(
                reply.contains("got x") ? next.endsWith("nobody waited]") : next.contains("got x"),
                next);
    }

    @Test
    @DisplayName("a terminal has rows and columns, whoever looks for them")
    void theSizeOfATerminal() {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "no terminal here");
        String first =
                tools.call(
                                "run_command",
                                "command",
                                "stty size; sleep 300",
                                "background",
                                true,
                                "terminal",
                                true)
                        .text();
        String text = first + tools.call("command_output", "id", "b1", "wait_for", "\\d 1").text();
        assertTrue(text.contains("40 120"), text);
        assertFalse(text.contains("stty rows"), text);
    }

    @Test
    @DisplayName(
            "tests that end behind their last line have ended, and a timeout alone waits for it")
    void theEndBehindTheLastLine() {
        start("sleep 0.5; echo OK; sleep 0.1; exit 3");
        String text = tools.call("command_output", "id", "b1", "wait_for", "^OK").text();
        assertTrue(text.startsWith("b1 has ended: exit code: 3"), text);
        start("sleep 0.8; echo done");
        String end = tools.call("command_output", "id", "b2", "timeout", 20).text();
        assertTrue(end.startsWith("b2 has ended: exit code: 0") && end.contains("done"), end);
    }

    @Test
    @DisplayName("without a terminal enter ends a line, and keys that mean nothing are refused")
    void keysWithoutATerminal() {
        start("while read -r line; do echo \"got <$line>\"; done");
        String told =
                tools.callRaw(
                                "command_input",
                                "{\"id\":\"b1\",\"text\":\"Bob\",\"keys\":[\"enter\"]}")
                        .text();
        assertTrue(told.contains("got <Bob>"), told);
        ToolResult key = tools.callRaw("command_input", "{\"id\":\"b1\",\"keys\":[\"ctrl-c\"]}");
        assertTrue(key.text().startsWith("Not sent: b1 has no terminal"), key::text);
        assertTrue(key.text().contains("stop_command ends it"), key::text);
    }

    @Test
    @DisplayName(
            "the end of the input comes after what the command has not read yet, and nobody waits")
    void theEndWaitsForNobody() {
        start("sleep 2; wc -c");
        String text = "x".repeat(30_000);
        for (int i = 0; i < 4; i++) {
            tools.call("command_input", "id", "b1", "text", text);
        }
        String told = tools.call("command_input", "id", "b1", "end", true).text();
        told += tools.call("command_output", "id", "b1", "wait_for", "\\d").text();
        assertTrue(told.contains("120000"), told);
    }

    @Test
    @DisplayName("a reply is what comes after the words, not a prompt that stood there before")
    void theReplyIsNew() throws InterruptedException {
        start("sleep 0.6; echo 'ready>'; read a; sleep 0.2; echo got $a; sleep 300");
        Thread.sleep(900);
        String told = tools.call("command_input", "id", "b1", "text", "one\n").text();
        assertTrue(told.contains("ready>") && told.contains("got one"), told);
    }

    @Test
    @DisplayName("keys that bring back or change a line make it one that nobody knows")
    void keysThatChangeALine() {
        CommandInputTool tool = new CommandInputTool(tools.runner.background());
        assertEquals("ls", tool.subject(args("ls", List.of("enter"))));
        assertTrue(tool.subject(args(null, List.of("up", "enter"))).contains("eval"));
        assertEquals("true", tool.subject(args(null, List.of("ctrl-c"))));
        assertTrue(tool.subject(args("cat ", List.of("esc"))).contains("eval")); // M-. in a shell
        assertTrue(tool.subject(args(null, List.of("Escape"))).contains("eval"));
        for (String text :
                List.of(
                        "ls \u0015git push\n",
                        "\u0010\n",
                        "ls\u007f\n",
                        "\u001b[A\n",
                        "git !$\n",
                        "^echo ^^\n",
                        "!!\n")) {
            assertTrue(tool.subject(args(text, null)).contains("eval"), text);
        }
        for (String text : List.of("x != 1\n", "print(\"Hi!\")\n", "a\tb\n")) {
            assertEquals(text.strip(), tool.subject(args(text, null)));
        }
        assertEquals("ls\ngit push", tool.subject(args("ls\rgit push\n", null)));
        assertEquals("git push\ngit \\\npush", tool.subject(args("git \\\npush\n", null)));
        String twoBackslashes = "echo a\\\\\ngit push\n";
        assertTrue(tool.subject(args(twoBackslashes, null)).contains("\ngit push"));
    }

    private static CommandInputTool.Args args(@Nullable String text, List<String> keys) {
        return new CommandInputTool.Args("b1", text, keys, null);
    }

    @Test
    @DisplayName("an expression that would match for hours ends with an answer")
    void anExpressionThatTakesTooLong() {
        start("sleep 1; printf %0100d 0; sleep 300");
        ToolResult slow =
                tools.call("command_output", "id", "b1", "wait_for", "(.*)".repeat(7) + "x");
        assertTrue(slow.text().startsWith("wait_for takes too long"), slow::text);
        ToolResult deep = tools.call("command_output", "id", "b1", "wait_for", "(".repeat(1_001));
        assertTrue(deep.text().contains("at most 1000 characters"), deep::text);
    }

    @Test
    void aCommandThatDoesNotReadIsNotWaitedForForEver() {
        start("sleep 300");
        String text = "x".repeat(30_000);
        tools.call("command_input", "id", "b1", "text", text);
        tools.call("command_input", "id", "b1", "text", text);
        ToolResult full = tools.call("command_input", "id", "b1", "text", text);

        assertEquals(
                ToolResult.error("b1 does not read its input; what was sent waits for it."), full);
        ToolResult key = tools.callRaw("command_input", "{\"id\":\"b1\",\"keys\":[\"hyper\"]}");
        assertTrue(
                key.text()
                        .startsWith("Nothing was sent: there is no key \"hyper\". Keys: backspace"),
                key::text);
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
