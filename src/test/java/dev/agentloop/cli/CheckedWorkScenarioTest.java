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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** "Done" means checked: the question before the end, and what the result says about it. */
class CheckedWorkScenarioTest {
    private static final String DEFAULT = "context: {keep_recent_steps: 4}"; // and no finish_check

    @Test
    @DisplayName("a run that edits, is asked, runs the test and says done again ends verified")
    void askedAndVerified() {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "a.sh", "content", "echo a\n"),
                                says("Done."),
                                calls("run_command", "command", "bash -n a.sh"),
                                says("Done, and it parses."));
                var world = World.with(model).config(DEFAULT)) {
            Ended ended = go(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("Done, and it parses.", ended.result("result"));
            assertEquals("passed", ended.result().at("/verification/state").asText());
            assertEquals("bash -n a.sh", ended.result().at("/verification/by").asText());
            String asked = model.request(2).lastText();
            assertTrue(asked.contains("nothing shows yet that they work"), asked);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--finish-check=off", "--deny=run_command", "--max-steps=2"})
    @DisplayName("nobody is asked where it is switched off, no command may run, or no step is left")
    void notAsked(String option) {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "a.sh", "content", "echo a\n"),
                                says("Done."));
                var world = World.with(model).config(DEFAULT)) {
            Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", option, "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("Done.", ended.result("result"));
            assertEquals("none", ended.result().at("/verification/state").asText());
            assertTrue(ended.result().at("/verification/by").isMissingNode());
        }
    }

    @Test
    @DisplayName("a check that fails last is a failed verification, and the run's own word stays")
    void failed() {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "a.sh", "content", "if\n"),
                                calls("run_command", "command", "bash -n a.sh"),
                                says("It does not parse."),
                                says("It still does not."));
                var world = World.with(model).config(DEFAULT)) {
            Ended ended = go(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("It still does not.", ended.result("result"));
            assertEquals("failed", ended.result().at("/verification/state").asText());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sed -i s/a/b/ a.sh | none | a question",
                "echo 'echo c' > new.sh | none | a question",
                "rm a.sh | none | a question",
                "mv a.sh b.sh | none | a question",
                "bash -n a.sh && sed -i s/a/b/ a.sh | none | a question",
                "sed -i s/a/b/ a.sh && bash -n a.sh | passed | no question",
                "sed -i s/a/b/ a.sh; bash -n a.sh && echo exit $? | none | a question",
                "ln -s a.sh c.sh | none | a question",
                "git init -q . && git add a.sh | passed | no question",
                "cat a.sh | passed | no question",
                "./a.sh > result.log; mkdir -p target; echo x > target/a.sh | passed | no question",
                "echo more >> README.md | passed | no question",
            })
    @DisplayName("what a command changes after a check takes the verdict back, and is asked about")
    void changedByACommand(String command, String state, String asked) {
        List<Reply> replies =
                new ArrayList<>(
                        List.of(
                                calls("run_command", "command", "bash -n a.sh"),
                                calls("run_command", "command", command),
                                says("Done.")));
        if (asked.equals("a question")) {
            replies.add(says("Done."));
        }
        try (var model = ScriptedServer.chat(replies.toArray(Reply[]::new));
                var world = World.with(model).config(DEFAULT).file("a.sh", "#!/bin/sh\necho a\n")) {
            Ended ended = go(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(state, ended.result().at("/verification/state").asText());
            assertEquals(replies.size(), model.requests().size());
        }
    }

    @Test
    @DisplayName("edits by tools are not blamed on the command before them")
    void runEditRun() {
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", "sh a.sh"),
                                calls(
                                        "edit_file",
                                        "file_path",
                                        "a.sh",
                                        "old_string",
                                        "a",
                                        "new_string",
                                        "b"),
                                calls("run_command", "command", "sh a.sh"),
                                says("Done."));
                var world = World.with(model).config(DEFAULT).file("a.sh", "echo a\n")) {
            Ended ended = go(world);

            assertEquals("Done.", ended.result("result"), ended::toString);
            assertEquals(4, model.requests().size());
        }
    }

    @Test
    @DisplayName("a check with a harmless program behind it covers what was changed before it")
    void aCheckInAPipe() {
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", "sed -i s/a/b/ a.sh"),
                                calls(
                                        "run_command",
                                        "command",
                                        "bash -c 'bash -n a.sh && echo 1 passed' | tee t.log; echo exit $?"),
                                says("Done."));
                var world = World.with(model).config(DEFAULT).file("a.sh", "echo a\n")) {
            Ended ended = go(world);

            assertEquals("passed", ended.result().at("/verification/state").asText());
        }
    }

    @Test
    @DisplayName("a command in the background that changes a file after the check is noticed")
    void aWriterInTheBackground() {
        String writer = "while [ ! -e go ]; do sleep 0.05; done; echo x >> a.sh; touch done";
        String waits = "touch go; while [ ! -e done ]; do sleep 0.05; done";
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", writer, "background", true),
                                calls(
                                        "edit_file",
                                        "file_path",
                                        "a.sh",
                                        "old_string",
                                        "a",
                                        "new_string",
                                        "b"),
                                calls("run_command", "command", "bash -n a.sh"),
                                calls("run_command", "command", waits),
                                says("Done."),
                                says("Done."));
                var world = World.with(model).config(DEFAULT).file("a.sh", "echo a\n")) {
            Ended ended = go(world);

            assertEquals(
                    "none", ended.result().at("/verification/state").asText(), ended::toString);
        }
    }

    @Test
    @DisplayName("a command alone that changes a file is asked about like an edit")
    void changedByTheOnlyCommand() {
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", "sed -i s/a/b/ a.sh"),
                                says("Done."),
                                calls("run_command", "command", "bash -n a.sh"),
                                says("Checked."));
                var world = World.with(model).config(DEFAULT).file("a.sh", "echo a\n")) {
            Ended ended = world.runInside("--json", "--yolo", "go");

            assertEquals("Checked.", ended.result("result"), ended::toString);
            assertEquals("passed", ended.result().at("/verification/state").asText());
        }
    }

    @Test
    @DisplayName("an edit that breaks a file is told so at once; what was broken before is not")
    void syntaxIsChecked() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "a.json", "content", "{\"a\": }"),
                                calls("write_file", "file_path", "a.json", "content", "{\"b\": }"),
                                calls("write_file", "file_path", "a.json", "content", "{\"b\": 1}"),
                                says("Done."));
                var world = World.with(model)) {
            Ended ended = go(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            List<String> results = model.lastRequest().toolResults();
            assertTrue(
                    results.get(0).contains("[Syntax of a.json: line 1, column "), results.get(0));
            assertFalse(results.get(1).contains("[Syntax"), results.get(1));
            assertFalse(results.get(2).contains("[Syntax"), results.get(2));
        }
    }

    @Test
    @DisplayName("Python is parsed in the sandbox and leaves nothing beside the file")
    void pythonIsParsed() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no Python on this machine");
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "a.py", "content", "x = (1\n"),
                                calls("write_file", "file_path", "b.py", "content", "x = 1\n"),
                                says("Done."));
                var world = World.with(model)) {
            Ended ended = go(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            List<String> results = model.lastRequest().toolResults();
            assertTrue(
                    results.get(0).contains("[Syntax of a.py: line 1; SyntaxError"),
                    results.get(0));
            assertFalse(results.get(1).contains("[Syntax"), results.get(1));
            assertFalse(world.exists("__pycache__"));
        }
    }

    private static Ended go(World world) {
        return world.runInside("--json", "--yolo", "--sandbox=off", "go");
    }
}
