package dev.agentloop.durable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.durable.engine.DurableEngine;
import dev.agentloop.durable.engine.DurableException;
import dev.agentloop.durable.engine.DurableObjects;
import dev.agentloop.durable.engine.Engines;
import dev.agentloop.durable.engine.LocalEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentRunsTest {
    @TempDir Path folder;

    private AgentRuns runs() throws IOException {
        Path root = Files.createDirectories(folder.resolve("root"));
        return new AgentRuns(
                new AgentRuns.Place(
                        List.of("/bin/false"), List.of(), List.of(root), folder.resolve("state")));
    }

    private static DurableTask task(Path workspace) {
        return new DurableTask("t", "do it", workspace.toString(), List.of(), "", "");
    }

    @Test
    void aWorkspaceOutsideOfTheRootsIsRefusedAlsoThroughALink() throws IOException {
        AgentRuns runs = runs();
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Path link = Files.createSymbolicLink(folder.resolve("root/link"), outside);
        for (Path workspace : List.of(outside, link, folder.resolve("root/../outside"))) {
            DurableException refused =
                    assertThrows(
                            DurableException.class,
                            () -> runs.start(task(workspace), List.of(), ""));
            assertTrue(String.valueOf(refused.getMessage()).contains("--root"));
        }
    }

    @Test
    void aSessionThatIsNotTheTasksKeepsItsPlace() throws IOException {
        AgentRuns runs = runs();
        Path workspace = folder.resolve("root");
        String name = "2026/11/01KJMMA2G05R08D3MZ4CFMX81T";
        Path journal = folder.resolve("state/sessions").resolve(name).resolve("journal.jsonl");
        Files.createDirectories(journal.getParent());
        Files.writeString(journal, "a user's first line\nand more\n");
        List<SessionPart> pieces =
                List.of(new SessionPart(name, "the task's first line\n", Map.of()));
        assertThrows(DurableException.class, () -> runs.start(task(workspace), pieces, ""));
        assertEquals("a user's first line\nand more\n", Files.readString(journal));
    }

    @Test
    void aRunThatCannotBeStartedLeavesNothingBehind() throws IOException {
        Path root = Files.createDirectories(folder.resolve("root"));
        AgentRuns runs =
                new AgentRuns(
                        new AgentRuns.Place(
                                List.of("/does/not/exist"),
                                List.of(),
                                List.of(root),
                                folder.resolve("state")));
        assertThrows(IOException.class, () -> runs.start(task(root), List.of(), ""));
        String own = "agent-task-" + ProcessHandle.current().pid() + "-";
        try (var left = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertEquals(0, left.filter(it -> it.getFileName().toString().startsWith(own)).count());
        }
    }

    @Test
    void whatAnEngineSaysIsNoPath() throws IOException {
        AgentRuns runs = runs();
        Path workspace = folder.resolve("root");
        List<SessionPart> elsewhere = List.of(new SessionPart("../../etc", "x\n", Map.of()));
        assertThrows(DurableException.class, () -> runs.start(task(workspace), elsewhere, ""));
        byte[] content = {1};
        List<SessionPart> blob =
                List.of(
                        new SessionPart(
                                "2026/11/01KJMMA2G05R08D3MZ4CFMX81T",
                                "x\n",
                                Map.of("../x", content)));
        assertThrows(DurableException.class, () -> runs.start(task(workspace), blob, ""));
    }

    @Test
    void aPieceSurvivesPacking() throws DurableException {
        byte[] blob = "content".getBytes(StandardCharsets.UTF_8);
        SessionPart piece = new SessionPart("2026/11/X", "{\"a\":\"ä\"}\n", Map.of("b", blob));
        SessionPart back = SessionPart.unpacked(piece.packed());
        assertEquals(piece.lines(), back.lines());
        assertEquals(piece.folder(), back.folder());
        assertArrayEquals(blob, back.blobs().get("b"));
        assertThrows(DurableException.class, () -> SessionPart.unpacked("no zip"));
    }

    @Test
    void anEngineThatIsNotThereIsNamedWithItsPlaces() {
        DurableException missing =
                assertThrows(
                        DurableException.class,
                        () -> Engines.find("restate", List.of(folder), folder));
        assertTrue(String.valueOf(missing.getMessage()).contains("scripts/engines"));
        assertThrows(DurableException.class, () -> Engines.find("../x", List.of(folder), folder));
    }

    @Test
    void theLocalEngineRefusesKeysThatAreNoNames() {
        DurableObjects objects =
                new LocalEngine(folder)
                        .open(
                                new DurableEngine.Settings(
                                        "", Map.of(), java.time.Duration.ofSeconds(1)));
        Tasks tasks = new Tasks(objects);
        assertThrows(DurableException.class, () -> tasks.view("../../x"));
    }
}
