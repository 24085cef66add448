package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.call;
import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Runs that are recorded, and played again from their cassette. */
class ReplayScenarioTest {
    static final String[] SET_UP = {"--output-format=stream-json", "--yolo", "--sandbox=off"};

    static Ended record(World world, String... more) {
        return run(world, "--record", "../run.cassette", more);
    }

    static Ended replay(World world, String... more) {
        return world.runInside(
                concat(
                        new String[] {
                            "--output-format=stream-json", "--replay", "../run.cassette"
                        },
                        more));
    }

    static Ended run(World world, String option, String file, String... more) {
        return world.runInside(concat(concat(SET_UP, option, file), more));
    }

    static String[] concat(String[] first, String... more) {
        String[] all = java.util.Arrays.copyOf(first, first.length + more.length);
        System.arraycopy(more, 0, all, first.length, more.length);
        return all;
    }

    static Path cassette(World world) {
        return world.root().resolve("run.cassette");
    }

    /** The stream without what docs/replay.md says differs. */
    static List<String> stream(Ended ended) {
        return ended.out()
                .lines()
                .map(line -> line.replaceAll("\"ts\":\"[^\"]*\"", "\"ts\":\"\""))
                .map(line -> line.replaceAll(",\"journal\":\"[^\"]*\"", ""))
                .map(line -> line.replaceAll(",\"cassette\":\"[^\"]*\"(,\"replay\":\"run\")?", ""))
                .toList();
    }

    @Test
    @DisplayName("A recorded run replays to the same stream, without its server")
    void same() {
        Reply write = calls("write_file", "file_path", "a.txt", "content", "x\n");
        try (var model = ScriptedServer.chat(write, says("done"));
                var world = World.with(model)) {
            Ended first = record(world, "write a");
            model.close();
            delete(world.workspace().resolve("a.txt"));
            Ended second = replay(world);

            assertEquals(0, first.exitCode(), first::toString);
            assertEquals(0, second.exitCode(), second::toString);
            assertEquals(String.join("\n", stream(first)), String.join("\n", stream(second)));
            assertFalse(world.exists("a.txt"));
            assertEquals("run", second.result().path("replay").asText());
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
