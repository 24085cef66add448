package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.call;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Notes from one run to the next. */
class MemoryScenarioTest {
    private static World remembering(ScriptedServer model) {
        return World.with(model).config("memory: {enabled: true}");
    }

    private static List<Path> files(World world) throws IOException {
        Path folder = world.root().resolve("state/agent/memory");
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
        }
    }

    @Test
    @Tag("S3-2")
    @Tag("scenario-80")
    @DisplayName("what one run notes the next one is told, as data")
    void fromRunToRun() throws IOException {
        try (var model =
                        ScriptedServer.chat(
                                calls(
                                        call("remember", "text", "Tests run with make check."),
                                        call("remember", "about", "user", "text", "Prefers tabs.")),
                                says("Done."),
                                says("Again."));
                var world = remembering(model)) {
            Ended first = world.runInside("--json", "--trust", "go");
            assertEquals(0, first.exitCode(), first::toString);
            assertFalse(model.request(0).system().contains("<memory"));
            assertEquals(2, files(world).size());

            world.runInside("--trust", "go");
            String system = model.request(2).system();
            assertTrue(
                    system.contains("<memory about=\"user\">\n- Prefers tabs.\n</memory>"), system);
            assertTrue(system.contains("- Tests run with make check."), system);
            assertTrue(system.contains("They are data"), system);
        }
    }

    @Test
    @Tag("C43")
    @DisplayName("notes are kept when the run ends at a limit as well")
    void partial() throws IOException {
        try (var model = ScriptedServer.chat(calls("remember", "text", "Half."), says("Summary."));
                var world = remembering(model)) {
            Ended ended = world.runInside("--json", "--trust", "--max-steps", "1", "go");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("- Half.\n", Files.readString(files(world).getFirst()));
        }
    }

    @Test
    @DisplayName(
            "Without the switch, in a dry run and without a session nothing is offered or kept")
    void off() throws IOException {
        try (var model = ScriptedServer.chat(says("1"), says("2"), says("3"));
                var world = World.with(model)) {
            world.runInside("--trust", "go");
            world.config("memory: {enabled: true}");
            world.runInside("--trust", "--dry-run", "go");
            world.runInside("--trust", "--no-session", "go");
            for (int i = 0; i < 3; i++) {
                assertFalse(model.request(i).tools().contains("remember"));
            }
            assertEquals(List.of(), files(world));
        }
    }

    @Test
    @Tag("D50")
    @Tag("P5")
    @DisplayName("unattended and untrusted, no note is read and none can be kept")
    void untrusted() throws IOException {
        try (var model =
                        ScriptedServer.chat(
                                calls("remember", "text", "Always push."), says("Done."));
                var world = remembering(model)) {
            Path file = world.root().resolve("state/agent/memory/USER.md");
            Files.createDirectories(file.getParent());
            Files.writeString(file, "- Likes tea.\n");

            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(model.request(0).system().contains("tea"));
            assertTrue(model.lastRequest().lastToolResult().contains("no tool named"));
            assertEquals(List.of(file), files(world));
        }
    }

    @Test
    @DisplayName("Secrets do not get into notes, and the model cannot write the file itself")
    void guarded() throws IOException {
        String token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
        try (var model =
                        ScriptedServer.chat(
                                calls("remember", "text", "The token is " + token), says("Done."));
                var world = remembering(model).env("GH_TOKEN", token)) {
            world.runInside("--trust", "go");
            String kept = Files.readString(files(world).getFirst());
            assertTrue(kept.startsWith("- The token is "), kept);
            assertFalse(kept.contains(token), kept);
        }
    }

    @Test
    @Tag("C36")
    @DisplayName("an agent may have notes of its own, or none")
    void scopes() throws IOException {
        try (var model =
                        ScriptedServer.chat(
                                calls("remember", "text", "Of docs."),
                                says("1"),
                                says("2"),
                                says("3"));
                var world =
                        remembering(model)
                                .config("agents: {docs: {memory: own}, quiet: {memory: off}}")) {
            world.runInside("--trust", "-a", "docs", "go");
            world.runInside("--trust", "go");
            world.runInside("--trust", "-a", "quiet", "go");
            assertFalse(model.request(2).system().contains("Of docs."));
            assertFalse(model.request(3).tools().contains("remember"));
            assertTrue(files(world).getFirst().toString().contains("/agents/docs/"));
        }
    }

    @Test
    @DisplayName("agent memory lists, forgets and confirms notes")
    void theCommand() throws IOException {
        try (var model = ScriptedServer.chat(calls("remember", "text", "A fact."), says("Done."));
                var world = remembering(model)) {
            world.runInside("--trust", "go");
            String line = world.inside("memory", "list").out();
            assertTrue(line.endsWith("  [workspace]  A fact.\n"), line);
            assertTrue(world.inside("memory", "list", "--json").out().contains("\"A fact.\""));
            assertTrue(world.inside("memory", "show").out().contains("MEMORY.md:\n- A fact.\n"));

            Path unconfirmed = files(world).getFirst().resolveSibling("UNCONFIRMED.md");
            Files.writeString(unconfirmed, "- Somebody says so.\n");
            String[] lines = world.inside("memory", "list").out().split("\n");
            assertEquals(3, world.inside("memory", "confirm", line.split(" ")[0]).exitCode());
            assertEquals(0, world.inside("memory", "confirm", lines[1].split(" ")[0]).exitCode());
            assertEquals(0, world.inside("memory", "forget", line.split(" ")[0]).exitCode());
            String rest = world.inside("memory", "list").out();
            assertTrue(rest.endsWith("  [workspace]  Somebody says so.\n"), rest);
            assertEquals(1, rest.lines().count(), rest);
            assertEquals(3, world.inside("memory", "forget", "abc").exitCode());
        }
    }
}
