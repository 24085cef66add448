package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cassettes that are none, or not whole, and options that cannot be meant: exit 3, one error. */
class CassetteErrorsScenarioTest {
    private static void refused(World world, String part) {
        for (String option : List.of("--replay", "--replay-model")) {
            Ended ended = world.runInside("--json", option, Tapes.FILE, "go");

            assertEquals(3, ended.exitCode(), ended::toString);
            assertEquals("config_error", ended.result().path("stop_reason").asText());
            assertTrue(ended.errorMessage().contains(part), ended::errorMessage);
            assertTrue(ended.errorMessage().contains("run.cassette"), ended::errorMessage);
        }
    }

    @ParameterizedTest
    @DisplayName("Foreign, newer, broken and incomplete files are named with line and field")
    @CsvSource(
            delimiter = '|',
            value = {
                "s/agent-cassette/other/ | is not a cassette: line 1",
                "s/\"version\":1/\"version\":2/ | line 1: version 2 of the format is not known",
                "s/\"session_id\":\"[^\"]*\",// | line 1: session_id is missing",
                "s/\"stream\":true/\"stream\":\"yes\"/ | line 1: stream is neither true nor false",
                "s/(\"type\":\"replied\".*)end_turn/tired/ | finish is unknown to this version",
                "s/(\"type\":)\"requested\"/\"wished\"/ | type is unknown to this version: \"wished\"",
                "s/(\"type\":\"opened\",\"history\":)\\[/{/ | line 2: not JSON",
                "s/(\"input\":)\\d+/\"x\"/ | usage.input is not a number",
                "d/\"type\":\"ended\"/ | is not whole: the run that was recorded never ended",
            })
    void broken(String edit, String part) {
        try (var model = ScriptedServer.chat(says("done"));
                var world = World.with(model)) {
            Tapes.record(world, "go");
            Tapes.edit(world, edit);

            refused(world, part);
        }
    }

    @Test
    @DisplayName("A torn last line is an incomplete cassette; agent replay shows what there is")
    void torn() {
        try (var model = ScriptedServer.chat(says("done"));
                var world = World.with(model)) {
            Tapes.record(world, "go");
            String whole = Tapes.text(world);
            Tapes.write(world, whole.substring(0, whole.length() - 10));

            refused(world, "is not whole");
            Ended shown = world.inside("replay", Tapes.FILE);
            assertEquals(0, shown.exitCode(), shown::toString);
            assertTrue(shown.err().contains("is not whole"), shown::err);
            assertTrue(shown.out().contains("done"), shown::out);
        }
    }

    @Test
    @DisplayName("A line of 200 MB is refused without being read, and so is nesting without end")
    void huge() throws IOException {
        try (var model = ScriptedServer.chat(says("done"));
                var world = World.with(model)) {
            Tapes.record(world, "go");
            String header = Tapes.text(world).lines().findFirst().orElseThrow() + "\n";
            Tapes.write(world, header + "[".repeat(100_000) + "\n");
            refused(world, "line 2: not JSON");
            try (var file = new RandomAccessFile(Tapes.file(world).toFile(), "rw")) {
                file.setLength(header.getBytes(StandardCharsets.UTF_8).length + (200L << 20));
            }
            Tapes.write(world, header);
            try (var file = new RandomAccessFile(Tapes.file(world).toFile(), "rw")) {
                file.setLength(200L << 20); // sparse
            }
            refused(world, "line 2 is longer than 32 MB");
        }
    }

    @Test
    @DisplayName("What is no cassette is not overwritten, nor is a link; an old cassette is, whole")
    void overwriting() throws IOException {
        try (var model = ScriptedServer.chat(says("one"), says("two"));
                var world = World.with(model)) {
            Tapes.write(world, "my notes\n");
            Ended refused = Tapes.record(world, "go");
            assertEquals(3, refused.exitCode(), refused::toString);
            assertEquals("my notes\n", Tapes.text(world));
            Files.delete(Tapes.file(world));
            Files.createSymbolicLink(Tapes.file(world), world.workspace().resolve("there"));
            assertEquals(3, Tapes.record(world, "go").exitCode());
            assertFalse(world.exists("there"));
            Files.delete(Tapes.file(world));

            Tapes.record(world, "go");
            model.expectAnotherBeginning();
            Tapes.record(world, "go");

            assertTrue(Tapes.text(world).contains("two"));
            assertFalse(Tapes.text(world).contains("\"text\":\"one\""));
            assertEquals("rw-------", Tapes.mode(world));
        }
    }

    @ParameterizedTest
    @DisplayName("Options that contradict each other are refused by name")
    @CsvSource(
            delimiter = '|',
            value = {
                "--record=a --replay=b go | --record and --replay contradict",
                "--record=a --replay-model=b go | --record and --replay-model contradict",
                "--replay=a --replay-model=b go | --replay and --replay-model contradict",
                "--replay=a --continue go | --replay and --continue contradict",
                "--replay=a --session=X go | --replay and --session contradict",
                "--replay=a --config=c go | --replay and --config contradict",
                "--replay-model=a --session=X go | use it with agent run, without a session",
                "--replay=missing | missing is not a file",
                "--replay-model=missing go | missing is not a file",
                "--record=no/such/folder/x go | Make its folder first",
                "--record=. go | is there and not a cassette",
            })
    void contradictions(String words, String part) {
        try (var world = World.withoutModel()) {
            Ended ended = world.runInside(("--json " + words).split(" "));

            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains(part), ended::errorMessage);
        }
    }

    @Test
    @DisplayName("A session that goes on is not replayed into")
    void resume() {
        try (var world = World.withoutModel()) {
            Ended ended = world.inside("resume", "--last", "--json", "--replay=x", "go");

            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("use it with agent run"), ended::errorMessage);
        }
    }
}
