package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How {@code agent mcp serve} ends, and what it leaves behind: nothing but what was asked for. */
class McpServeEndIT {
    private static final Duration CLEANED = Duration.ofSeconds(5);

    /** Long output goes to a file of the run, and TERM does not end the command. */
    private static final String STUBBORN =
            "trap '' TERM; yes abcdefgh | head -c 300000; touch begun; sleep 300; sleep 300";

    private static final String HELLO =
            """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}
            """;
    private static final String RUN =
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":\
            {"name":"run","arguments":{"task":"go"},"_meta":{"progressToken":"p"}}}
            """;
    private static final String CANCEL =
            """
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
            """;

    /** What ends a run under way. */
    enum How {
        CANCELLED,
        CLOSED,
        TERM,
        KILL
    }

    @ParameterizedTest
    @CsvSource({
        "CANCELLED, auto",
        "CANCELLED, off",
        "CLOSED, auto",
        "CLOSED, off",
        "TERM, auto",
        "TERM, off",
        "KILL, auto",
        "KILL, off"
    })
    @DisplayName("a run that is cancelled, or loses its server, leaves no process and no file")
    void leavesNothing(How how, String sandbox) throws IOException {
        try (var model = ScriptedServer.chat(calls("run_command", "command", STUBBORN));
                var world = World.with(model).ordinary()) {
            makeRepository(world);
            List<String> before = files(world);
            AgentProcess server =
                    world.launch()
                            .idleStdin()
                            .start(
                                    "mcp",
                                    "serve",
                                    "--allow=run_command(*)",
                                    "--sandbox=" + sandbox);
            server.type(HELLO + RUN);
            server.awaitFile("begun");
            end(server, how, world);

            Files.delete(world.workspace().resolve("begun"));
            Await.holdsWithin(CLEANED, () -> files(world).equals(before));
            assertEquals(before, files(world));
            if (how != How.KILL) { // then it has a third of a second for it, or has not
                assertEquals(1, world.records("end").size());
            }
            assertTrue(server.out().contains("notifications/progress"), server::toString);
        }
    }

    private static void end(AgentProcess server, How how, World world) {
        switch (how) {
            case CANCELLED -> {
                server.type(CANCEL);
                Await.until("the run's end", () -> !world.records("end").isEmpty());
                server.feed("");
                assertEquals(0, server.ended().exitCode());
            }
            case CLOSED -> {
                server.feed("");
                assertEquals(0, server.ended().exitCode());
            }
            case TERM -> assertEquals(130, server.signal("TERM").ended().exitCode());
            case KILL -> server.killed();
        }
    }

    private static void makeRepository(World world) throws IOException {
        try {
            new ProcessBuilder("git", "init", "-q", ".")
                    .directory(world.workspace().toFile())
                    .start()
                    .waitFor();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** All of the workspace and of the folder for passing files. */
    private static List<String> files(World world) {
        List<String> all = new ArrayList<>();
        for (Path folder : List.of(world.workspace(), world.root().resolve("tmp"))) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.map(Path::toString).sorted().forEach(all::add);
            } catch (IOException | UncheckedIOException e) {
                all.add("changing: " + e);
            }
        }
        return all;
    }
}
