package dev.agentloop.sandbox.watch;

import dev.agentloop.sandbox.git.file.RecordText;
import dev.agentloop.sandbox.git.settings.UserSettings;
import dev.agentloop.storage.Roots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A file that tells, while commands run in a workspace, what this program still has to clean up
 * there: for its next start, if it is killed meanwhile and all that watches over it as well. {@link
 * LeftRecord} reads it.
 */
public final class RunRecord {
    /** Nothing is kept. */
    public static final RunRecord NONE =
            new RunRecord(null, Roots.only(Path.of("/")), List.of(), List.of());

    public static final String HEAD = "record 2"; // the first line
    public static final String END = "end"; // the last one
    public static final String NEW = "-new"; // ends the name of one that is being written

    static final String PLACEHOLDER = "placeholder "; // begins a line
    static final String COMMAND = "command "; // begins what tells how all was before a command

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final int MOST_LINKS = 1024 * 1024; // characters; one may take 12 KiB
    private static final int MOST_CONTROLS = 2 * 1024 * 1024; // 74 for each file
    private static final String IF_KILLED = "if the agent is killed while a command runs here, ";

    private final @Nullable Path file;
    private final Set<Path> placeholders = new LinkedHashSet<>();
    private final Map<Object, String> commands = new LinkedHashMap<>();
    private final Path workspace;
    private final Roots roots;
    private final List<String> about;
    private final List<RunRecord> ofAdded;
    private final Set<String> told = new LinkedHashSet<>();
    private @Nullable Path folder;

    private RunRecord(
            @Nullable Path file, Roots roots, List<String> about, List<RunRecord> ofAdded) {
        this.file = file;
        this.roots = roots;
        this.workspace = roots.main();
        this.about = about;
        this.ofAdded = ofAdded;
    }

    /**
     * Of this process. Each folder that was added to the workspace has a record of its own, as if
     * it were one: so it is cleaned up also by a run that only knows the folder.
     *
     * @param records a folder that commands do not see; made when it is needed
     */
    public static RunRecord of(Path records, Boundaries boundaries) {
        List<RunRecord> ofAdded = new ArrayList<>();
        List<Path> roots = boundaries.roots();
        for (Path root : roots.subList(1, roots.size())) {
            ofAdded.add(of(records, boundaries.from(root), List.of()));
        }
        return of(records, boundaries, ofAdded);
    }

    private static RunRecord of(Path records, Boundaries boundaries, List<RunRecord> ofAdded) {
        Path workspace = boundaries.workspace();
        String mark = ProcessMark.ofThisProcess().strip().replace(' ', '-');
        String name = prefix(workspace) + mark + "-" + COUNT.incrementAndGet();
        List<String> about = new ArrayList<>();
        about.add(HEAD);
        about.add(line("workspace", workspace));
        about.add(line("home", boundaries.home()));
        UserSettings.of(boundaries.home(), boundaries.environment())
                .forEach(file -> about.add(line("settings", file)));
        for (Path one : boundaries.writable()) {
            about.add(line("further", HiddenPaths.realOrSame(one)));
        }
        for (Path one : boundaries.seen().added()) {
            about.add(line("further", one));
            about.add(line("root", one));
        }
        ofAdded.forEach(one -> about.add(line("added", one.workspace)));
        return new RunRecord(records.resolve(name), boundaries.seen(), about, ofAdded);
    }

    /** The one of a folder: the workspace, or one that was added to it. */
    RunRecord of(Path root) {
        return ofAdded.stream().filter(one -> one.workspace.equals(root)).findFirst().orElse(this);
    }

    public static String prefix(Path workspace) {
        return Long.toHexString(workspace.toString().hashCode() & 0xffffffffL) + "-";
    }

    /**
     * How a workspace was before a command.
     *
     * @param began milliseconds; what has changed later may be the command's
     * @param controls empty if they could not be looked at
     * @param repositories as {@link dev.agentloop.sandbox.git.GitRecord} writes them down; empty if
     *     it does not
     */
    public record Looks(
            long began, Optional<ControlLook.All> controls, Optional<String> repositories) {}

    /** The folder for what all commands of the run share, which goes with the run. */
    public synchronized void folder(Path path) {
        folder = path;
    }

    /**
     * What only one run at a time may do.
     *
     * @throws IOException if the others do not let it
     */
    public <T> T alone(AmongOthers<T> work) throws IOException {
        Path records = records();
        return records == null
                ? work.run(Set.of())
                : OtherRuns.alone(
                        records, () -> work.run(OtherRuns.placeholders(records, this::isOwn)));
    }

    /** Work that depends on the placeholders which other runs need. */
    @FunctionalInterface
    public interface AmongOthers<T> {
        T run(Set<Path> needed) throws IOException;
    }

    /** The folder of the records of all runs; null if nothing is kept. */
    public @Nullable Path records() {
        return file == null ? null : file.getParent();
    }

    private boolean isOwn(Path record) {
        return record.equals(file) || ofAdded.stream().anyMatch(one -> record.equals(one.file));
    }

    /** What is in the workspace only because something is mounted over it. */
    public void placeholders(Set<Path> all) {
        Set<Path> rest = new LinkedHashSet<>(all);
        for (RunRecord one : ofAdded) {
            Set<Path> there = new LinkedHashSet<>(rest);
            there.removeIf(path -> !one.isOver(path));
            one.own(there);
            rest.removeAll(there);
        }
        own(rest);
    }

