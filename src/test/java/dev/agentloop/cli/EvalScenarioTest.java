package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import dev.agentloop.testing.GitShell;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Comparing models and settings, as real processes. */
class EvalScenarioTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SUITE =
            """
            name: files
            runs: 2
            tasks:
              - name: make
                prompt: Make ok.txt.
                checks: ["test -f ok.txt", "test ! -f before"]
            variants:
              - {name: able, max_steps: 7}
              - {name: lazy, agent: explore}
            """;

    @Test
    @DisplayName("eval: checks decide, each run has a fresh tree, and the gate is the exit code")
    void compares() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "ok.txt", "content", "x"),
                                says("Made."),
                                calls("write_file", "file_path", "ok.txt", "content", "x"),
                                says("Made."),
                                says("Made, believe me."),
                                says("Made."));
                var world = World.with(model).file("a.txt", "a\\n").file("suite.yaml", SUITE)) {
            Path work = world.workspace();
            GitShell.run(work, "git init -q -b main; git add -A; git commit -q -m first");

            Ended ended = world.inside("eval", "--json", "--min-pass=0.5", "suite.yaml");

            assertEquals(2, ended.exitCode(), ended::toString);
            JsonNode variants = JSON.readTree(ended.out()).path("variants");
            assertEquals("able", variants.get(0).path("name").asText());
            assertEquals(1.0, variants.get(0).path("rate").asDouble());
            assertEquals(0.342, variants.get(0).path("low").asDouble(), 1e-3);
            assertEquals(0, variants.get(1).path("passed").asInt());
            assertEquals(0.658, variants.get(1).path("high").asDouble(), 1e-3);
            assertEquals(1, GitShell.read(work, "git worktree list").lines().count());
            assertEquals("", GitShell.read(work, "git status --porcelain"));
        }
    }

    @Test
    @DisplayName("eval: a run that could not begin has not passed, whatever the checks say")
    void notBegun() throws Exception {
        String suite =
                """
                tasks:
                  - {name: t, prompt: Do it., checks: ["true"]}
                variants:
                  - {name: v, model: nosuch/model}
                """;
        try (var world = World.withoutModel().file("suite.yaml", suite)) {
            GitShell.run(
                    world.workspace(), "git init -q -b main; git add -A; git commit -q -m first");
            Ended ended = world.inside("eval", "--json", "suite.yaml");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertEquals(0, JSON.readTree(ended.out()).at("/variants/0/passed").asInt(-1));
            assertTrue(ended.err().contains("nosuch"), ended::toString);
        }
    }

    @Test
    @DisplayName("eval: all that is wrong with a suite is said at once")
    void refused() {
        String broken = "tasks:\n  - {name: a, promt: x}\nvariants:\n  - {name: ../b}\nrun: 3\n";
        try (var world = World.withoutModel().file("suite.yaml", broken)) {
            Ended ended = world.inside("eval", "suite.yaml");
            assertEquals(3, ended.exitCode(), ended::toString);
            for (String problem :
                    new String[] {
                        "unknown key \"run\"",
                        "tasks[0]: unknown key \"promt\"",
                        "tasks[0].prompt: there is none",
                        "tasks[0].checks: a command is needed",
                        "variants[0].name"
                    }) {
                assertTrue(ended.err().contains(problem), () -> problem + "\n" + ended.err());
            }
            Ended none = world.inside("eval", "no.yaml");
            assertEquals(3, none.exitCode(), none::toString);
            assertTrue(none.err().contains("no.yaml"), none::err);
        }
    }
}
