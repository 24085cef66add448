package dev.agentloop.tool.builtin.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cause;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ToolFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class RunCommandToolTest {
    @TempDir Path root;
    private ToolFixture tools;

    @BeforeEach
    void prepare() {
        tools = ToolFixture.in(root);
    }

    @AfterEach
    void end() {
        tools.runner.killAll();
    }

    @Test
    void theResultHoldsCodeAndBothStreams() {
        ToolResult result = run("echo out; echo err >&2");
        assertEquals(ToolResult.Kind.OK, result.kind());
        assertEquals(OptionalInt.of(0), result.exitCode());
        assertTrue(
                result.text()
                        .matches("exit code: 0 \\(\\d+\\.\\d s\\)\nstdout:\nout\nstderr:\nerr"),
                result.text());
        assertTrue(run("true").text().endsWith("\nstdout: (empty)\nstderr: (empty)"));
    }

    @Test
    @Tag("B07")
    @Tag("scenario-36")
    @DisplayName("a failing command says so in its first line, with its whole output")
    void aFailingCommandIsAnErrorWithItsOutput() {
        ToolResult result = run("echo found a bug; echo details >&2; exit 1");
        assertEquals(ToolResult.Kind.ERROR, result.kind());
        assertEquals(OptionalInt.of(1), result.exitCode());
        assertTrue(result.text().startsWith("exit code: 1 ("), result.text());
        assertTrue(result.text().contains("stdout:\nfound a bug\nstderr:\ndetails"), result.text());
    }

    @Tag("B29")
    @DisplayName("exit codes are told exactly and in words")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exit 2| exit code: 2 (",
                "no_such_thing --x| exit code: 127, command not found: no_such_thing (",
                "./file| exit code: 126, found but not executable (",
                "sh -c 'kill -SEGV $$'| exit code: 139, killed by signal 11 (SIGSEGV, segmentation",
                "kill -KILL $$| exit code: 137, killed by signal 9 (SIGKILL",
                "exit 130| exit code: 130, killed by signal 2 (SIGINT)",
                "exit 200| exit code: 200 (",
            })
    void exitCodesAreToldInWords(String command, String start) {
        tools.write("file", "x");
        String text = run(command).text();
        assertTrue(text.startsWith(start.strip()), text);
    }

    @Tag("B29")
    @DisplayName("a search without a match is not called a failure")
    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "grep 'a|b' file!true",
                "/bin/grep zzz file!true",
                "cat file | grep zzz!true",
                "true && diff file other!true",
                "test -f nothing!true",
                "git grep zzz!false",
                "grep zzz file; false!false",
                "grep zzz gone!false",
                "false!false",
            })
    void aSearchWithoutAMatchIsNoFailure(String command, boolean answer) {
        tools.write("file", "x\n");
        tools.write("other", "y\n");
        ToolResult result = run(command);
        assertEquals(!answer, result.isError(), result.text());
        assertEquals(answer, result.text().startsWith("exit code: 1, which says no match"));
    }

    @Test
    @Tag("scenario-37")
    @DisplayName("at the timeout the tree is killed and the output so far is told")
    void atTheTimeoutTheOutputSoFarIsTold() {
        ToolResult result =
                tools.call("run_command", "command", "echo early; sh -c 'sleep 300'", "timeout", 1);
        assertEquals(ToolResult.Kind.ERROR, result.kind());
        assertTrue(
                result.text()
                        .startsWith(
                                "timed out after 1 s; killed with everything it started"
                                        + " (exit code: 143)\nstdout:\nearly\n"),
                result.text());
    }

    @Test
    @Tag("B21")
    @Tag("scenario-38")
    @DisplayName("a background server does not hold the call, and is named")
    void aBackgroundServerDoesNotHoldTheCall() {
        ToolResult result = run("sleep 300 & echo started");
        assertEquals(ToolResult.Kind.OK, result.kind());
        assertTrue(
                result.text()
                        .contains(
                                "[background process still ran when the command ended; killed pid"
                                        + " "),
                result.text());
    }

    @Test
    void aStopOfTheRunIsToldAsAnInterruption() {
        tools.cancellation.cancel(new Cause.Interrupt("TERM"));
        ToolResult result = run("echo x");
        assertEquals(ToolResult.Kind.CANCELLED, result.kind());
        assertTrue(result.text().startsWith("interrupted after "), result.text());
    }

    @Test
    @Tag("B30")
    @DisplayName("the folder is checked and named")
    void theFolderIsCheckedAndNamed() throws IOException {
        tools.write("sub/file", "");
        ToolResult result = tools.call("run_command", "command", "pwd", "cwd", "sub");
        assertTrue(
                result.text().contains("\ncwd: sub\nstdout:\n" + tools.path("sub")), result.text());
        assertEquals(
                ToolResult.error("sub/file is not a directory."),
                tools.call("run_command", "command", "pwd", "cwd", "sub/file"));
        assertTrue(tools.call("run_command", "command", "pwd", "cwd", "..").isError());
        assertEquals(
                ToolResult.error("No such file: sab. Did you mean sub?"),
                tools.call("run_command", "command", "pwd", "cwd", "sab"));
        Path gone = Files.createDirectory(root.resolve("gone"));
        ToolFixture lost = ToolFixture.in(gone);
        Files.delete(gone);
        assertTrue(lost.call("run_command", "command", "pwd").isError());
    }

    @Test
    @Tag("B31")
    @DisplayName("folder and variables do not last")
    void folderAndVariablesDoNotLast() {
        run("cd / && export Y=1");
        assertTrue(run("echo $Y; pwd").text().contains("stdout:\n\n" + tools.workspace.root()));
    }

    @Test
    void unreasonableArgumentsAreRefused() {
        assertTrue(
                tools.call("run_command", "command", "x", "timeout", 601)
                        .text()
                        .contains("timeout must be 1 to 600 seconds"));
        assertTrue(tools.call("run_command", "command", "x", "timeout", 0).isError());
        assertTrue(run(" ").text().contains("command is empty"));
        assertTrue(run("a\0b").text().contains("NUL"));
    }

    @Test
    @Tag("B27")
    @DisplayName("what is left out is counted and marked as truncated")
    void whatIsLeftOutIsCounted() {
        ToolResult result = run("seq -f '%099.0f' 1000");
        assertTrue(result.truncated());
        assertTrue(result.text().contains("stdout (100000 bytes):\n"), result.text());
        var mark =
                Pattern.compile("\\[\\.{3} (\\d+) lines omitted \\.{3}] of 1000 \\((\\d+) of 99999")
                        .matcher(result.text());
        assertTrue(mark.find(), result.text());
        long shown = result.text().lines().filter(line -> line.matches("0+\\d+")).count();
        assertEquals(1_000 - shown, Long.parseLong(mark.group(1)));
        assertEquals((1_000 - shown) * 100, Long.parseLong(mark.group(2)));
        assertFalse(run("echo x").truncated());
    }

    @Test
    @Tag("B27")
    @DisplayName("all of a long output is in a file that can be read, searched and not changed")
    void allOfALongOutputIsInAFile() {
        String text = run("seq 20000; seq 20000 20010 >&2").text();
        var named = Pattern.compile("all of stdout, until the run ends: (\\S+) \\(").matcher(text);
        assertTrue(named.find(), text);
        String file = named.group(1);
        assertFalse(text.contains("all of stderr"), text);
        assertEquals(
                "[lines 12345-12346 of 20000; continue with offset 12347]\n12345\n12346\n",
                tools.call("read_file", "file_path", file, "offset", 12345, "limit", 2).text());
        String found = tools.call("grep", "pattern", "^1234$", "path", file).text();
        assertTrue(found.contains("1234: 1234"), found);
        assertTrue(
                tools.call("write_file", "file_path", file, "content", "x")
                        .text()
                        .contains("is outside the workspace"));
        tools.runner.killAll();
        assertFalse(Files.exists(Path.of(file).getParent()));
    }

    @Test
    @Tag("B12")
    @DisplayName("names and output outside of ASCII survive")
    void namesOutsideOfAsciiSurvive() {
        tools.write("é.txt", "ñ€\n");
        assertTrue(run("cat é.txt; ls").text().contains("ñ€\né.txt"));
    }

    private ToolResult run(String command) {
        return tools.call("run_command", "command", command);
    }
}
