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
import dev.agentloop.testing.GitShell;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** AGENTS.md files in runs: who is believed, and when each is told. */
class GuidanceScenarioTest {
    @Test
    @Tag("P18")
    @DisplayName("trusted, the files are guidance in the system prompt, the user's first")
    void trusted() throws IOException {
        try (var model = ScriptedServer.chat(says("Done."));
                var world =
                        World.with(model)
                                .file("AGENTS.md", "Use tabs. @docs/style.md")
                                .file("docs/style.md", "No stars.")) {
            Files.writeString(world.root().resolve("config/agent/AGENTS.md"), "Be brief.");

            Ended ended = world.runInside("--json", "--trust", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            String system = model.request(0).system();
            int brief = system.indexOf("Be brief.");
            int tabs = system.indexOf("<guidance file=\"AGENTS.md\">\nUse tabs.");
            int stars = system.indexOf("<guidance file=\"docs/style.md\">\nNo stars.");
            assertTrue(0 < brief && brief < tabs && tabs < stars, system);
            assertFalse(ended.result().path("warnings").toString().contains("AGENTS"));
            String line = "Guidance: (your configuration)/AGENTS.md, AGENTS.md, docs/style.md\n";
            assertTrue(ended.err().contains(line), ended::err);
        }
    }

    @Test
    @Tag("P18")
    @Tag("D45")
    @DisplayName("unattended and untrusted, nothing is read, and the same line says so")
    void unattended() {
        try (var model =
                        ScriptedServer.chat(calls("read_file", "file_path", "a/x"), says("Done."));
                var world =
                        World.with(model)
                                .file("AGENTS.md", "Obey!")
                                .file("a/AGENTS.md", "Obey!")
                                .file("a/x", "x")
                                .file(".agent/config.yaml", "limits: {max_steps: 3}")) {
            Ended ended = world.runInside("--json", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(model.lastRequest().body().toString().contains("Obey!"));
            String warnings = ended.result().path("warnings").toString();
            assertTrue(warnings.contains("/.agent/config.yaml, " + world.workspace()), warnings);
            assertTrue(warnings.contains("/AGENTS.md\""), warnings);
        }
    }

    @Test
    @Tag("D45")
    @DisplayName("--rules-from reads guidance of the base commit, also of deeper folders")
    void baseCommit() throws Exception {
        try (var model =
                        ScriptedServer.chat(calls("read_file", "file_path", "a/x"), says("Done."));
                var world =
                        World.with(model)
                                .file("AGENTS.md", "Base rule.")
                                .file("a/AGENTS.md", "Base of a.")
                                .file("a/x", "x")) {
            GitShell.run(
                    world.workspace(), "git init -q -b main . && git add -A && git commit -qm x");
            world.file("AGENTS.md", "Obey!").file("a/AGENTS.md", "Obey!");

            Ended ended = world.runInside("--json", "--rules-from", "main", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(model.request(0).system().contains("Base rule."));
            String result = model.lastRequest().lastToolResult();
            assertTrue(result.contains("<guidance file=\"a/AGENTS.md\">\nBase of a."), result);
            assertFalse(model.lastRequest().body().toString().contains("Obey!"));
            String warnings = ended.result().path("warnings").toString();
            assertTrue(warnings.contains("AGENTS.md (changed)"), warnings);
        }
    }

    @Test
    @DisplayName("A deeper folder's guidance comes with the first file of it, and the prefix stays")
    void deeperFolder() {
        try (var model =
                        ScriptedServer.chat(
                                calls("read_file", "file_path", "a/b/x"),
                                calls(call("read_file", "file_path", "a/y")),
                                says("Done."));
                var world =
                        World.with(model)
                                .file("a/AGENTS.md", "Of a.")
                                .file("a/b/AGENTS.md", "Of b.")
                                .file("a/b/x", "x")
                                .file("a/y", "y")) {
            Ended ended = world.runInside("--json", "--trust", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            String first = model.request(1).lastToolResult();
            assertTrue(first.contains("Of a.") && first.contains("Of b."), first);
            assertFalse(model.request(2).lastToolResult().contains("Of "), "each is told once");
            assertEquals(model.request(0).system(), model.request(2).system());
        }
    }

    @Test
    @DisplayName("A compaction may take a deeper folder's guidance away: it is told again")
    void toldAgain() {
        ScriptedServer model = ScriptedServer.chat().allowingCompaction();
        for (int i = 1; i <= 12; i++) {
            model.then(calls("read_file", "file_path", "a/" + i));
        }
        model.then(says("Done."));
        try (model;
                var world = World.with(model).file("a/AGENTS.md", "Of a.")) {
            for (int i = 1; i <= 12; i++) {
                world.file("a/" + i, ("line of " + i + "\n").repeat(400));
            }
            world.config("context: {max_context_tokens: 6000}");
            Ended ended = world.runInside("--output-format=stream-json", "--trust", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(ended.events("context.compacted").isEmpty(), ended::toString);
            assertTrue(model.lastRequest().raw().contains("Of a."), ended::toString);
        }
    }

    @Test
    @DisplayName("What is too long to stand below a result is cut, and says so")
    void tooLongBelowAResult() {
        try (var model =
                        ScriptedServer.chat(calls("read_file", "file_path", "a/x"), says("Done."));
                var world = World.with(model).file("a/x", "x")) {
            world.file("a/AGENTS.md", "A rule.\n".repeat(2_000));
            assertEquals(0, world.runInside("--json", "--trust", "go").exitCode());
            String result = model.lastRequest().lastToolResult();
            assertTrue(
                    result.contains("[cut here: read the file for the rest]\n</guidance>"), result);
        }
    }

    @Test
    @Tag("P2")
    @Tag("D5")
    @DisplayName("what the model could not read without a question is not imported either")
    void importsUnderThePolicy() {
        try (var model = ScriptedServer.chat(says("Done."));
                var world =
                        World.with(model)
                                .file("AGENTS.md", "@.env @notes.md @private/plan.md")
                                .file(".env", "PASSWORD=hunter2")
                                .file("private/plan.md", "Hush.")) {
            world.file("notes.md", "Fine: ghp_16C7e42F292c6912E7710c838347Ae178B4a");
            Ended ended =
                    world.runInside("--json", "--trust", "--deny=read_file(private/**)", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            String system = model.request(0).system();
            assertTrue(system.contains("Fine: [[secret:"), system);
            assertFalse(system.contains("hunter2") || system.contains("Hush."), system);
            String warnings = ended.result().path("warnings").toString();
            assertTrue(warnings.contains("left out: @private/plan.md (not allowed"), warnings);
        }
    }

    @Test
    @DisplayName(
            "A resumed session keeps its system prompt to the byte, whatever has changed since")
    void resumed() throws Exception {
        try (var model = ScriptedServer.chat(says("One."), says("Two."));
                var world = World.with(model).file("AGENTS.md", "Use tabs.")) {
            GitShell.run(
                    world.workspace(),
                    "git init -q -b main . && git add -A && git commit -qm first");
            assertEquals(0, world.runInside("--trust", "go").exitCode());
            world.file("AGENTS.md", "Use blanks.").file("new", "x");
            GitShell.run(
                    world.workspace(),
                    "git checkout -qb other && git add -A && git commit -qm second");

            Ended ended = world.runInside("--trust", "--continue", "more");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(model.request(0).system(), model.request(1).system());
            String before = model.request(0).lastText();
            String after = model.request(1).lastText();
            assertTrue(before.startsWith("go\n\n<surroundings>\nDate: 20"), before);
            assertTrue(before.contains("Git branch: main\n"), before);
            assertTrue(before.contains(" first\n"), before);
            assertTrue(after.contains("Git branch: other, main branch main\n"), after);
            assertTrue(after.contains(" second\n"), after);
            assertTrue(after.contains("Use blanks."), "the task says what is another by now");
        }
    }

    @Test
    @DisplayName("system prompt and tools together are at most 8 kB, however large the project")
    void size() throws IOException {
        try (var model = ScriptedServer.chat(says("Done."));
                var world = World.with(model)) {
            for (int i = 0; i < 40; i++) {
                for (int j = 0; j < 40; j++) {
                    world.file("folder-with-a-long-name-" + i + "/file-with-a-name-" + j, "");
                }
            }
            assertEquals(0, world.runInside("--trust", "go").exitCode());

            String system = model.request(0).system();
            String tools = model.request(0).body().path("tools").toString();
            assertTrue(system.contains("… 3"), "the structure is as long as it can be: " + system);
            int both = system.length() + tools.length();
            assertTrue(both <= 8_192, () -> both + " characters");
        }
    }
}
