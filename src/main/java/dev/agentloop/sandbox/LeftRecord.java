package dev.agentloop.sandbox;

import dev.agentloop.sandbox.git.GitRecord;
import dev.agentloop.sandbox.git.file.RecordText;
import dev.agentloop.sandbox.watch.ProcessMark;
import dev.agentloop.sandbox.watch.RunRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a {@link RunRecord} holds that its run has left, or still keeps. */
final class LeftRecord {
    private static final int MOST = 16 * 1024 * 1024; // bytes; ours stay below 6
    private static final int PARTS = 4; // of a name: workspace, process, its start, number
    private static final String UNREAD = "-unread"; // ends the name of one that was told of

    private final Path file;
    private final boolean alive;
    private final List<Path> folders = new ArrayList<>();
    private final List<Path> placeholders = new ArrayList<>();
    private final List<Path> further = new ArrayList<>();
    private final List<Path> added = new ArrayList<>();
    private final List<Path> roots = new ArrayList<>();
    private final List<Path> userSettings = new ArrayList<>();
    private final Map<String, String> controls = new HashMap<>();
    private final Set<Path> missing = new HashSet<>();
    private final Set<Path> closed = new HashSet<>();
    private final Set<String> words = new HashSet<>();
    private final GitRecord.Lines git = new GitRecord.Lines();
    private Path workspace = Path.of("/");
    private Path home = Path.of("/");
    private long began;

    private LeftRecord(Path file, boolean alive) {
        this.file = file;
        this.alive = alive;
    }

    Path file() {
        return file;
    }

    /** Whether the run that wrote this record still lives, so that nothing of it is cleaned up. */
    boolean alive() {
        return alive;
    }

    List<Path> folders() {
        return folders;
    }

    List<Path> placeholders() {
        return placeholders;
    }

    /** Folders besides the workspace that commands could write: real paths, at that time. */
    List<Path> further() {
        return further;
    }

    /** The folders that counted as one with the workspace: real paths, at that time. */
    List<Path> roots() {
        return roots;
    }

    /** Folders that counted as part of the workspace and have records of their own. */
    List<Path> added() {
        return added;
    }

    /** Files of settings of git for all repositories of the user. */
    List<Path> userSettings() {
        return userSettings;
    }

    Path home() {
        return home;
    }

    /** Whether a command was running, so that the rest says how all was before it. */
    boolean commandRan() {
        return words.contains("command");
    }

    /** When the command began, in milliseconds. */
    long began() {
        return began;
    }

    /** Whether control files were written down. */
    boolean hasControls() {
        return words.contains("controls");
    }

    /** What one was; empty if there was none. */
    String control(Path path) {
        return controls.getOrDefault(RunRecord.key(path), "");
    }

    /** Where links of control files led and nothing was. */
    Set<Path> missing() {
        return missing;
    }

    /** Folders in which control files are looked for that could not be listed. */
    Set<Path> closed() {
        return closed;
    }

    /** Whether there were more links of that kind. */
    boolean isCut() {
        return words.contains("cut");
    }

    boolean hasRepositories() {
        return words.contains("repositories");
    }

    GitRecord.Lines repositories() {
        return git;
    }

    /**
     * Those of all runs in this workspace.
     *
     * @param notes to which is said what could not be read; it is put aside, and said once
     */
    static List<LeftRecord> all(Path records, Path workspace, List<String> notes) {
        List<LeftRecord> left = new ArrayList<>();
        String prefix = RunRecord.prefix(workspace);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(records, prefix + "*")) {
            for (Path file : files) {
                String[] parts = String.valueOf(file.getFileName()).split("-");
                boolean alive = parts.length >= PARTS && ProcessMark.lives(parts[1], parts[2]);
                if (parts.length == PARTS) {
                    read(file, alive, workspace, left, notes);
                } else if (!alive && file.toString().endsWith(RunRecord.NEW)) {
                    Files.deleteIfExists(file); // the one before still holds
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            notes.add("not all records of killed runs in " + records + " could be read" + look());
        }
        return left;
    }

    private static void read(
            Path file, boolean alive, Path workspace, List<LeftRecord> left, List<String> notes) {
        LeftRecord record = new LeftRecord(file, alive);
        try {
            record.parse(text(file));
            if (record.workspace.equals(workspace)) { // else its name is like ours by chance
                left.add(record);
            }
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            boolean gone = !Files.exists(file); // its run has ended just now
            if (!alive && !gone) {
                notes.add(unreadable(file, workspace));
            }
        }
    }

    private static String text(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST + 1);
            if (bytes.length > MOST) {
                throw new IllegalArgumentException("too long");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private static String unreadable(Path file, Path workspace) {
        String process = String.valueOf(file.getFileName()).split("-")[1];
        Path aside = file.resolveSibling(file.getFileName() + UNREAD);
        try {
            Files.move(file, aside);
        } catch (IOException e) {
            aside = file; // said again by the next start
        }
        return "the record of a killed run (process "
                + process
                + ") cannot be read, so nothing was put away that its commands made in "
                + workspace
                + look()
                + "; the record is "
                + aside;
    }

    private static String look() {
        return ": before you use the workspace, see git status, new files that tell other programs"
                + " what to run (.envrc, .vscode, .github and the like), and hooks and settings of"
                + " the repositories in it";
    }

    private void parse(String text) {
        List<String> lines = text.lines().toList();
        if (!text.endsWith("\n")
                || !lines.getFirst().equals(RunRecord.HEAD)
                || !lines.getLast().equals(RunRecord.END)) {
            throw new IllegalArgumentException("not whole");
        }
        for (String line : lines.subList(1, lines.size() - 1)) {
            add(List.of(line.split(" ", -1))); // with a limit even a line of blanks has words
        }
    }

    private void add(List<String> line) {
        words.add(line.getFirst());
        switch (line.getFirst()) {
            case "workspace" -> workspace = RecordText.path(line.get(1));
            case "home" -> home = RecordText.path(line.get(1));
            case "settings" -> userSettings.add(RecordText.path(line.get(1)));
            case "further" -> further.add(RecordText.path(line.get(1)));
            case "root" -> roots.add(RecordText.path(line.get(1)));
            case "added" -> added.add(RecordText.path(line.get(1)));
            case "folder" -> folders.add(RecordText.path(line.get(1)));
            case "placeholder" -> placeholders.add(RecordText.path(line.get(1)));
            case "command" -> began = Long.parseLong(line.get(1));
            case "control" -> controls.put(line.get(1), line.get(2));
            case "closed" -> closed.add(RecordText.path(line.get(1)));
            case "missing" -> missing.add(RecordText.path(line.get(1)));
            case "git" -> git.add(line.subList(1, line.size()));
            case "controls", "cut", "repositories" -> {}
            default -> throw new IllegalArgumentException(line.getFirst());
        }
    }
}
