package dev.agentloop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.World;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands around runs. */
class CommandsScenarioTest {
    @ParameterizedTest
    @ValueSource(strings = {"events", "result", "models-test", "config"})
    @Tag("row-67")
    @DisplayName("the published schemas are in the program and are schemas")
    void schema(String name) {
        try (var world = World.withoutModel()) {
            Ended ended = world.inside("schema", name);
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(ended.result().has("$schema"), ended::toString);
            assertEquals(3, world.inside("schema", "nothing").exitCode());
        }
    }

    @Test
    @DisplayName("config show --origin says where values come from; validate, path and init work")
    void config() {
        try (var world =
                World.withoutModel()
                        .config("limits: {max_steps: 7}")
                        .env("AGENT_LOG_LEVEL", "warn")) {
            Ended show = world.inside("config", "show", "--origin");
            assertEquals(0, show.exitCode(), show::toString);
            assertTrue(show.out().contains("config.yaml:"), show::toString);
            assertTrue(show.out().contains("AGENT_LOG_LEVEL"), show::toString);
            assertTrue(show.out().contains("max_steps"), show::toString);
            Ended valid = world.inside("config", "validate");
            assertEquals(0, valid.exitCode(), valid::toString);
            Ended path = world.inside("config", "path");
            assertTrue(path.out().contains("agent/config.yaml"), path::toString);
            Ended init = world.inside("config", "init", "--project");
            assertEquals(0, init.exitCode(), init::toString);
            assertTrue(world.exists(".agent/config.yaml"));
            assertEquals(
                    0, world.inside("config", "validate", "-c", ".agent/config.yaml").exitCode());
        }
    }

    @Test
    @DisplayName("tools list names all tools; tools run obeys the same policy as a run")
    void tools() {
        try (var world = World.withoutModel().file("a.txt", "content")) {
            Ended list = world.inside("tools", "list");
            for (String tool :
                    new String[] {
                        "read_file",
                        "list_files",
                        "find_files",
                        "grep",
                        "search_code",
                        "write_file",
                        "edit_file",
                        "run_command",
                        "web_fetch",
                        "todo_write"
                    }) {
                assertTrue(list.out().contains(tool), list::toString);
            }
            list.out().lines().forEach(line -> assertFalse(line.endsWith(":"), line));
            Ended read = world.inside("tools", "run", "read_file", "{\"file_path\":\"a.txt\"}");
            assertEquals(0, read.exitCode(), read::toString);
            assertTrue(read.out().contains("content"), read::toString);
            String[] command = {
                "tools", "run", "run_command", "{\"command\":\"touch x; git push\"}"
            };
            Ended denied = world.inside(command);
            assertEquals(2, denied.exitCode(), denied::toString);
            assertFalse(world.exists("x"));
            Ended unknown = world.inside("tools", "run", "fly", "{}");
            assertEquals(2, unknown.exitCode(), unknown::toString);
            Ended missing = world.inside("tools", "run", "read_file", "{\"file_path\":\"no\"}");
            assertEquals(2, missing.exitCode(), missing::toString);
        }
    }

    @Test
    @DisplayName("a result of tools run is as long as the window of the run's model allows")
    void toolsOfTheModel() {
        try (var world =
                World.withoutModel()
                        .file("narrow.yaml", "context: {max_context_tokens: 40000}\n")) {
            String[] read = {"tools", "run", "run_command", "{\"command\":\"seq 1 8000\"}", ""};
            int narrow = length(world, read, "--config=narrow.yaml");
            int usual = length(world, read, "--model=ollama/unknown");
            int wide = length(world, read, "--model=anthropic/claude-sonnet-4-5");

            assertTrue(narrow > 9_000 && narrow <= 10_000, () -> "" + narrow);
            assertTrue(usual > 18_000 && usual <= 20_000, () -> "" + usual);
            assertTrue(wide > 38_800, () -> "" + wide);
        }
    }

    private static int length(World world, String[] words, String option) {
        words[words.length - 1] = option;
        Ended ended = world.inside(words);
        assertEquals(0, ended.exitCode(), ended::toString);
        return ended.out().length();
    }

