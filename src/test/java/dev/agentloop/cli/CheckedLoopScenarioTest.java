package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Faults;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import dev.agentloop.control.Cancellation;
import dev.agentloop.git.Git;
import dev.agentloop.orchestration.WorkStamp;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.GitShell;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A task until its checks pass, as real processes. */
class CheckedLoopScenarioTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    @Tag("row-85")
    @DisplayName("success needs the checks and the tag, and each iteration begins anew")
    void needsBoth() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                says("I am done.\n\n**COMPLETE**"), // it is not
                                calls("write_file", "file_path", "done.txt", "content", "x"),
                                says("Written, but COMPLETE is not what I say."),
                                says("Now:\nCOMPLETE"));
                var world = World.with(model)) {
            Ended ended =
                    world.inside("loop", "--json", "write the file", "--check", "test -f done.txt");

            assertEquals(0, ended.exitCode(), ended::toString);
            JsonNode result = JSON.readTree(ended.out());
            assertEquals("all_checks_passed", result.path("stop_reason").asText());
            JsonNode iterations = result.path("iterations");
            assertEquals(3, iterations.size());
            assertTrue(iterations.get(0).path("completion_tag").asBoolean());
            assertFalse(iterations.get(0).path("checks").get(0).path("passed").asBoolean());
            assertFalse(iterations.get(1).path("completion_tag").asBoolean());
            assertTrue(iterations.get(1).path("checks").get(0).path("passed").asBoolean());
            assertEquals(2, model.request(1).messages().size(), "a clean context");
            assertTrue(model.request(1).lastTask().contains("<failed-check"));
            assertFalse(model.request(3).lastTask().contains("<failed-check"));
            assertEquals(0.0052, result.path("cost").path("usd").asDouble(), 1e-9);
        }
    }

    @Test
    @Tag("row-85")
    @DisplayName("--config and --mcp-config are found from where the command was given")
    void relativeFiles() throws Exception {
        try (var model = ScriptedServer.chat(says("COMPLETE"));
                var world = World.with(model)) {
            world.file("more.yaml", "limits:\n  max_steps: 7\n")
                    .file("mcp.json", "{\"mcpServers\":{}}");
            Ended ended =
                    world.inside(
                            "loop",
                            "--json",
                            "--config=more.yaml",
                            "--mcp-config=mcp.json",
                            "look",
                            "--check",
                            "true");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(JSON.readTree(ended.out()).path("iterations").size() == 1, ended::out);
        }
    }

    @Test
    @Tag("row-85")
    @DisplayName("it ends at its limit, and before that when nothing changes any more")
    void limits() {
        try (var model = ScriptedServer.chat().thenForEver(says("COMPLETE"));
                var world = World.with(model)) {
            Ended limit =
                    world.inside("loop", "--max-iterations=2", "write it", "--check", "test -f no");
            assertEquals(2, limit.exitCode(), limit::toString);
            assertTrue(limit.out().startsWith("max_iterations after 2 iterations"), limit::out);

            Ended stuck = world.inside("loop", "write it", "--check", "test -f no");
            assertEquals(2, stuck.exitCode(), stuck::toString);
            assertTrue(stuck.out().startsWith("no_progress after 3 iterations"), stuck::out);
        }
    }

    @Test
    @Tag("row-85")
    @DisplayName("what commands write is progress as well")
    void commandsAreWork() {
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", "echo 1 > a.txt"),
                                says("Went on."),
                                calls("run_command", "command", "echo 22 > a.txt"),
                                says("Went on."),
                                calls("run_command", "command", "echo 333 > a.txt"),
                                says("Went on."),
                                says("COMPLETE"));
                var world = World.with(model)) {
            Ended ended =
                    world.inside(
                            "loop",
                            "--allow=run_command",
                            "--max-iterations=4",
                            "write it",
                            "--check",
                            "test -f no");
            assertTrue(ended.out().startsWith("max_iterations after 4 iterations"), ended::out);
        }
    }

    @Test
    @Tag("row-85")
    @DisplayName("in a repository, what git ignores is no progress")
    void ignoredFiles() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", "echo 1 > a.log"),
                                says("Went on."),
                                calls("run_command", "command", "echo 22 > a.log"),
                                says("Went on."),
                                calls("run_command", "command", "echo 333 > a.log"),
                                says("Went on."));
                var world = World.with(model)) {
            world.file(".gitignore", "*.log\n");
            GitShell.run(world.workspace(), "git init -q; git add -A; git commit -qm one");
            Ended ended =
                    world.inside(
                            "loop", "--allow=run_command", "write it", "--check", "test -f no");
            assertTrue(ended.out().startsWith("no_progress after 3 iterations"), ended::out);
        }
    }

    @Test
    @Tag("row-85")
    @DisplayName("git sees new files, more of them, and commits; in an ignored folder all count")
    void stamps(@TempDir Path folder) throws Exception {
        Path root = folder.toRealPath();
        ProcessRunner runner = new ProcessRunner(Map.of("PATH", System.getenv("PATH")), List.of());
        Git git = Git.find(runner, root, Duration.ofMinutes(1), new Cancellation()).orElseThrow();
        GitShell.run(root, "git init -q; echo out > .gitignore; git add -A; git commit -qm one");
        WorkStamp all = new WorkStamp(root, Optional.of(git));
        Set<String> seen = new HashSet<>(Set.of(all.get()));
        GitShell.run(root, "mkdir out build; echo a > out/a; echo a > build/a");
        assertFalse(seen.add(all.get()));
        for (String work :
                List.of(
                        "mkdir d; echo a > d/a",
                        "echo ab > d/a",
                        "git add -A; git commit -qm two")) {
            GitShell.run(root, work);
            assertTrue(seen.add(all.get()), work);
        }
        WorkStamp ignored = new WorkStamp(root.resolve("out"), Optional.of(git));
        String before = ignored.get();
        GitShell.run(root, "echo more > out/b");
        assertFalse(before.equals(ignored.get()));
    }

    @Test
    @Tag("row-85")
    @DisplayName("a loop without a check, and one whose key is wrong, do not go round")
    void refused() {
        try (var model = ScriptedServer.chat(Faults.status(401));
                var world = World.with(model)) {
            Ended none = world.inside("loop", "write it");
            assertEquals(3, none.exitCode(), none::toString);
            assertTrue(none.err().contains("add --check CMD"), none::err);
            Ended key = world.inside("loop", "write it", "--check", "true");
            assertEquals(4, key.exitCode(), key::toString);
        }
    }
}
