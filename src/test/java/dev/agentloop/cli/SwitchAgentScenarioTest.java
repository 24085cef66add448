package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One agent hands over to another within a run. */
class SwitchAgentScenarioTest {
    private static final String AGENTS =
            """
            agents:
              scout:
                prompt: You scout.
                read_only: true
                switch_to: [worker]
              worker:
                prompt: You work.
                description: Writes files.
                edit: ["docs/**"]
                deny: ["write_file(docs/no/**)"]
            """;

    @Test
    @Tag("S4-14")
    @DisplayName("a switch brings prompt, tools and policy of the other agent, with the history")
    void handsOver() {
        try (var model =
                        ScriptedServer.chat(
                                calls("switch_agent", "agent", "worker", "task", "Write it."),
                                calls("write_file", "file_path", "docs/a", "content", "a"),
                                calls("write_file", "file_path", "src/a", "content", "a"),
                                calls("write_file", "file_path", "docs/no/a", "content", "a"),
                                calls("switch_agent", "agent", "scout", "task", "Back."),
                                says("Done."));
                var world = World.with(model).config(AGENTS)) {
            Ended ended =
                    world.runInside("--output-format=stream-json", "--trust", "-a", "scout", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(model.request(0).system().startsWith("You scout."));
            assertTrue(model.request(1).system().startsWith("You work."));
            assertFalse(model.request(0).tools().contains("write_file"));
            assertTrue(model.request(1).tools().contains("write_file"));
            assertFalse(model.request(1).tools().contains("switch_agent"));
            assertEquals(
                    "You are the agent worker now. Do: Write it.",
                    model.request(1).lastToolResult());
            assertEquals("a", world.read("docs/a"));
            assertFalse(world.exists("src/a") || world.exists("docs/no/a"));
            assertEquals(1, ended.events("agent.switched").size());
            assertEquals("worker", ended.events("agent.switched").getFirst().path("to").asText());
        }
    }

    @Test
    @Tag("S4-14")
    @DisplayName("a switch with a fresh history: the task and the last step, on resume too")
    void freshHistory() {
        try (var model =
                        ScriptedServer.chat(
                                says("Hello."),
                                calls("list_files", "path", "."),
                                calls(
                                        "switch_agent",
                                        "agent",
                                        "worker",
                                        "task",
                                        "Write it.",
                                        "fresh",
                                        true),
                                says("Done."),
                                says("More."));
                var world = World.with(model).config(AGENTS)) {
            String id = world.runInside("--json", "-a", "scout", "task one").result("session_id");
            model.expectAnotherBeginning();
            world.runInside("--json", "--trust", "--session", id, "-a", "scout", "task two");
            assertEquals(
                    List.of("You are the agent worker now. Do: Write it."),
                    model.request(3).toolResults());
            assertTrue(model.request(3).raw().contains("task two"));

            world.runInside("--json", "--trust", "--session", id, "more");
            assertEquals(1, model.lastRequest().toolResults().size());
        }
    }

    @Test
    @Tag("S4-14")
    @DisplayName("a hand-over whose run was killed before it was made is made on resume")
    void killedBetween() throws IOException {
        try (var model =
                        ScriptedServer.chat(
                                calls("switch_agent", "agent", "worker", "task", "Write it."),
                                says("Lost."),
                                says("Done."));
                var world = World.with(model).config(AGENTS)) {
            world.runInside("--json", "--trust", "-a", "scout", "go");
            Path journal = world.journals().getLast();
            List<String> lines = Files.readString(journal).lines().toList();
            int result = 0;
            while (!lines.get(result).contains("\"t\":\"result\"")) {
                result++;
            }
            world.damage(journal, String.join("\n", lines.subList(0, result + 1)) + "\n");
            model.expectAnotherBeginning();
            Ended resumed = world.inside("resume", "--last", "--json", "--trust");
            assertTrue(resumed.err().contains("scout → worker"), resumed::toString);
            assertTrue(model.lastRequest().system().startsWith("You work."), resumed::toString);
        }
    }

    @Test
    @Tag("S4-14")
    @DisplayName("an agent that hands over is not recorded: a cassette would not hold it")
    void notRecorded() {
        try (var world = World.withoutModel().config(AGENTS)) {
            String file = world.root().resolve("x.cassette").toString();
            Ended ended = world.runInside("--json", "-a", "scout", "--record", file, "go");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("scout hands over"), ended::toString);
        }
    }

    @Test
    @Tag("S4-14")
    @DisplayName("a session goes on as the agent that took over")
    void resumed() {
        try (var model =
                        ScriptedServer.chat(
                                calls("switch_agent", "agent", "worker", "task", "Write it."),
                                says("One."),
                                says("Two."));
                var world = World.with(model).config(AGENTS)) {
            world.runInside("--trust", "-a", "scout", "go");
            Ended ended = world.runInside("--json", "--trust", "--continue", "more");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(model.request(1).system(), model.request(2).system());
            assertEquals("worker", ended.result().path("agent").asText());
        }
    }

    @Test
    @Tag("P16")
    @DisplayName("a project's agent hands over to nobody, and a name that is none is refused")
    void refused() {
        try (var model = ScriptedServer.chat(says("Done."));
                var world = World.with(model)) {
            world.file(".agent/agents/mine.md", "---\nswitch_to: [auto-approve]\n---\nHi");
            Ended ended = world.runInside("--json", "--trust", "-a", "mine", "go");
            assertFalse(model.request(0).tools().contains("switch_agent"));
            String warnings = ended.result().path("warnings").toString();
            assertTrue(warnings.contains("may not set: agents.mine.switch_to"), warnings);

            world.config(
                    "agents: {x: {switch_to: [biuld]}, y: {switch_to: [z]}, z: {deny: [gerp]}}");
            Ended rule = world.runInside("-a", "y", "go");
            assertEquals(3, rule.exitCode(), rule::toString);
            assertTrue(rule.err().contains("agents.z.deny: \"gerp\" names no tool"), rule::err);
            Ended none = world.runInside("-a", "x", "go");
            assertEquals(3, none.exitCode(), none::toString);
            assertTrue(none.err().contains("agents.x.switch_to: there is no agent named"));
            assertTrue(none.err().contains("did you mean \"build\"?"), none::err);
        }
    }
}
