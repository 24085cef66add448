package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A change of several files that is cut off in the middle is whole or not there at all. */
@Tag("side-by-side")
class HalfChangeIT {
    private static final Reply PATCH =
            calls(
                    "apply_patch",
                    "patch",
                    """
                    *** Begin Patch
                    *** Update File: a
                    -1
                    +one
                    *** Delete File: b
                    *** Add File: new/c
                    +three
                    *** Update File: d
                    -4
                    +four
                    *** End Patch
                    """);
    private static final String OLD = "a:1\n b:2\n d:4\n";
    private static final String NEW = "a:one\n d:four\n new/c:three\n";

    /** From the first such call of the process on, since some come before the patch. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "fchmod, 4, Not applied",
        "renameat, 4, Not applied",
        "unlinkat, 3, Done (recovered)"
    })
    @Tag("B19")
    @DisplayName("kill -9 at each change of a name: resume finds all files old or all new")
    void killedAtEach(String call, int changes, String outcome) {
        int seen = 0;
        for (int number = 1; seen < changes; number++) {
            seen += killedAndResumed(call, number).contains(outcome) ? 1 : 0;
        }
    }

    /** What the model is told of its call; the files agree with it. */
    private static String killedAndResumed(String call, int number) {
        try (var model = ScriptedServer.chat(PATCH);
                var world =
                        World.with(model)
                                .ordinary()
                                .file("a", "1\n")
                                .file("b", "2\n")
                                .file("d", "4\n")) {
            AgentProcess process =
                    world.launch()
                            .under(strace(call, number))
                            .startRun("--yolo", "--sandbox=off", "the task");
            Ended killed = process.ending();
            assertEquals(137, killed.exitCode(), killed::toString);
            world.processes().killStrays();
            world.newlyServedUsd(); // nobody is left who could account for it

            model.then(says("I see."));
            Ended resumed = world.agent("resume", "--last", "--json", "--yolo", "--sandbox=off");

            assertEquals(0, resumed.exitCode(), resumed::toString);
            String told = model.lastRequest().toolResults().getFirst().toString();
            assertEquals(told.matches("(?s).*(Done|Patched).*") ? NEW : OLD, files(world), told);
            world.agent("undo", "--to", "0", "--yes");
            assertEquals(OLD, files(world));
            return told;
        }
    }

    @Test
    @Tag("B18")
    @Tag("B36")
    @DisplayName("no room for the third of three files: none is changed, nothing is left")
    void noRoomForTheThird() {
        String patch =
                """
                *** Begin Patch
                *** Update File: a
                -1
                +one
                *** Add File: new/c
                +three
                *** Update File: large
                -first
                +FIRST
                *** End Patch
                """;
        try (var model = ScriptedServer.chat(calls("apply_patch", "patch", patch), says("Full."));
                var world = World.with(model).ordinary().file("a", "1\n")) {
            String large = "first\n" + "x".repeat(100_000) + "\n";
            world.file("large", large);
            Ended ended =
                    world.launch()
                            .under(List.of("bash", "-c", "ulimit -f 64; exec \"$@\"", "limited"))
                            .run("--json", "--no-session", "--yolo", "--sandbox=off", "the task");

            assertEquals(0, ended.exitCode(), ended::toString);
            String told = model.lastRequest().toolResults().getFirst().toString();
            assertTrue(told.contains("large"), told);
            assertEquals("a:1\n large:" + large, files(world), told);
            assertTrue(!world.exists("new"), told);
        }
    }

    private static List<String> strace(String call, int number) {
        return List.of(
                "strace",
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-e",
                "trace=" + call,
                "-e",
                "inject=" + call + ":signal=KILL:when=" + number);
    }

    /** All files of the workspace with their contents. */
    private static String files(World world) {
        Path root = world.workspace();
        try (Stream<Path> all = Files.walk(root)) {
            StringBuilder text = new StringBuilder();
            for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                text.append(text.isEmpty() ? "" : " ").append(root.relativize(file));
                text.append(':').append(Files.readString(file));
            }
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
