package dev.agentloop.sandbox;

import dev.agentloop.sandbox.git.ConfinedGit;
import dev.agentloop.sandbox.git.GitRecord;
import dev.agentloop.sandbox.git.GitWatch;
import dev.agentloop.sandbox.git.WatchedPlaces;
import dev.agentloop.sandbox.git.file.LookPart;
import dev.agentloop.sandbox.watch.ControlLook;
import dev.agentloop.sandbox.watch.ControlWatch;
import dev.agentloop.sandbox.watch.HiddenPaths;
import dev.agentloop.sandbox.watch.OtherRuns;
import dev.agentloop.sandbox.watch.Quarantine;
import dev.agentloop.storage.Roots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Cleans up after runs that were killed while a command ran in a workspace: empty files and folders
 * that the sandbox had made, the run's temporary files, and control files and traps of git that
 * nobody has looked at since the command made them.
 */
public final class Leftovers {
    private static final String TEMPORARY = "agent-output-"; // as such folders are called

    private static final String NOT_KNOWN =
            " were not compared, because the record does not hold them: look at them before you use"
                    + " the workspace";

    private final Path workspace;
    private final List<String> notes = new ArrayList<>();

    private Leftovers(Path workspace) {
        this.workspace = workspace;
    }

    /**
     * To be done before anything in the workspace is believed. The answer is what to say about it.
     *
     * @param records where {@link SandboxProbe.Found} keeps records
     */
    public static List<String> sweep(Path records, Path workspace) {
        if (!Files.isDirectory(records)) {
            return List.of();
        }
        Leftovers leftovers = new Leftovers(HiddenPaths.realOrSame(workspace));
        List<LeftRecord> all = LeftRecord.all(records, leftovers.workspace, leftovers.notes);
        Set<Path> added = new LinkedHashSet<>();
        for (LeftRecord left : all) {
            if (!left.alive()) {
                added.addAll(left.added());
                leftovers.sweep(records, left);
            }
        }
        for (Path folder : added) {
            sweep(records, folder)
                    .forEach(note -> leftovers.notes.add("in " + folder + ": " + note));
        }
        return leftovers.notes;
    }

    private void sweep(Path records, LeftRecord left) {
        List<String> removed = new ArrayList<>();
        try {
            OtherRuns.alone(records, () -> removed.addAll(placeholders(records, left)));
        } catch (IOException e) {
            notes.add("empty files that a killed run had left stay: " + e.getMessage());
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
            command(left);
        }
        try {
            Files.deleteIfExists(left.file());
        } catch (IOException e) {
            return; // looked at once more by the next start
        }
    }

    /** Not those of another run, which would lose its mounts. */
    private List<String> placeholders(Path records, LeftRecord left) throws IOException {
        List<String> removed = new ArrayList<>();
        if (left.placeholders().isEmpty()) {
            return removed;
        }
        Set<Path> needed = OtherRuns.placeholders(records, _ -> false);
        for (Path placeholder : left.placeholders()) {
            if (!needed.contains(placeholder)
                    && MountedPlaceholders.remove(List.of(workspace), placeholder)) {
                removed.add(show(placeholder));
            }
        }
        return removed;
    }

    private void command(LeftRecord left) {
        List<String> found = new ArrayList<>();
        if (left.hasRepositories()) {
            LookPart.run("repositories", found, () -> repositories(left, found));
        } else {
            found.add("hooks and settings of the repositories in the workspace" + NOT_KNOWN);
        }
        if (left.hasControls()) {
            LookPart.run("control files", found, () -> controls(left, found));
        } else {
            found.add("control files such as .envrc, .vscode and .github" + NOT_KNOWN);
        }
        if (!found.isEmpty()) { // both looks may have opened a folder
            notes.add(
                    "a run was killed while a command ran here; since then: "
                            + String.join("; ", new LinkedHashSet<>(found)));
        }
    }

    /** Packs are named only: there is no sandbox yet in which git could read them. */
    private void repositories(LeftRecord left, List<String> found) {
        GitRecord.Lines lines = left.repositories();
        List<Path> further = new ArrayList<>(left.further());
        further.removeIf(folder -> leadsElsewhere(folder, found));
        lines.own().removeIf(own -> leadsElsewhere(own.store(), found));
        GitWatch watch =
                new GitWatch(
                        new WatchedPlaces(workspace, left.home(), left.userSettings(), further),
                        (_, _, _) -> ConfinedGit.Answer.NONE,
                        Quarantine::putAway);
        found.addAll(watch.before(lines, left.began()).after());
    }

    /** Files are renamed with the user's rights: not in what a command has put in its place. */
    private boolean leadsElsewhere(Path folder, List<String> found) {
        Path real = HiddenPaths.real(folder);
        if (folder.startsWith(workspace) || real == null || real.equals(folder)) {
            return false;
        }
        found.add(folder + " leads to " + real + " now and was not looked at");
        return true;
    }

    private void controls(LeftRecord left, List<String> found) {
        List<Path> others = new ArrayList<>(left.roots());
        others.removeIf(folder -> leadsElsewhere(folder, found));
        ControlWatch watch = new ControlWatch(new Roots(workspace, others), false);
        for (Path target : left.missing()) {
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                found.add(watch.quarantine(target, ""));
            }
        }
        if (left.isCut()) {
            found.add("not all links of control files that led to nothing were looked at");
        }
        ControlLook.All now = watch.opened(watch.look(), left.closed(), found);
        for (Map.Entry<Path, ControlLook> one : now.looks().entrySet()) {
            String digest = left.control(one.getKey());
            ControlLook look = one.getValue();
            if (digest.isEmpty() && look.present() && look.file().top()) {
                watch.appeared(look, false, found, found);
            } else if (digest.isEmpty() ? look.present() : !digest.equals(look.digest())) {
                found.add(show(one.getKey()) + " is not as it was: look at it before you use it");
            }
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
