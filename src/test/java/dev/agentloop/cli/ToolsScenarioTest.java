package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.call;
import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools, who may use them, and the user's hooks after edits. */
class ToolsScenarioTest {
    private static final String[] FREE = {"--json", "--yolo", "--sandbox=off"};

    private static String[] free(String... more) {
        return IntStream.range(0, FREE.length + more.length)
                .mapToObj(i -> i < FREE.length ? FREE[i] : more[i - FREE.length])
                .toArray(String[]::new);
    }

    private static Reply commands(int count, String command) {
        return calls(
                IntStream.range(0, count)
                        .mapToObj(
                                i -> call("run_command", "command", command.replace("NR", "" + i)))
                        .toArray(Reply.Call[]::new));
    }

    @Test
    @Tag("row-21")
    @Tag("row-23")
    @DisplayName("four calls run side by side, never more, and their results stand in order")
    void sideBySide() {
        // each waits until four have begun, which never happens when they run one after another
        var four =
                commands(
                        4,
                        "touch sNR; n=0; while [ $n -lt 100 ] && [ $(ls s? | wc -l) -lt 4 ]; do"
                                + " n=$((n+1)); sleep 0.1; done; echo call NR saw $(ls s? | wc -l)");
        var six = commands(6, "mkdir rNR; echo at once: $(ls -d r? | wc -l); sleep 0.2; rmdir rNR");
        try (var model = ScriptedServer.chat(four, six, says("ok"));
                var world = World.with(model)) {
            Ended ended = world.runInside(free("go"));
            assertEquals(0, ended.exitCode(), ended::toString);
            List<String> results = model.lastRequest().toolResults();
            for (int i = 0; i < 4; i++) {
                assertTrue(results.get(i).contains("call " + i + " saw 4"), results::toString);
            }
            assertFalse(results.toString().matches("(?s).*at once: [56].*"), results::toString);
        }
    }

    @Test
    @Tag("row-22")
    @DisplayName("one sensitive call makes the batch run in order; --no-parallel-tools as well")
    void inOrder() {
        var batch =
                calls(
                        call("run_command", "command", "sleep 0.3; cat log; echo a >> log"),
                        call("run_command", "command", "cat log; echo b >> log"));
        try (var model = ScriptedServer.chat(batch, says("ok"));
                var world = World.with(model).file("log", "")) {
            world.runInside(free("--no-parallel-tools", "go"));
            assertEquals("a\nb\n", world.read("log"));
        }
        try (var model = ScriptedServer.chat(batch, says("ok"));
                var world = World.with(model).file("log", "")) {
            world.runInside("--confirm=confirm-all", "--allow=run_command", "go");
            assertEquals("a\nb\n", world.read("log"));
        }
    }

    @Test
    @Tag("row-25")
    @Tag("row-36")
    @DisplayName("one of three calls fails, the others do not; the model sees code and output")
    void oneFails() {
        var batch =
                calls(
                        call("read_file", "file_path", "a.txt"),
                        call("run_command", "command", "echo out; echo err >&2; exit 3"),
                        call("list_files"));
        try (var model = ScriptedServer.chat(batch, says("ok"));
                var world = World.with(model).file("a.txt", "content of a")) {
            Ended ended = world.runInside(free("go"));
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(1, ended.result().path("commands_failed").asInt());
            List<String> results = model.lastRequest().toolResults();
            assertTrue(results.get(0).contains("content of a"));
            assertTrue(results.get(2).contains("a.txt"));
            for (String part : List.of("out", "err", "3")) {
                assertTrue(results.get(1).contains(part), results.get(1));
            }
        }
    }

