package dev.agentloop.sandbox.git.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.sandbox.git.GitWatch;
import dev.agentloop.sandbox.git.WatchedRepository;
import dev.agentloop.sandbox.git.file.GitFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of the repository come back as they were before a command. */
class SettingsBackupTest {
    private static final String MINE =
            "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://example.com/x\n";

    @TempDir Path temp;

    private Path workspace;
    private Path store;
    private Path config;

    @BeforeEach
    void repository() throws IOException {
        workspace = Files.createDirectory(temp.toRealPath().resolve("ws"));
        store = Files.createDirectory(workspace.resolve(".git"));
        config = Files.writeString(store.resolve("config"), MINE);
    }

    private SettingsBackup backup() {
        return SettingsBackup.of(List.of(store), workspace, SettingsBackup.NONE);
    }

    private boolean restored(SettingsBackup backup, Path file) {
        return backup.restore(file, List.of(workspace));
    }

    private void putAway(Path file) throws IOException {
        Files.move(file, file.resolveSibling(file.getFileName() + ".quarantined"));
    }

    @Test
    @DisplayName("what was there comes back, with its mode; what was put away stays beside it")
    void comesBack() throws IOException {
        Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r-----"));
        Path tree = Files.writeString(store.resolve("config.worktree"), "[core]\n\tbare = false\n");
        SettingsBackup backup = backup();
        Files.writeString(config, MINE + "[foo]\n\tbar = x\n");
        putAway(config);
        putAway(tree);

        assertTrue(restored(backup, config));
        assertTrue(restored(backup, tree));

        assertEquals(MINE, Files.readString(config));
        assertEquals(
                "rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(config)));
        try (var files = Files.list(store)) {
            List<String> names = files.map(file -> "" + file.getFileName()).sorted().toList();
            assertEquals(
                    List.of(
                            "config",
                            "config.quarantined",
                            "config.worktree",
                            "config.worktree.quarantined"),
                    names);
        }
    }

    @Test
    @DisplayName("what was not there, was not harmless, was too long or a link does not come back")
    void doesNotComeBack() throws IOException {
        SettingsBackup nothing = backup();
        assertFalse(restored(nothing, store.resolve("config.worktree")));
        assertFalse(restored(nothing, store.resolve("hooks/pre-commit")));

        for (String text :
                List.of(
                        "[core]\n\tfsmonitor = evil\n",
                        "[include]\n\tpath = ../x\n",
                        "no settings",
                        "# " + "x".repeat(GitFiles.MOST_SETTINGS) + "\n")) {
            Files.writeString(config, text);
            SettingsBackup backup = backup();
            Files.delete(config);
            assertFalse(restored(backup, config), text);
            assertFalse(Files.exists(config));
        }
        Files.createSymbolicLink(config, Files.writeString(temp.resolve("elsewhere"), MINE));
        SettingsBackup ofLink = backup();
        Files.delete(config);
        assertFalse(restored(ofLink, config));
    }

    @Test
    @DisplayName("of more than 16 MiB in all, the first repositories are kept")
    void notAllOfTooMany() throws IOException {
        List<Path> stores = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            stores.add(Files.createDirectory(workspace.resolve("store" + i)));
            String text = "# " + "x".repeat(GitFiles.MOST_SETTINGS - 3) + "\n";
            Files.writeString(stores.getLast().resolve("config"), text);
        }
        SettingsBackup first = SettingsBackup.of(stores, workspace, SettingsBackup.NONE);

        for (SettingsBackup one : List.of(first, SettingsBackup.of(stores, workspace, first))) {
            assertTrue(restored(one, stores.getFirst().resolve("config")));
            assertFalse(restored(one, stores.getLast().resolve("config")));
        }
    }

    @Test
    @DisplayName("a link that stands there is replaced, a folder that became a link is not entered")
    void linksAreNotFollowed() throws IOException {
        SettingsBackup backup = backup();
        Path outside = Files.createDirectory(temp.resolve("outside"));
        Path other = Files.writeString(outside.resolve("other"), "other");
        Files.delete(config);
        Files.createSymbolicLink(config, other);
        assertTrue(restored(backup, config));
        assertFalse(Files.isSymbolicLink(config));
        assertEquals("other", Files.readString(other));

        Files.move(store, workspace.resolve("moved"));
        Files.createSymbolicLink(store, outside);
        assertFalse(restored(backup, config));
        assertFalse(Files.exists(outside.resolve("config"), LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    @DisplayName("what has become dangerous meanwhile, by a link elsewhere, does not come back")
    void harmlessIsJudgedAgain() throws IOException {
        Files.createDirectory(workspace.resolve("tree"));
        Files.writeString(config, "[core]\n\tworktree = ../tree\n");
        SettingsBackup backup = backup();
        Files.delete(config);
        Files.delete(workspace.resolve("tree"));
        Files.createSymbolicLink(workspace.resolve("tree"), temp);

        assertFalse(restored(backup, config));
    }

    @Test
    @DisplayName("a setting that is not known to be harmless costs the repository nothing else")
    void onlyTheSettingIsLost() throws IOException, InterruptedException {
        WatchedRepository repository = WatchedRepository.in(temp);
        repository.sh("git config user.email me@x");
        GitWatch.Before before = repository.before();
        repository.sh("git config foo.bar x");

        String notes = String.join("\n", before.after());

        assertTrue(notes.contains("it sets foo.bar, outside of the sandbox"), notes);
        assertTrue(notes.contains("the settings from before the command are in its place"), notes);
        repository.sh(
                "test $(git config remote.origin.url) = https://example.com/x;"
                        + " test $(git config user.email) = me@x; ! git config foo.bar");
        GitWatch.Before next = repository.before();
        repository.sh("git config user.email you@x");
        assertEquals(List.of(), next.after(), "what is harmless stays");
        repository.sh("test $(git config user.email) = you@x");
    }
}
