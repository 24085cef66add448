package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that wait for words: a model serves, asks, steps through and ends them. */
@Timeout(180)
class DrivenProgramsScenarioTest {
    private static final String FETCH =
            "python3 -c \"import urllib.request as u;"
                    + " print(u.urlopen('http://127.0.0.1:8391/a.txt').read().decode())\"";
    private static final String BUGGY =
            """
            def half(n):
                return n // 2.5

            total = sum(half(n) for n in [1, 2, 3])
            print("total", total)
            assert total == 6
            """;

    private static Reply start(String command) {
        return calls("run_command", "command", command, "background", true);
    }

    private static Reply type(String text) {
        return calls("command_input", "id", "b1", "text", text + "\n");
    }

    private static Reply await(String pattern) {
        return calls("command_output", "id", "b1", "wait_for", pattern, "timeout", 20);
    }

    private static Set<ProcessHandle> children() {
        return ProcessHandle.current().descendants().collect(Collectors.toSet());
    }

    /** What the model is told at each step of a run that works, and leaves no process. */
    private static List<String> results(String sandbox, Reply... replies) throws Exception {
        assumeTrue(
                sandbox.equals("off") || Files.isExecutable(Path.of("/usr/bin/bwrap")),
                "no sandbox here");
        Set<ProcessHandle> before = children();
        try (var model = ScriptedServer.chat(replies);
                var world = World.with(model).file("a.txt", "served").file("half.py", BUGGY)) {
            Ended ended = world.runInside("--json", "--yolo", "--sandbox=" + sandbox, "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("[]", ended.result().path("left_running").toString());
            Set<ProcessHandle> left = children();
            left.removeAll(before);
            left.removeIf(process -> !process.isAlive());
            assertEquals(Set.of(), left);
            return model.lastRequest().toolResults();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock", "off"})
    @DisplayName("a web server is started, awaited, asked by another command, and stopped")
    void aWebServer(String sandbox) throws Exception {
        List<String> told =
                results(
                        sandbox,
                        start("python3 -u -m http.server 8391"),
                        await("Serving"),
                        calls("run_command", "command", FETCH),
                        calls("stop_command", "id", "b1"),
                        calls("run_command", "command", FETCH),
                        says("Done."));
        assertTrue(told.get(2).contains("served"), told::toString);
        assertTrue(told.get(3).contains("b1 "), told::toString);
        assertTrue(told.get(4).contains("refused"), told::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock", "off"})
    @DisplayName("a database is asked in its own program, which keeps its state between calls")
    void aDatabaseClient(String sandbox) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/sqlite3")), "no sqlite3 here");
        List<String> told =
                results(
                        sandbox,
                        start("sqlite3 shop.db"),
                        type("create temp table t(n); insert into t values (20), (22);"),
                        type("select 'sum', sum(n) from t;"),
                        calls("command_input", "id", "b1", "end", true),
                        await("nothing more"),
                        says("Done."));
        assertTrue(told.toString().contains("sum|42"), told::toString);
        assertTrue(told.get(4).contains("exit code: 0"), told::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock", "off"})
    @DisplayName("Python answers line by line and keeps its state between calls")
    void aPythonSession(String sandbox) throws Exception {
        List<String> told =
                results(
                        sandbox,
                        start("python3 -i -q"),
                        type("n = 6 * 7"),
                        type("print('n is', n)"),
                        type("exit()"),
                        await("nothing more"),
                        says("Done."));
        assertTrue(told.toString().contains("n is 42"), told::toString);
        assertTrue(told.get(4).contains("exit code: 0"), told::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock", "off"})
    @DisplayName("a failing script is stepped through in its debugger to the line that is wrong")
    void aDebugger(String sandbox) throws Exception {
        List<String> told =
                results(
                        sandbox,
                        start("python3 -m pdb half.py"),
                        await("Pdb"),
                        type("break half"),
                        type("continue"),
                        type("p n, n // 2.5"),
                        type("clear 1"),
                        type("continue"),
                        type("quit"),
                        says("Done."));
        String all = told.toString(); // a slow machine answers one call later
        assertTrue(all.contains("Breakpoint 1 at"), all);
        assertTrue(all.contains("(1, 0.0)"), all);
        assertTrue(all.contains("AssertionError"), all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "off"})
    @DisplayName("a program at a terminal asks, is interrupted by a key, and knows that it is one")
    void atATerminal(String sandbox) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "no script here");
        String asks =
                "trap 'echo stopped; exit 3' INT; test -t 0 && test -t 1"
                        + " && printf 'Install? ' && read answer && echo \"got $answer\"; sleep 300";
        List<String> told =
                results(
                        sandbox,
                        calls("run_command", "command", asks, "background", true, "terminal", true),
                        await("Install"),
                        type("yes"),
                        await("got yes"),
                        calls("command_input", "id", "b1", "keys", List.of("ctrl-c")),
                        await("nothing more"), // so it waits for the end
                        says("Done."));
        String all = told.toString(); // a slow machine answers one call later
        assertTrue(all.contains("Install?") && all.contains("got yes"), all);
        assertTrue(all.contains("stopped") && all.contains("exit code: 3"), all);
    }

    @Test
    @DisplayName("under Landlock, where the user's terminals are in reach, there is none to be had")
    void noTerminalUnderLandlock() throws Exception {
        List<String> told =
                results(
                        "landlock",
                        calls("run_command", "command", "sh", "background", true, "terminal", true),
                        calls("run_command", "command", "sh", "terminal", true),
                        says("Done."));
        assertTrue(told.get(0).startsWith("This sandbox (landlock) has no terminals"));
        assertTrue(told.get(1).contains("terminal needs background: true"), told::toString);
    }

    @Test
    @DisplayName("a line that is typed in pieces is judged as one")
    void piecesOfALine() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                start("cat"),
                                calls("command_input", "id", "b1", "text", "cu"),
                                type("rl example.org"),
                                says("Done."));
                var world = World.with(model)) {
            Ended ended =
                    world.runInside(
                            "--json", "--yolo", "--sandbox=off", "--deny=run_command(curl*)", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            List<String> told = model.lastRequest().toolResults();
            assertTrue(told.get(1).contains("running"), told::toString);
            assertTrue(told.get(2).contains("run_command(curl*)"), told::toString);
            assertEquals("command_input", ended.result().at("/denials/0/tool").asText());
        }
    }

    @Test
    @DisplayName("in a sandbox nothing outlives the run, and the result says so")
    void nothingIsKeptInASandbox() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/bwrap")), "no bubblewrap here");
        try (var model = ScriptedServer.chat(start("sleep 300"), says("It runs."));
                var world = World.with(model)) {
            Ended ended =
                    world.runInside(
                            "--json", "--yolo", "--sandbox=bwrap", "--keep-background", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("[]", ended.result().path("left_running").toString());
            String told = ended.result().path("warnings").toString();
            assertTrue(told.contains("only without a sandbox a command outlives it"), told);
            assertFalse(told.contains("still running"), told);
        }
    }
}
