package dev.agentloop.sandbox;

import dev.agentloop.controlfile.FolderListings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Cleans up after runs that were killed while a command ran in a workspace: empty files and folders
 * that the sandbox had made, the run's temporary files, and control files that nobody has looked at
 * since the command made them.
 */
public final class Leftovers {
    private static final String TEMPORARY = "agent-output-"; // as such folders are called

    private final Path workspace;
    private final List<String> notes = new ArrayList<>();

    private Leftovers(Path workspace) {
        this.workspace = workspace;
    }

    /**
     * To be done before anything in the workspace is believed. The answer is what to say about it.
     *
     * @param records where {@link SandboxProbe.Found#within(Boundaries, Path)} keeps records
     */
    public static List<String> sweep(Path records, Path workspace) {
        if (!Files.isDirectory(records)) {
            return List.of();
        }
        Leftovers leftovers = new Leftovers(HiddenPaths.realOrSame(workspace));
        List<RunRecord.Left> all = RunRecord.all(records, leftovers.workspace);
        Set<Path> needed = new HashSet<>(); // by another run, which would lose its mounts
        all.stream()
                .filter(RunRecord.Left::alive)
                .forEach(left -> needed.addAll(left.placeholders()));
        all.stream().filter(left -> !left.alive()).forEach(left -> leftovers.sweep(left, needed));
        return leftovers.notes;
    }

    private void sweep(RunRecord.Left left, Set<Path> needed) {
        List<String> removed = new ArrayList<>();
        for (Path placeholder : left.placeholders()) {
            if (!needed.contains(placeholder) && Placeholders.remove(placeholder)) {
                removed.add(show(placeholder));
            }
        }
        left.folders().stream()
                .filter(folder -> String.valueOf(folder.getFileName()).startsWith(TEMPORARY))
                .filter(folder -> Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS))
                .forEach(folder -> {
                    removed.add(folder.toString());
                    removeAll(folder);
                });
        if (!removed.isEmpty()) {
            notes.add(
                    "a killed run had left these, they are removed: " + String.join(", ", removed));
        }
        if (left.commandRan()) {
            controls(left);
        }
        try {
            Files.deleteIfExists(left.file());
        } catch (IOException e) {
            return; // looked at once more by the next start
        }
    }

    private void controls(RunRecord.Left left) {
        ControlWatch watch = new ControlWatch(workspace, false, RunRecord.NONE);
        List<String> found = new ArrayList<>();
        for (Path target : left.missing()) {
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                found.add(watch.quarantine(target, ""));
            }
        }
        for (Map.Entry<Path, ControlLook> one :
                ControlLook.all(workspace, FolderListings.of(workspace)).looks().entrySet()) {
            String digest = left.controls().get(one.getKey());
            ControlLook look = one.getValue();
            if (digest == null && look.present() && look.file().top()) {
                watch.appeared(look, false, found, found);
            } else if (digest == null ? look.present() : !digest.equals(look.digest())) {
                found.add(show(one.getKey()) + " is not as it was: look at it before you use it");
            }
        }
        if (!found.isEmpty()) {
            notes.add(
                    "a run was killed while a command ran here; since then: "
                            + String.join("; ", found));
        }
    }

    private static void removeAll(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException | java.io.UncheckedIOException e) {
            return; // some of it cannot be read: it stays in the folder for temporary files
        }
    }

    private String show(Path file) {
        return file.startsWith(workspace) ? workspace.relativize(file).toString() : file.toString();
    }
}
