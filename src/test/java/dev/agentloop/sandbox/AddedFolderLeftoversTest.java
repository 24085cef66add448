package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.sandbox.git.ConfinedGit;
import dev.agentloop.sandbox.watch.Boundaries;
import dev.agentloop.sandbox.watch.RunRecord;
import dev.agentloop.sandbox.watch.Watches;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a killed run has left in folders that were added to its workspace. */
class AddedFolderLeftoversTest {
    @TempDir Path temp;
    private Path workspace;
    private Path added;
    private Path records;

    @BeforeEach
    void folders() throws IOException {
        Path root = temp.toRealPath();
        workspace = Files.createDirectory(root.resolve("work"));
        added = Files.createDirectory(root.resolve("lib"));
        records = root.resolve("records");
        Files.createSymbolicLink(workspace.resolve(".envrc"), Path.of("../lib/env"));
    }

    private Boundaries boundaries() {
        List<Path> none = List.of();
        return new Boundaries(
                workspace, temp, none, none, none, Map.of(), false, none, List.of(added));
    }

    private RunRecord begun() {
        RunRecord record = RunRecord.of(records, boundaries());
        new Watches(boundaries(), false, (_, _, _) -> ConfinedGit.Answer.NONE, record).before();
        return record;
    }

    /** As if this process had been killed: another number stands in the names of its records. */
    private void dead() throws IOException {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(records)) {
            files.forEach(all::add);
        }
        for (Path file : all) {
            String[] parts = file.getFileName().toString().split("-");
            parts[1] = "999999999"; // more than Linux gives to processes
            Files.move(file, file.resolveSibling(String.join("-", parts)));
        }
    }

    @Test
    @Tag("D48")
    @DisplayName("the next start puts away what the command made there, also through a link")
    void controlFilesArePutAway() throws IOException {
        begun();
        dead();
        Files.writeString(added.resolve(".envrc"), "evil");
        Files.writeString(added.resolve("env"), "evil");

        String notes = String.join("\n", Leftovers.sweep(records, workspace));

        assertFalse(Files.exists(added.resolve(".envrc")), notes);
        assertFalse(Files.exists(added.resolve("env")), notes);
        assertTrue(notes.contains("in " + added + ": "), notes);
        assertEquals(List.of(), Leftovers.sweep(records, workspace));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(records)) {
            assertFalse(left.iterator().hasNext());
        }
    }

    @Test
    @Tag("D48")
    @DisplayName("a run that has the folder for its workspace cleans up there as well")
    void theFolderAsAWorkspace() throws IOException {
        begun().placeholders(Set.of(added.resolve(".agent"), workspace.resolve(".agent")));
        dead();
        Files.createDirectory(added.resolve(".agent"));
        Files.createDirectory(workspace.resolve(".agent"));
        Files.writeString(added.resolve(".envrc"), "evil");

        String notes = String.join("\n", Leftovers.sweep(records, added));

        assertFalse(Files.exists(added.resolve(".envrc")), notes);
        assertFalse(Files.exists(added.resolve(".agent")), notes);
        assertTrue(Files.exists(workspace.resolve(".agent")), notes);
        Leftovers.sweep(records, workspace);
        assertFalse(Files.exists(workspace.resolve(".agent")));
    }

    @Test
    @Tag("D48")
    @DisplayName("a folder that leads elsewhere since the kill is not touched")
    void whatLeadsElsewhere() throws IOException {
        begun();
        dead();
        Path elsewhere = Files.createDirectory(temp.toRealPath().resolve("elsewhere"));
        Files.writeString(elsewhere.resolve(".envrc"), "mine");
        Files.writeString(elsewhere.resolve("env"), "mine");
        Files.delete(added);
        Files.createSymbolicLink(added, elsewhere);

        String notes = String.join("\n", Leftovers.sweep(records, workspace));

        assertTrue(Files.exists(elsewhere.resolve(".envrc"), LinkOption.NOFOLLOW_LINKS), notes);
        assertTrue(Files.exists(elsewhere.resolve("env"), LinkOption.NOFOLLOW_LINKS), notes);
    }
}
