package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.call;
import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Faults;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.Script;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs that are recorded, and played again from their cassette alone. */
class ReplayScenarioTest {
    private static final Reply WRITE = calls("write_file", "file_path", "a.txt", "content", "x\n");

    private static void same(Ended first, Ended second) {
        assertEquals(
                String.join("\n", Tapes.stream(first)),
                String.join("\n", Tapes.stream(second)),
                () -> first + "\n" + second);
        assertEquals(first.exitCode(), second.exitCode());
        assertEquals("run", second.result().path("replay").asText());
        assertTrue(second.err().contains("nothing is run, changed or spent"), second::err);
    }

    @Test
    @DisplayName("what a command changed, and nobody told of, is part of the recording")
    void changedByACommand() {
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", "bash -n a.sh"),
                                calls("run_command", "command", "sed -i s/a/b/ a.sh"),
                                says("Done."),
                                says("I cannot check."));
                var world =
                        World.with(model)
                                .config("context: {keep_recent_steps: 4}")
                                .file("a.sh", "echo a\n")) {
            Ended first = Tapes.record(world, "go");
            Tapes.cut(model);
            same(first, Tapes.replay(world, "go"));
        }
    }

    @Test
    @DisplayName("20 steps with tools, hooks, a denial and a retry replay to the same stream")
    void wholeRun() {
        List<Script> replies = new ArrayList<>();
        replies.add(Faults.status(503));
        replies.add(WRITE.saying("First I write."));
        replies.add(
                calls(
                        call("read_file", "file_path", "a.txt"),
                        call("grep", "pattern", "x"),
                        call("read_file", "file_path", "no.txt")));
        replies.add(calls("write_file", "file_path", "secret.txt", "content", "x"));
        replies.add(calls("run_command", "command", "echo ran >>ran; exit 3"));
        for (int i = 0; i < 15; i++) {
            replies.add(calls("write_file", "file_path", "f" + i, "content", "text " + i));
        }
        replies.add(says("All is done."));
        try (var model = ScriptedServer.chat(replies.toArray(Script[]::new));
                var world =
                        World.with(model)
                                .config("permissions: {deny: ['write_file(secret.txt)']}")
                                .config(
                                        """
                                        hooks:
                                          post_edit: [{name: fmt, command: "touch edited"}]
                                          session_start: [{name: s, command: "echo be kind"}]
                                          iteration: [{name: i, command: "true"}]
                                          session_end: [{name: e, command: "touch ended"}]
                                        """)) {
            Ended first = Tapes.record(world, "work");
            Tapes.cut(model);
            Map<String, String> before = Tapes.files(world.workspace());
            Ended second = Tapes.replay(world, "work");

            assertEquals(0, first.exitCode(), first::toString);
            assertEquals(20, first.result().path("steps").asInt());
            assertEquals(1, first.result().path("retries").asInt());
            assertEquals(1, first.result().path("denials").size());
            same(first, second);
            assertEquals(before, Tapes.files(world.workspace()));
            assertEquals(1, world.journals().size(), "a replay keeps no session");
        }
    }

    @Test
    @Tag("row-73")
    @DisplayName("a replay runs nothing, needs no key, no workspace, no task")
    void elsewhere() {
        try (var model = ScriptedServer.chat(WRITE, says("done"));
                var world = World.with(model);
                var other = World.withoutModel()) {
            Ended first = Tapes.record(world, "write a");
            Tapes.move(world, other);
            other.env("CANARY_API_KEY", null).env("PATH", "/nowhere");
            Ended second = Tapes.replay(other);

            same(first, second);
            assertEquals(Map.of(), Tapes.files(other.workspace()));
            assertEquals(List.of(), other.journals());
        }
    }

    @Test
    @DisplayName("Limits, closing summaries and self-evaluations replay, with their exit codes")
    void limits() {
        Reply verdict = says("{\"completed\": false, \"confidence\": 0.2, \"issues\": [\"x\"]}");
        try (var model =
                        ScriptedServer.chat(WRITE, says("Not done."), says("Done."), verdict)
                                .thenForEver(verdict);
                var world = World.with(model)) {
            Ended cut = Tapes.record(world, "--max-steps=1", "write a");
            same(cut, Tapes.replay(world));
            assertEquals(2, cut.exitCode(), cut::toString);
            model.expectAnotherBeginning();
            Ended judged = Tapes.record(world, "--self-eval=basic", "say it");
            same(judged, Tapes.replay(world, "--self-eval=basic"));
            assertEquals(2, judged.exitCode(), judged::toString);
        }
    }

    @Test
    @DisplayName("A resumed session is recorded with what it had before, and replays with its cost")
    void resumed() {
        try (var model = ScriptedServer.chat(WRITE, says("done"), says("more"));
                var world = World.with(model)) {
            Ended first = world.runInside("--json", "--yolo", "--sandbox=off", "write a");
            String id = first.result().path("session_id").asText();
            Ended second = Tapes.record(world, "--session", id, "go on");

            same(second, Tapes.replay(world));
            assertEquals("more", second.result().path("result").asText());
        }
    }

    @Test
    @DisplayName("Failed runs replay as they failed")
    void failed() {
        try (var model = ScriptedServer.chat(Faults.status(401));
                var world = World.with(model)) {
            Ended first = Tapes.record(world, "go");

            same(first, Tapes.replay(world));
            assertEquals(4, first.exitCode(), first::toString);
        }
    }

    @ParameterizedTest
    @DisplayName("Another task or option is another run: exit 1, and both are named")
    @CsvSource(
            delimiter = '|',
            value = {
                "write b | the task",
                "--max-steps=3 | the option --max-steps",
                "--append-system-prompt=Speak Spanish. | the option --append-system-prompt",
                "--model=canary/other | the option --model",
            })
    void another(String word, String field) {
        try (var model = ScriptedServer.chat(WRITE, says("done"));
                var world = World.with(model)) {
            Tapes.record(world, "--max-steps=5", "write a");
            Ended ended = Tapes.replay(world, word);

            assertEquals(1, ended.exitCode(), ended::toString);
            assertEquals("llm_error", ended.result().path("stop_reason").asText());
            String message = ended.errorMessage();
            assertTrue(message.contains("step 0"), message);
            assertTrue(message.contains(field), message);
            assertTrue(message.contains("Record it again"), message);
        }
    }

    @ParameterizedTest
    @DisplayName("A cassette whose answers were changed is a run that was never recorded")
    @CsvSource(
            delimiter = '|',
            value = {
                "s/(\"type\":\"replied\".*)a\\.txt/b.txt/ | calls[0].arguments",
                "s/(\"type\":\"requested\".*)You are/I am/ | messages[0].text",
                "s/(\"type\":\"tools_answered\".*)Created/Deleted/ | messages[3].result.text",
                "s/(\"step_started\",\"step\":)2/7/ | step is",
                "d/\"type\":\"requested\",\"step\":2/ | a request to canary/model: type",
                "d/\"type\":\"opened\"/ | the history: type",
                "d/\"type\":\"tools_asked\"/ | tool calls: type",
            })
    void changed(String edit, String field) {
        try (var model = ScriptedServer.chat(WRITE, says("done"));
                var world = World.with(model)) {
            Tapes.record(world, "write a");
            Tapes.edit(world, edit);
            Ended ended = Tapes.replay(world);

            assertEquals(1, ended.exitCode(), ended::toString);
            String message = ended.errorMessage();
            assertTrue(message.contains(field), message);
            assertTrue(message.matches("(?s).*step \\d+ \\(line \\d+\\).*"), message);
            assertEquals(
                    "replay_mismatch", ended.result().path("errors").path(0).path("code").asText());
        }
    }

    @Test
    @DisplayName("No secret of the environment is in a cassette")
    void secrets() {
        String canary = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
        try (var model =
                        ScriptedServer.chat(
                                calls("read_file", "file_path", "conf"),
                                says("It is " + canary + " and plainvalue-4711-abc"));
                var world =
                        World.with(model)
                                .env("MY_SECRET_TOKEN", "plainvalue-4711-abc")
                                .file("conf", "token = " + canary + "\n")) {
            Ended ended = Tapes.record(world, "use plainvalue-4711-abc and " + canary);
            String cassette = Tapes.text(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(cassette.contains(canary));
            assertFalse(cassette.contains("plainvalue"));
            assertFalse(cassette.contains(world.key()));
            assertEquals("rw-------", Tapes.mode(world));
            same(ended, Tapes.replay(world));
        }
    }

    @Test
    @DisplayName("Masked events of a run under a JSON schema, in plain mode, in text mode")
    void texts() {
        try (var model = ScriptedServer.chat(says("{\"n\": 1}"));
                var world = World.with(model)) {
            Tapes.record(world, "--json-schema={\"type\":\"object\"}", "answer");
            Ended json = world.runInside("--json", "--replay", "../run.cassette");
            Ended text = world.runInside("--replay", "../run.cassette");

            assertEquals(1, json.result().path("structured_output").path("n").asInt());
            assertEquals("{\"n\": 1}\n", text.out());
            assertTrue(text.err().contains("nothing was spent"), text.err());
        }
    }

    @Test
    @DisplayName("A cassette of the first version of the format replays")
    void firstVersion() throws IOException {
        try (var world = World.withoutModel()) {
            Tapes.write(
                    world,
                    Files.readString(Path.of("src/test/resources/replay/version-1.cassette")));
            Ended ended = Tapes.replay(world, "write a");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("done", ended.result("result"));
            assertFalse(world.exists("a.txt"));
        }
    }
}
