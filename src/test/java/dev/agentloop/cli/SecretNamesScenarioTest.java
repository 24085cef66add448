package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A secret may also be the name of a tool, a file, a hook or an agent. */
class SecretNamesScenarioTest {
    private static final String KEY = "sk-ant-api03-Zq8vK2mW5xR7tY1uI4oP6aS9dF3gH0jL";
    private static final String FILE = KEY + ".txt";

    private static ScriptedServer namesEverything() {
        return ScriptedServer.chat(
                calls(KEY, "x", "y"),
                calls("write_file", "file_path", FILE, "content", "one\n"),
                calls("write_file", "file_path", "d/" + FILE, "content", "one\n"),
                calls("edit_file", "file_path", FILE, "old_string", "one", "new_string", "two"),
                calls("move_file", "from", "d/" + FILE, "to", "d/moved-" + FILE),
                calls("delete_file", "file_path", "d/moved-" + FILE),
                calls("run_command", "command", "ln -s " + KEY + " link; echo x >cmd-" + FILE),
                calls("read_file", "file_path", "secret/" + FILE),
                calls("list_files"),
                says("Done."));
    }

    private static void assertNowhere(World world, Ended ended) throws IOException {
        assertTrue(!ended.out().contains(KEY), ended::out);
        assertTrue(!ended.err().contains(KEY), ended::err);
        try (Stream<Path> files = Files.walk(world.root())) {
            files.filter(Files::isRegularFile).forEach(file -> assertClean(file));
        }
    }

    private static void assertClean(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            int at = text.indexOf(KEY);
            assertTrue(at < 0, () -> file + ": " + text.substring(Math.max(0, at - 300), at + 80));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @DisplayName("no output, log, journal or export has a key that is a name")
    void nowhere() throws Exception {
        for (String format : List.of("-vv", "--json", "--output-format=stream-json")) {
            try (var model = namesEverything();
                    var world =
                            World.with(model)
                                    .config(
                                            "permissions: {audit_log: ~/audit.jsonl, deny:"
                                                    + " ['read_file(secret/*)']}")) {
                Files.createDirectories(world.root().resolve("home"));
                Ended ended =
                        world.runInside(
                                "--yolo", "--sandbox=off", format, "--log-file", "log.jsonl", "go");

                assertEquals(0, ended.exitCode(), ended::toString);
                assertNowhere(world, ended);
                String id =
                        world.inside("sessions", "list", "--json")
                                .out()
                                .replaceAll("(?s).*?\\b(0[0-9A-Z]{25})\\b.*", "$1");
                for (String kind : List.of("markdown", "html", "json")) {
                    Ended export = world.inside("sessions", "export", id, "--format", kind);
                    assertEquals(0, export.exitCode(), export::toString);
                    assertNowhere(world, export);
                }
                assertNowhere(world, world.inside("sessions", "show", id));
                assertNowhere(world, world.inside("sessions", "show", id, "--json"));
                assertNowhere(world, world.inside("sessions", "list"));
                assertNowhere(world, world.inside("sessions", "list", "--json"));
            }
        }
    }

    @Test
    @DisplayName("an undo leaves a file whose name is not kept, and says so")
    void undo() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", FILE, "content", "one\n"),
                                calls("write_file", "file_path", "plain", "content", "one\n"),
                                says("Done."));
                var world = World.with(model)) {
            assertEquals(0, world.runInside("--yolo", "--sandbox=off", "go").exitCode());

            Ended undone = world.inside("undo", "--yes");

            assertNowhere(world, undone);
            String all = undone.out() + undone.err();
            assertTrue(all.contains("its name holds a secret"), undone::toString);
            assertTrue(Files.exists(world.workspace().resolve(FILE)), undone::toString);
            assertTrue(Files.notExists(world.workspace().resolve("plain")), undone::toString);
        }
    }
}
