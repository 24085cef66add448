package dev.agentloop.undo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.session.Blobs;
import dev.agentloop.session.FileEffect;
import dev.agentloop.session.FileState;
import dev.agentloop.session.PreImage;
import dev.agentloop.session.Recovery;
import dev.agentloop.storage.Roots;
import dev.agentloop.tool.SeenFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found in a workspace after a call was cut off, and what is made of it. */
class FileRecoveryTest {
    @TempDir Path temp;
    private Path root;
    private final Map<String, byte[]> kept = new HashMap<>();

    @BeforeEach
    void prepare() throws IOException {
        root = temp.toRealPath();
    }

    @Test
    @Tag("B19")
    @DisplayName("nothing has changed: not applied, temporary names go, those of others stay")
    void before() throws Exception {
        write("a", "old");
        write(".agent-1.tmp", "new");
        write(".agent-2.old", "old");
        write(".agent-3.tmp", "of another process");

        Recovery.Outcome outcome = settle(changed("a", "old", "new"), changed("c", null, "x"));

        assertEquals(ToolResult.Kind.CANCELLED, outcome.result().kind());
        assertTrue(outcome.result().text().startsWith("Not applied"), outcome.result().text());
        assertEquals(List.of(".agent-3.tmp", "a"), names());
        assertEquals(FileState.ABSENT, outcome.after().get("c"));
    }

    @Test
    @Tag("B19")
    @DisplayName("all is as planned: a success, with what has changed")
    void planned() throws Exception {
        write("a", "new");
        write("made/c", "x");
        Recovery.Outcome outcome =
                settle(
                        changed("a", "old", "new"),
                        changed("b", "gone", null),
                        new PreImage("made", FileState.ABSENT, FileState.FOLDER, "", ""),
                        changed("made/c", null, "x"),
                        new PreImage("from", file("x"), FileState.ABSENT, "", "made/c"));

        assertEquals(ToolResult.Kind.OK, outcome.result().kind(), outcome.result().text());
        assertEquals(
                "[MODIFIED a, DELETED b, ADDED made/c, MOVED made/c]",
                outcome.result().changes().stream()
                        .map(change -> change.kind() + " " + change.path())
                        .toList()
                        .toString());
    }

    @Test
    @Tag("B19")
    @DisplayName("half of it: taken back, folders as well")
    void half() throws Exception {
        write("a", "new");
        write("d", "4");
        write("there", "m");
        Files.createDirectory(root.resolve("made"));
        write("made/.agent-5.tmp", "x");
        Recovery.Outcome outcome =
                settle(
                        changed("a", "old", "new"),
                        changed("b", "gone", null),
                        new PreImage("made", FileState.ABSENT, FileState.FOLDER, "", ""),
                        changed("made/c", null, "x"),
                        new PreImage("from", file("m"), FileState.ABSENT, "", "there"),
                        changed("d", "4", "5"));

        assertTrue(outcome.result().text().contains("taken back: a, b"), outcome.result().text());
        assertEquals(List.of("a", "b", "d", "from"), names());
        assertEquals("old", Files.readString(root.resolve("a")));
        assertEquals("gone", Files.readString(root.resolve("b")));
    }

    @Test
    @DisplayName("somebody else has changed a file: told with both fingerprints, nothing repaired")
    void foreign() throws Exception {
        write("a", "new");
        write("b", "mine");
        Recovery.Outcome outcome =
                settle(
                        changed("a", "old", "new"),
                        changed("b", "old", "new"),
                        changed("c", "x", "y"));

        assertEquals(ToolResult.Kind.ERROR, outcome.result().kind());
        for (String content : List.of("old", "new", "mine")) {
            assertTrue(outcome.result().text().contains(file(content).mark()), content);
        }
        assertEquals(List.of("a", "b"), names());
        assertEquals("new", Files.readString(root.resolve("a")));
    }

    @Test
    @DisplayName("a kept content that is not what was kept is never written")
    void damaged() throws Exception {
        write("a", "new");
        write("b", "2");
        PreImage a = changed("a", "old", "new");
        kept.put(a.blob(), new byte[] {1});
        Recovery.Outcome outcome = settle(a, changed("b", "2", "3"));

        assertTrue(outcome.result().text().contains("is damaged"), outcome.result().text());
        assertEquals("new", Files.readString(root.resolve("a")));
    }

    @Test
    @Tag("B19")
    @DisplayName("half a patch is taken back in an added folder, too, and nowhere else")
    void inAnAddedFolder() throws Exception {
        Path lib = Files.createDirectories(root.resolve("lib"));
        root = Files.createDirectories(root.resolve("work"));
        write(lib + "/a", "new");
        write("b", "old");
        PreImage[] both = {changed(lib + "/a", "old", "new"), changed("b", "old", "new")};

        Recovery.Outcome foreign = settle(both);
        assertTrue(foreign.result().text().contains("outside"), foreign.result().text());
        assertEquals("new", Files.readString(lib.resolve("a")));

        Recovery.Outcome ours = settle(new Roots(root, List.of(lib)), both);
        assertTrue(ours.result().text().contains("taken back"), ours.result().text());
        assertEquals("old", Files.readString(lib.resolve("a")));
    }

    @Test
    @DisplayName("nothing is settled in a workspace to which a link above it leads")
    void aLinkAboveTheWorkspace() throws Exception {
        Path real = Files.createDirectories(root.resolve("real/work"));
        Files.writeString(real.resolve("a"), "new");
        Files.createSymbolicLink(root.resolve("link"), real.getParent());
        root = root.resolve("link/work");

        Recovery.Outcome outcome = settle(changed("a", "old", "new"), changed("a", "new", "newer"));

        assertTrue(outcome.result().text().contains("leads elsewhere"), outcome.result().text());
        assertEquals("new", Files.readString(real.resolve("a")));
    }

    private Recovery.Outcome settle(PreImage... files) {
        return settle(Roots.only(root), files);
    }

    private Recovery.Outcome settle(Roots roots, PreImage... files) {
        FileEffect effect = new FileEffect(1, 1, 1, "c", List.of(files), null, false);
        Blobs blobs =
                new Blobs() {
                    @Override
                    public String keep(String fingerprint, byte[] content) {
                        throw new AssertionError("nothing is kept by a recovery");
                    }

                    @Override
                    public void force(List<String> names) {
                        throw new AssertionError("nothing is kept by a recovery");
                    }

                    @Override
                    public byte[] read(String name) throws IOException {
                        if (!kept.containsKey(name)) {
                            throw new NoSuchFileException(name);
                        }
                        return kept.get(name);
                    }
                };
        return new FileRecovery().settle(roots, effect, blobs);
    }

    private PreImage changed(String path, String before, String planned) {
        if (before != null) {
            kept.put(path, before.getBytes(StandardCharsets.UTF_8));
        }
        return new PreImage(path, file(before), file(planned), before == null ? "" : path, "");
    }

    private static FileState file(String content) {
        return content == null
                ? FileState.ABSENT
                : new FileState(
                        FileState.Kind.FILE,
                        SeenFiles.fingerprint(content.getBytes(StandardCharsets.UTF_8)),
                        0644);
    }

    private void write(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(root)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