    private boolean isOver(Path path) {
        return path.startsWith(workspace)
                || GitFolder.of(workspace).filter(git -> git.holds(path)).isPresent();
    }

    private void own(Set<Path> all) {
        synchronized (this) {
            if (placeholders.equals(all)) {
                return;
            }
            placeholders.clear();
            placeholders.addAll(all);
        }
        write();
    }

    /** A command is about to start. What the record will not tell is said, once. */
    public List<String> begin(Object command, Looks looks) {
        if (file == null) {
            return List.of();
        }
        List<String> notes = new ArrayList<>();
        String text = text(looks, notes);
        synchronized (this) {
            commands.put(command, text);
        }
        write().ifPresent(notes::add);
        synchronized (this) {
            notes.removeIf(note -> !told.add(note));
        }
        return notes;
    }

    /** It has ended, and what it did was looked at. */
    public List<String> end(Object command) {
        boolean known;
        synchronized (this) {
            known = commands.remove(command) != null;
        }
        return known && write().isPresent()
                ? List.of(
                        "the record of this command in "
                                + file
                                + " cannot be changed, so the next start may take it for one that was"
                                + " killed")
                : List.of();
    }

    private String text(Looks looks, List<String> notes) {
        StringBuilder text = new StringBuilder(COMMAND + looks.began + "\n");
        StringBuilder controls = new StringBuilder("controls\n");
        looks.controls.ifPresent(all -> controls(all, controls));
        if (looks.controls.isPresent() && controls.length() <= MOST_CONTROLS) {
            text.append(controls);
            int left = links(looks.controls.get(), text);
            if (left > 0) {
                text.append("cut\n");
                notes.add(
                        IF_KILLED
                                + "the next start does not look at all links of control files that"
                                + " lead to nothing: there are too many");
            }
        } else {
            notes.add(IF_KILLED + "the next start cannot compare control files");
        }
        looks.repositories.ifPresent(git -> text.append("repositories\n").append(git));
        if (looks.repositories.isEmpty()) {
            notes.add(
                    IF_KILLED
                            + "the next start cannot compare the repositories in the workspace: there"
                            + " are too many, or they could not be looked at");
        }
        return text.toString();
    }

    /** Names are digests: they take the same space whatever a command calls its folders. */
    private static void controls(ControlLook.All all, StringBuilder text) {
        all.closed().forEach(folder -> text.append(line("closed", folder)).append('\n'));
        all.looks()
                .forEach((path, look) -> {
                    if (!look.isNothing()) {
                        text.append("control ").append(key(path)).append(' ');
                        text.append(look.digest()).append('\n');
                    }
                });
    }

    public static String key(Path path) {
        return RecordText.digest(RecordText.path(path));
    }

    /** Writes those in the root first, and answers how many did not fit. */
    private int links(ControlLook.All all, StringBuilder text) {
        int left = 0;
        int end = text.length() + MOST_LINKS;
        for (boolean top : new boolean[] {true, false}) {
            for (ControlLook look : all.looks().values()) {
                if (look.file().top() == top) {
                    for (Path target : look.missingTargets(roots)) {
                        String line = line("missing", target) + "\n";
                        boolean fits = text.length() + line.length() <= end;
                        text.append(fits ? line : "");
                        left += fits ? 0 : 1;
                    }
                }
            }
        }
        return left;
    }

    /**
     * The answer says why it could not be written; empty if it was. Nobody else lists the records
     * meanwhile: on some file systems a list misses a file that is just being replaced.
     */
    private Optional<String> write() {
        Path records = records();
        if (file == null || records == null) {
            return Optional.empty();
        }
        try {
            return OtherRuns.alone(records, () -> replace(file, records)); // before our own lock
        } catch (IOException e) { // a full disk, or nothing may be written there
            return Optional.of(
                    IF_KILLED
                            + "the next start does not know what the command made: no record could be"
                            + " written ("
                            + e.getClass().getSimpleName()
                            + ")");
        }
    }

    /** As a whole: a kill on the way leaves the one before. */
    private synchronized Optional<String> replace(Path record, Path records) throws IOException {
        if (placeholders.isEmpty() && commands.isEmpty()) {
            Files.deleteIfExists(record);
            return Optional.empty();
        }
        if (!Files.isDirectory(records)) {
            Files.createDirectories(
                    records,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        }
        Path next = record.resolveSibling(record.getFileName() + NEW);
        Files.writeString(next, text());
        Files.move(next, record, StandardCopyOption.ATOMIC_MOVE);
        return Optional.empty();
    }

    private String text() {
        List<String> lines = new ArrayList<>(about);
        if (folder != null) {
            lines.add(line("folder", folder));
        }
        placeholders.forEach(
                path -> lines.add(PLACEHOLDER + RecordText.path(path.toAbsolutePath())));
        String command = // all others began later
                commands.isEmpty() ? "" : commands.values().iterator().next();
        return String.join("\n", lines) + "\n" + command + END + "\n";
    }

    private static String line(String word, Path path) {
        return word + " " + RecordText.path(path.toAbsolutePath());
    }
}
