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
import dev.agentloop.testing.GitShell;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several tasks at once, as real processes. */
class ParallelScenarioTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    @DisplayName(
            "parallel: each task has its branch; the user's branch, index, files and stash stay")
    void leavesTheUserAlone() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "one.txt", "content", "1\n"),
                                says("Done."));
                var world = World.with(model).file("a.txt", "committed\n")) {
            Path work = world.workspace();
            GitShell.run(work, "git init -q -b main; git add -A; git commit -q -m first");
            GitShell.run(work, "echo stashed > a.txt; git stash -q");
            GitShell.run(work, "echo dirty > a.txt; echo staged > b.txt; git add b.txt");
            String before = state(work);

            Ended ended = world.inside("parallel", "--json", "--workers", "2", "add one file");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(before, state(work));
            assertFalse(world.exists("one.txt"));
            JsonNode result = JSON.readTree(ended.out());
            JsonNode task = result.path("tasks").get(0);
            assertEquals("agent/add-one-file", task.path("branch").asText(), ended::toString);
            assertEquals(1, task.path("files").asInt());
            assertEquals("1\n", GitShell.read(work, "git show agent/add-one-file:one.txt"));
            assertEquals("committed\n", GitShell.read(work, "git show agent/add-one-file:a.txt"));
            assertEquals(2, result.path("uncommitted").size(), ended::toString);
            assertTrue(ended.err().contains("not committed: "), ended::err);
            assertTrue(Files.isDirectory(Path.of(task.path("worktree").asText())));
        }
    }

    @Test
    @DisplayName(
            "parallel: a task that changes nothing leaves no tree and no branch; a failed one is said")
    void tidies() throws Exception {
        try (var model = ScriptedServer.chat(says("Nothing to do."), Faults.status(400));
                var world = World.with(model).file("a.txt", "a\n")) {
            Path work = world.workspace();
            GitShell.run(work, "git init -q -b main; git add -A; git commit -q -m first");

            Ended ended =
                    world.inside("parallel", "--workers=1", "--budget=1", "look at it", "break it");

            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("* main\n", GitShell.read(work, "git branch"));
            assertEquals(1, GitShell.read(work, "git worktree list").lines().count());
            assertTrue(ended.out().contains("look-at-it  success "), ended::out);
            assertTrue(ended.out().contains("break-it    llm_error"), ended::out);
        }
    }

    @Test
    @DisplayName("parallel: what cannot be is refused before any task begins")
    void refused() throws Exception {
        try (var world = World.withoutModel().file("a.txt", "a\n")) {
            Ended loose = world.inside("parallel", "fix", "the", "bug");
            assertEquals(3, loose.exitCode(), loose::toString);
            assertTrue(loose.err().contains("put each task in quotes"), loose::err);
            Ended bare = world.inside("parallel", "fix it");
            assertEquals(3, bare.exitCode(), bare::toString);
            assertTrue(bare.err().contains("is in no git work tree"), bare::err);
            GitShell.run(world.workspace(), "git init -q");
            Ended empty = world.inside("parallel", "fix it");
            assertTrue(empty.err().contains("has no commit yet"), empty::err);
            Ended json = world.inside("parallel", "--json", "fix it");
            assertEquals(3, JSON.readTree(json.out()).path("exit_code").asInt(), json::toString);
        }
    }

    private static String state(Path work) throws Exception {
        return GitShell.read(
                work,
                "git status --porcelain -b; git rev-parse HEAD; git stash list;"
                        + " git diff --cached; git diff; git symbolic-ref HEAD");
    }

    @Test
    @DisplayName("parallel, pipeline, eval: what went wrong is shown with its line breaks")
    void errorsWithLineBreaks() throws Exception {
        String pipeline = "steps: [{name: s, prompt: x}]";
        String suite = "tasks: [{name: t, prompt: x, checks: ['true']}]\nvariants: [{name: v}]";
        try (var world = World.withoutModel().file("p.yaml", pipeline).file("s.yaml", suite)) {
            GitShell.run(world.workspace(), "git init -q; git add -A; git commit -q -m first");
            String[][] lines = {
                {"parallel", "--allow=x(", "go on"},
                {"pipeline", "--allow=x(", "p.yaml"},
                {"eval", "--allow=x(", "s.yaml"},
            };
            for (String[] words : lines) {
                Ended ended = world.inside(words);
                assertEquals(3, ended.exitCode(), ended::toString);
                String remedy = "\n  Write TOOL or TOOL(PATTERN), e.g. run_command(git status*).";
                assertTrue(ended.out().contains("\"x(\" is not a rule" + remedy), ended::toString);
                assertFalse((ended.out() + ended.err()).contains("\\n"), ended::toString);
            }
        }
    }
}
