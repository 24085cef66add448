package dev.agentloop.sandbox.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.sandbox.git.ConfinedGit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is put away, and what is not: a worktree, and changes beside it by its owner. */
class WatchesTest {
    @TempDir Path temp;

    private Path root;
    private Path store;
    private Path own;
    private Path workspace;

    @BeforeEach
    void worktree() throws IOException {
        root = temp.toRealPath();
        store = Files.createDirectories(root.resolve("main/.git"));
        own = Files.createDirectories(store.resolve("worktrees/one"));
        workspace = Files.createDirectories(root.resolve("trees/one"));
        Files.createDirectories(store.resolve("hooks"));
        Files.writeString(workspace.resolve(".git"), "gitdir: " + own + "\n");
        Files.writeString(own.resolve("gitdir"), workspace.resolve(".git") + "\n");
        Files.writeString(own.resolve("commondir"), "../..\n");
        Files.writeString(store.resolve("config"), "[core]\n\tbare = false\n");
    }

    private Watches watches(Path... further) {
        return new Watches(
                new Boundaries(workspace, root, List.of(), List.of(further), Map.of(), false),
                false,
                (_, _, _) -> ConfinedGit.Answer.GOOD);
    }

    private void eachAlone() throws IOException {
        Files.createFile(workspace.resolveSibling(Boundaries.EACH_TREE_ALONE));
    }

    private void ownerChanges() throws IOException {
        Files.writeString(store.resolve("config"), "[core]\n\teditor = vi\n");
        Files.writeString(store.resolve("hooks/pre-commit"), "true\n");
    }

    @Test
    @Tag("D49")
    @DisplayName("a store that commands cannot write was changed by its owner: it stays")
    void whatCommandsCannotWriteStays() throws IOException {
        eachAlone();
        Watches.Before before = watches().before();
        ownerChanges();
        Files.writeString(own.resolve("config"), "[core]\n\tfsmonitor = evil\n");

        List<String> notes = before.after();

        assertTrue(Files.exists(store.resolve("config")));
        assertTrue(Files.exists(store.resolve("hooks/pre-commit")));
        assertFalse(Files.exists(own.resolve("config")), notes.toString());
    }

    @Test
    @Tag("D49")
    @DisplayName("a store in a further folder of the commands is watched")
    void whatCommandsAreGrantedIsWatched() throws IOException {
        eachAlone();
        String former = Files.readString(store.resolve("config"));
        Watches.Before before = watches(root.resolve("main")).before();
        ownerChanges();

        assertEquals(2, before.after().size());
        assertEquals(former, Files.readString(store.resolve("config")));
    }

    @Test
    @Tag("D49")
    @DisplayName("what was put away before is not replaced")
    void nothingPutAwayIsReplaced() throws IOException {
        Watches watches = watches();
        for (String editor : List.of("one", "two", "three")) {
            Watches.Before before = watches.before();
            Files.writeString(store.resolve("config"), "[core]\n\teditor = " + editor + "\n");
            Files.writeString(store.resolve("hooks/pre-commit"), editor);
            assertEquals(2, before.after().size());
        }

        assertEquals("one", Files.readString(store.resolve("hooks/pre-commit.quarantined")));
        assertEquals("two", Files.readString(store.resolve("hooks/pre-commit.quarantined.2")));
        assertEquals("three", Files.readString(store.resolve("hooks/pre-commit.quarantined.3")));
        assertTrue(Files.readString(store.resolve("config.quarantined")).contains("one"));
        assertEquals(List.of(), watches.before().after());
    }
}