    @Test
    @DisplayName("tools --json prints one object: the tools, a result or a denial")
    void toolsAsJson() {
        String[] write = {
            "tools", "run", "write_file", "{\"file_path\":\"x\",\"content\":\"1\"}", "--json", ""
        };
        try (var world = World.withoutModel()) {
            JsonNode list = world.inside("tools", "list", "--json").result();
            JsonNode reading = list.path("tools").path(0);
            assertEquals("read_file", reading.path("name").asText(), list::toString);
            assertEquals("pure", reading.path("effect").asText());
            assertEquals("object", reading.path("parameters").path("type").asText());

            write[5] = "--deny=write_file";
            Ended denied = world.inside(write);
            assertEquals(2, denied.exitCode(), denied::toString);
            assertEquals("denied", denied.result("kind"));
            assertTrue(denied.result("text").startsWith("Not allowed: "), denied::toString);

            write[5] = "--allow=write_file(x)";
            Ended done = world.inside(write);
            assertEquals(0, done.exitCode(), done::toString);
            assertEquals("ok", done.result("kind"));
            JsonNode change = done.result().path("files_changed").path(0);
            assertEquals("x", change.path("path").asText());
            assertEquals("added", change.path("kind").asText());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--json",
                "list --json --bogus",
                "list --output-format=json --timeout=soon",
                "run read_file {} --json --allow=nonsense"
            })
    @DisplayName("tools --json prints one object also when nothing can be tried")
    void toolsRefusedAsJson(String words) {
        try (var world = World.withoutModel()) {
            Ended refused = world.inside(("tools " + words).split(" "));
            assertEquals(3, refused.exitCode(), refused::toString);
            JsonNode error = refused.result().path("error");
            assertEquals("config_error", error.path("code").asText(), refused::toString);
            assertFalse(error.path("message").asText().isEmpty(), refused::toString);
        }
    }

    @Test
    @DisplayName("models list knows the built-in and the user's models")
    void models() {
        try (var world = World.withoutModel()) {
            Ended all = world.inside("models", "list");
            assertEquals(0, all.exitCode(), all::toString);
            assertTrue(all.out().contains("openai/"), all::toString);
            Ended own = world.inside("models", "list", "canary");
            assertTrue(own.out().contains("canary/model  context 200000"), own::toString);
            assertTrue(own.out().contains("$10 in, $30 out"), own::toString);
            assertEquals(3, world.inside("models", "list", "nobody").exitCode());
        }
    }

    @Test
    @DisplayName("doctor --json is one object; what is broken has a remedy and exit code 1")
    void doctor() {
        try (var world = World.withoutModel()) {
            Ended ended = world.inside("doctor", "--json");
            assertEquals(1, ended.exitCode(), ended::toString);
            boolean brokenProvider = false;
            for (JsonNode check : ended.result().path("checks")) {
                boolean broken = check.path("state").asText().equals("broken");
                brokenProvider |= broken && check.path("name").asText().equals("provider");
                assertFalse(broken && check.path("remedy").asText().isEmpty(), check::toString);
            }
            assertTrue(brokenProvider, ended::toString);
            Ended demo = world.inside("doctor", "--model", "demo/scripted");
            assertTrue(demo.out().contains("embedded"), demo::toString);
        }
    }

    @Test
    @DisplayName("completion prints a script for each shell it names, and refuses others")
    void completion() throws Exception {
        try (var world = World.withoutModel()) {
            for (String shell : new String[] {"bash", "zsh", "fish", "powershell"}) {
                Ended ended = world.inside("completion", shell);
                assertEquals(0, ended.exitCode(), ended::toString);
                assertTrue(ended.out().contains(" complete --"), shell);
                assertTrue(ended.out().contains("agent completion " + shell), shell);
            }
            assertEquals(3, world.inside("completion", "tcsh").exitCode());
        }
    }

    @Test
    @DisplayName("--version, --help and help of each command are exit code 0, on stdout")
    void help() {
        try (var world = World.withoutModel()) {
            assertTrue(world.inside("--version").out().matches("agent \\d+\\.\\d+\\.\\d+.*\n"));
            Ended general = world.inside("--help");
            assertEquals(0, general.exitCode());
            for (String command : new String[] {"run", "resume", "sessions", "config", "doctor"}) {
                assertTrue(general.out().contains(command), general::toString);
                Ended one = world.inside("help", command);
                assertEquals(0, one.exitCode(), one::toString);
                assertEquals(one.out(), world.inside(command, "--help").out());
            }
            Ended nothing = world.inside();
            assertEquals(3, nothing.exitCode(), nothing::toString);
        }
    }
}
