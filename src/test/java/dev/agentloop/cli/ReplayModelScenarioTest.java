package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Faults;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs whose model is a cassette, and all else is real: on another machine, in another folder. */
class ReplayModelScenarioTest {
    private static final Reply WRITE =
            calls("write_file", "file_path", "a.txt", "content", "x\n").saying("I write.");
    private static final Reply READ = calls("read_file", "file_path", "data.txt");

    private static World elsewhere(World recorded) {
        World other = World.withoutModel();
        Tapes.move(recorded, other);
        return other.env("CANARY_API_KEY", null);
    }

    @Test
    @DisplayName("The tools are real, the model is not asked: no server, no key, another folder")
    void realTools() {
        try (var model = ScriptedServer.chat(Faults.status(503), WRITE, READ, says("done"));
                var world = World.with(model).file("data.txt", "1\n");
                var other = elsewhere(recorded(world, "write a"))) {
            other.file("data.txt", "1\n");
            Ended ended = Tapes.replayModel(other, "write a");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("x\n", other.read("a.txt"));
            assertEquals("model", ended.result().path("replay").asText());
            assertEquals("done", ended.result().path("result").asText());
            assertEquals(1, other.journals().size(), "it is a run like others");
            assertTrue(ended.events("text.delta").size() > 1, "it streams as it did");
        }
    }

    private static World recorded(World world, String... more) {
        Ended ended = Tapes.record(world, more);
        assertEquals(0, ended.exitCode(), ended::toString);
        return world;
    }

    @ParameterizedTest
    @DisplayName("What differs from machine to machine and from day to day does not count")
    @ValueSource(
            strings = {
                "pwd; echo $HOME; mktemp -u; echo \"took 0.$RANDOM s\"",
                "date +%FT%TZ; date +%F; date +%T; echo \"$$ \" | sed s/.*//",
            })
    void volatileParts(String command) {
        Reply call = calls("run_command", "command", command);
        try (var model = ScriptedServer.chat(call, says("done"));
                var world = World.with(model);
                var other = elsewhere(recorded(world, "go"))) {
            Ended ended = Tapes.replayModel(other, "go");

            assertEquals(0, ended.exitCode(), ended::toString);
        }
    }

    @Test
    @DisplayName("A tool that says something else is a miss that names the message and both texts")
    void otherResult() {
        try (var model = ScriptedServer.chat(READ, WRITE, says("done"));
                var world = World.with(model).file("data.txt", "seven\n");
                var other = elsewhere(recorded(world, "go"))) {
            other.file("data.txt", "eight\n");
            Ended ended = Tapes.replayModel(other, "go");

            assertEquals(1, ended.exitCode(), ended::toString);
            String message = ended.errorMessage();
            assertTrue(message.contains("step 2"), message);
            assertTrue(message.contains("messages[3].result.text"), message);
            assertTrue(message.contains("seven") && message.contains("eight"), message);
            assertFalse(other.exists("a.txt"));
            assertEquals("replay_mismatch", code(ended));
        }
    }

    private static String code(Ended ended) {
        return ended.result().path("errors").path(0).path("code").asText();
    }

    @Test
    @DisplayName("The policy decides about the calls of a cassette like about all others")
    void hostile() {
        Reply remove = calls("run_command", "command", "rm -rf ../precious");
        try (var model = ScriptedServer.chat(remove, says("gone"));
                var world = World.with(model);
                var other = elsewhere(recorded(world, "go"))) {
            other.file("../precious/it", "x");
            Ended ended =
                    other.runInside("--json", "--replay-model", Tapes.FILE, "--sandbox=off", "go");

            assertEquals(1, ended.exitCode(), ended::toString);
            assertTrue(other.exists("../precious/it"));
            assertEquals(1, ended.result().path("denials").size());
            String message = ended.errorMessage();
            assertTrue(message.contains("messages[3].result.text is"), message);
        }
    }

    @Test
    @DisplayName("A cassette names no server: a session that goes on later would send it the key")
    void noServer() {
        try (var model = ScriptedServer.chat(says("done"));
                var world = World.with(model);
                var other = elsewhere(recorded(world, "go"))) {
            Tapes.edit(other, "s/(\"base_url\":)\"\"/\"https:evil.example\"/");
            Ended ended = Tapes.replayModel(other, "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(List.of(), other.records("route"));
        }
    }

    @Test
    @DisplayName("A run that a person cuts short is cut short, not another run")
    void cut() {
        Reply slow = calls("run_command", "command", "sleep 30");
        try (var model = ScriptedServer.chat(slow, says("done"));
                var world = World.with(model).file("bin/sleep", "#!/bin/sh\n")) {
            String path = world.workspace().resolve("bin") + ":/usr/bin:/bin";
            world.workspace().resolve("bin/sleep").toFile().setExecutable(true);
            world.env("PATH", path);
            Ended first = Tapes.record(world, "go");
            assertEquals(0, first.exitCode(), first::toString);
            world.env("PATH", "/usr/bin:/bin");
            Ended ended = Tapes.replayModel(world, "--timeout=2", "go");

            assertEquals(5, ended.exitCode(), ended::toString);
            assertEquals("timeout", ended.result("stop_reason"));
        }
    }

    @ParameterizedTest
    @DisplayName("Another task, system prompt, model or effort is a miss of the first request")
    @CsvSource(
            delimiter = '|',
            value = {
                "--append-system-prompt=Be rude. | go | messages[0].text",
                "--no-mcp | go on | messages[1].text",
                "--effort=high | go | effort",
                "--model=canary/other | go | model",
                "--agent=plan | go | messages[0].text",
            })
    void otherRequest(String option, String task, String field) {
        try (var model = ScriptedServer.chat(says("done"));
                var world = World.with(model);
                var other = elsewhere(recorded(world, "go"))) {
            Ended ended = Tapes.replayModel(other, option, task);

            assertEquals(1, ended.exitCode(), ended::toString);
            assertEquals("replay_mismatch", code(ended), ended::toString);
            String message = ended.errorMessage();
            assertTrue(message.contains(" " + field + " is "), message);
            assertTrue(message.contains("step 1"), message);
        }
    }

    @Test
    @DisplayName("More and fewer requests than recorded are misses, also where a summary hides it")
    void counts() {
        try (var model = ScriptedServer.chat(WRITE, WRITE, says("done"));
                var world = World.with(model);
                var other = elsewhere(recorded(world, "go"));
                var third = elsewhere(world)) {
            Ended fewer = Tapes.replayModel(other, "--max-steps=1", "go");
            Tapes.edit(third, "s/(\"finish\":\")end_turn/max_tokens/");
            Ended more = Tapes.replayModel(third, "go");

            assertEquals(1, fewer.exitCode(), fewer::toString);
            assertTrue(
                    fewer.result().path("errors").toString().contains("replay_mismatch"),
                    fewer::toString);
            assertEquals(1, more.exitCode(), more::toString);
            assertTrue(more.errorMessage().contains("requests is one more"), more::errorMessage);
        }
    }
}
