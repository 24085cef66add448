package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
            Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", "go");

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
            Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("It still does not.", ended.result("result"));
            assertEquals("failed", ended.result().at("/verification/state").asText());
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
            Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", "go");

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
            Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            List<String> results = model.lastRequest().toolResults();
            assertTrue(
                    results.get(0).contains("[Syntax of a.py: line 1; SyntaxError"),
                    results.get(0));
            assertFalse(results.get(1).contains("[Syntax"), results.get(1));
            assertFalse(world.exists("__pycache__"));
        }
    }
}