    @Test
    @Tag("row-44")
    @DisplayName("without a terminal a question is a denial with remedies; the run goes on")
    void denials() {
        var write = calls("write_file", "file_path", "AGENTS.md", "content", "y");
        try (var model = ScriptedServer.chat(write, says("I could not."), write, says("No."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "write");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(world.exists("AGENTS.md"));
            String told = model.request(1).lastToolResult();
            assertTrue(told.contains("--allow 'write_file(AGENTS.md)'"), told);
            JsonNode denial = ended.result().path("denials").path(0);
            assertEquals("write_file", denial.path("tool").asText());
            assertEquals("P5", denial.path("rule").asText());
            assertEquals(1, ended.result().path("tools_used").path(0).path("denied").asInt());

            Ended strict = world.runInside("--json", "--strict-denials", "write");
            assertEquals(2, strict.exitCode(), strict::toString);
            assertEquals("llm_done", strict.result("stop_reason"));
            assertEquals("partial", strict.result("status"));
        }
    }

    @Test
    @Tag("row-39")
    @Tag("row-40")
    @Tag("row-42")
    @DisplayName("--allow allows what it names, --deny wins even over yolo")
    void rules() {
        var commands =
                calls(
                        call("run_command", "command", "echo fine"),
                        call("run_command", "command", "echo fine; touch hidden"),
                        call("run_command", "command", "echo $(touch hidden)"),
                        call("run_command", "command", "echo fine > hidden"),
                        call("write_file", "file_path", "src/a", "content", "1"),
                        call("write_file", "file_path", "other/a", "content", "1"));
        try (var model = ScriptedServer.chat(commands, says("ok"));
                var world = World.with(model)) {
            Ended ended =
                    world.runInside("--json", "--sandbox=off", "--allow=run_command(echo *)", "go");
            assertEquals(3, ended.result().path("denials").size(), ended::toString);
            assertTrue(world.exists("src/a"));
            assertFalse(world.exists("hidden"));
        }
        try (var model = ScriptedServer.chat(commands, says("ok"));
                var world = World.with(model)) {
            Ended ended =
                    world.runInside(
                            free(
                                    "--deny=run_command(touch *)",
                                    "--deny=write_file(other/*)",
                                    "go"));
            assertFalse(world.exists("other/a"));
            assertEquals(
                    "write_file(other/*)",
                    ended.result().path("denials").path(2).path("rule").asText(),
                    ended::toString);
        }
    }

    @Test
    @Tag("row-79")
    @DisplayName("the plan agent is not offered writing tools and cannot run them")
    void plan() {
        var write = calls("write_file", "file_path", "x", "content", "y");
        try (var model = ScriptedServer.chat(write, says("1. write x"));
                var world = World.with(model)) {
            Ended ended = world.runInside(free("--agent", "plan", "plan it"));
            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(world.exists("x"));
            List<String> offered = model.request(0).tools();
            assertTrue(offered.contains("read_file"), offered::toString);
            for (String tool : List.of("write_file", "edit_file", "run_command")) {
                assertFalse(offered.contains(tool), offered::toString);
            }
            assertEquals("plan", ended.result("agent"));
        }
    }

    @Test
    @Tag("S1-21")
    @DisplayName("--mode mixed plans with reading tools, then builds with the plan in sight")
    void mixed() {
        var write = calls("write_file", "file_path", "x", "content", "y");
        try (var model =
                        ScriptedServer.chat(
                                calls("list_files"),
                                says("The plan: write x."),
                                write,
                                says("Built."));
                var world = World.with(model)) {
            Ended ended =
                    world.runInside(
                            "--output-format=stream-json",
                            "--mode=mixed",
                            "--allow=write_file",
                            "make x");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("Built.", ended.result("result"));
            assertEquals("y", world.read("x").strip());
            assertFalse(model.request(1).tools().contains("write_file"));
            assertTrue(model.request(2).tools().contains("write_file"));
            assertTrue(model.request(2).raw().contains("The plan: write x."));
            assertTrue(model.request(2).raw().contains("make x"));
            assertEquals(1, ended.events("agent.switched").size());
        }
    }

    @Test
    @Tag("row-83")
    @DisplayName("a dry run reads, lists what it would do, and changes nothing")
    void dryRun() {
        var batch =
                calls(
                        call("read_file", "file_path", "a.txt"),
                        call("write_file", "file_path", "x", "content", "y"),
                        call("run_command", "command", "touch z"));
        try (var model = ScriptedServer.chat(batch, says("Planned."));
                var world = World.with(model).file("a.txt", "seen")) {
            Ended ended = world.runInside("--json", "--dry-run", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(model.lastRequest().toolResults().getFirst().contains("seen"));
            assertFalse(world.exists("x") || world.exists("z"));
            assertEquals(2, ended.result().path("planned").size(), ended::toString);
            assertEquals(0, ended.result().path("files_changed").size());
            assertTrue(ended.err().contains("touch z"), ended::toString);
        }
    }

    private static String hook(String command) {
        return "hooks:\n  post_edit:\n    - {name: lint, command: '" + command + "', timeout: 2}\n";
    }

    @Test
    @Tag("row-33")
    @DisplayName("what a failing hook prints reaches the model and the log; the edit stays")
    void failingHook() {
        var write = calls("write_file", "file_path", "a.py", "content", "x=1\n");
        try (var model = ScriptedServer.chat(write, says("ok"));
                var world = World.with(model).config(hook("echo line too long: {file}; exit 1"))) {
            Ended ended = world.runInside(free("go"));
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("x=1\n", world.read("a.py"));
            assertTrue(
                    model.lastRequest().lastToolResult().contains("line too long: a.py"),
                    model.lastRequest().lastToolResult());
            JsonNode ran = ended.result().path("hooks").path(0);
            assertEquals("lint", ran.path("name").asText());
            assertEquals(1, ran.path("exit_code").asInt());
            assertTrue(ended.err().contains("Hook lint: ⚠️"), ended::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a;touch PWN;.py",
                "a$(touch PWN).py",
                "`touch PWN`.py",
                "with blank.py",
                "a'b\"c.py",
                "-rf.py",
                "año/中文.py",
                "new\nline.py",
                "a&b|c>d.py"
            })
    @Tag("row-34")
    @Tag("B43")
    @DisplayName("{file} is one argument of the hook, whatever is in the name")
    void oddNames(String name) {
        var write = calls("write_file", "file_path", name, "content", "x\n");
        try (var model = ScriptedServer.chat(write, says("ok"));
                var world =
                        World.with(model)
                                .config(hook("sh count.sh {file} \"$AGENT_EDITED_FILE\""))
                                .file(
                                        "count.sh",
                                        "echo \"args $# <$1> <$2>\" > seen\ncat \"./$1\"")) {
            Ended ended = world.runInside(free("go"));
            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(world.exists("PWN"), ended::toString);
            assertTrue(world.exists("seen"), ended::toString);
            assertTrue(world.read("seen").startsWith("args 2 <"), world.read("seen"));
            assertEquals(0, ended.result().path("hooks").path(0).path("exit_code").asInt());
        }
    }

    @Test
    @Tag("B45")
    @DisplayName("a hook that edits files runs once for each edit of the model")
    void hookThatEdits() {
        var write = calls("write_file", "file_path", "a.py", "content", "x\n");
        try (var model = ScriptedServer.chat(write, says("ok"));
                var world =
                        World.with(model)
                                .config(hook("sh edit.sh"))
                                .file("edit.sh", "echo y >> a.py; echo z > b.py; echo 1 >> runs")) {
            Ended ended = world.runInside(free("go"));
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("x\ny\n", world.read("a.py"));
            assertEquals("1\n", world.read("runs"));
        }
    }

    @Test
    @Tag("B39")
    @DisplayName("a hook that hangs is killed with its tree at its timeout; the edit stays")
    void hangingHook() {
        var write = calls("write_file", "file_path", "a.py", "content", "x\n");
        try (var model = ScriptedServer.chat(write, says("ok"));
                var world = World.with(model).config(hook("sleep 300 & sleep 300"))) {
            Ended ended = world.runInside(free("go"));
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(world.exists("a.py"));
            assertTrue(model.lastRequest().lastToolResult().contains("timed out"));
        }
    }

    @Test
    @Tag("row-37")
    @Tag("B21")
    @Tag("B23")
    @Tag("B24")
    @DisplayName("a command's tree ends with it, even if it ignores signals")
    void commandTrees() {
        var batch =
                calls(
                        call("run_command", "command", "sleep 300 & echo hi"),
                        call(
                                "run_command",
                                "command",
                                "trap '' TERM INT; echo begun; (sleep 300 & sleep 300); sleep 300",
                                "timeout",
                                1));
        try (var model = ScriptedServer.chat(batch, says("ok"));
                var world = World.with(model)) {
            Ended ended = world.runInside(free("go"));
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(ended.took().compareTo(Duration.ofSeconds(15)) < 0, ended::toString);
            List<String> results = model.lastRequest().toolResults();
            assertTrue(results.get(0).contains("hi"), results.get(0));
            assertTrue(results.get(1).contains("begun"), results.get(1));
            assertTrue(results.get(1).contains("timed out"), results.get(1));
        }
    }

    @Test
    @Tag("row-45")
    @Tag("row-47")
    @Tag("row-48")
    @DisplayName("outside files, stale files and unclear edits are refused with a reason")
    void refusedEdits() {
        try (var model =
                        ScriptedServer.chat(
                                calls(
                                        call("read_file", "file_path", "../secret"),
                                        call("read_file", "file_path", "/etc/passwd"),
                                        call("read_file", "file_path", "a.txt")),
                                calls("run_command", "command", "echo changed > a.txt"),
                                calls(
                                        call(
                                                "edit_file",
                                                "file_path",
                                                "a.txt",
                                                "old_string",
                                                "one",
                                                "new_string",
                                                "1"),
                                        call(
                                                "edit_file",
                                                "file_path",
                                                "b.txt",
                                                "old_string",
                                                "x",
                                                "new_string",
                                                "y")),
                                says("ok"));
                var world = World.with(model).file("a.txt", "one\n").file("b.txt", "x x\n")) {
            Ended ended = world.runInside(free("go"));
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("changed\n", world.read("a.txt"));
            assertEquals("x x\n", world.read("b.txt"));
            JsonNode tools = ended.result().path("tools_used");
            assertEquals(2, tools.path(0).path("denied").asInt(), tools::toString);
        }
    }
}
