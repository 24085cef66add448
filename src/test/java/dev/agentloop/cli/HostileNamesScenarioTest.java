package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names and values that somebody chose so that a careless program runs them; and bare facts. */
class HostileNamesScenarioTest {
    @Test
    @Tag("D29")
    @DisplayName("names and settings of a repository are never read by a shell of ours")
    void namesAreData() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                calls("list_files"),
                                calls("find_files", "pattern", "**"),
                                calls("grep", "pattern", "x"),
                                calls("read_file", "file_path", "$(touch PWN).txt"),
                                calls(
                                        "edit_file",
                                        "file_path",
                                        "$(touch PWN).txt",
                                        "old_string",
                                        "x",
                                        "new_string",
                                        "y"),
                                calls("write_file", "file_path", ";touch PWN;.py", "content", "z"),
                                calls("run_command", "command", "rm -f -- *PWN*.txt"),
                                says("Done."));
                var world = World.with(model).ordinary()) {
            Path root = world.workspace();
            makeRepository(world, root);
            Ended ended = world.runInside("--yolo", "--json", "the task");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(0, world.inside("undo", "--to", "0", "--yes").exitCode());
            world.inside("doctor");
            world.inside("sessions", "list");

            try (Stream<Path> files = Files.walk(root)) {
                assertFalse(files.anyMatch(file -> file.endsWith("PWN")));
            }
        }
    }

    @Test
    @Tag("D50")
    @DisplayName("a change of what the next build runs is said at the end")
    void buildFiles() {
        try (var model =
                        ScriptedServer.chat(
                                calls(
                                        "write_file",
                                        "file_path",
                                        "web/package.json",
                                        "content",
                                        "{}"),
                                calls("write_file", "file_path", "a.txt", "content", "a"),
                                says("Done."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "the task");

            String warnings = ended.result().path("warnings").toString();
            assertTrue(
                    warnings.contains("run by the next build or test: web/package.json."),
                    warnings);
        }
    }

    @Test
    @Tag("D69")
    @DisplayName("the result says what failed, whatever the model says")
    void factsBesideClaims() {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "a.txt", "content", "a\n"),
                                calls("run_command", "command", "exit 3"),
                                calls("run_command", "command", "true"),
                                calls("read_file", "file_path", "missing"),
                                says("All tests pass, and I changed nothing."));
                var world = World.with(model).ordinary()) {
            JsonNode result = world.runInside("--json", "--yolo", "the task").result();

            assertEquals(1, result.path("commands_failed").asInt());
            assertEquals("a.txt", result.at("/files_changed/0/path").asText());
            assertEquals(1, result.path("files_changed").size());
        }
    }

    private static void makeRepository(World world, Path root)
            throws IOException, InterruptedException {
        git(root, "init", "-q", "-b", "a$(touch${IFS}PWN)");
        git(root, "config", "user.email", "$(touch PWN)@x");
        git(root, "config", "user.name", ";touch PWN;`touch PWN`");
        for (String name : List.of("$(touch PWN).txt", "`touch PWN`.txt", "-rf", "a\nb")) {
            world.file(name, "x\n");
        }
        git(root, "add", "-A");
        git(root, "commit", "-q", "-m", "$(touch PWN)\n;touch PWN");
        git(root, "tag", "t$(touch${IFS}PWN)");
        git(root, "remote", "add", "origin", "ext::sh -c touch% PWN");
        git(root, "config", "core.fsmonitor", "touch " + root.resolve("PWN"));
        git(root, "config", "diff.external", "touch " + root.resolve("PWN"));
    }

    private static void git(Path folder, String... words) throws IOException, InterruptedException {
        List<String> argv = new ArrayList<>(List.of("git"));
        argv.addAll(List.of(words));
        Process process = new ProcessBuilder(argv).directory(folder.toFile()).inheritIO().start();
        assertEquals(0, process.waitFor());
    }
}
