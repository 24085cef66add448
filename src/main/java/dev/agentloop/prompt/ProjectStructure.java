package dev.agentloop.prompt;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * A short picture of a folder for the system prompt: names only, two levels, bounded in entries,
 * characters and work, in a stable order so that the prompt's cached prefix stays the same.
 */
public final class ProjectStructure {
    private static final int MAX_ENTRIES = 30; // of one folder
    private static final int MAX_SEEN = 2_000; // names read of one folder, however many it holds
    private static final int MAX_CHARS = 220; // the tools find the rest when it is needed
    private static final Set<String> SKIPPED =
            Set.of(
                    ".git",
                    ".hg",
                    ".svn",
                    "node_modules",
                    "target",
                    "build",
                    "dist",
                    "out",
                    "__pycache__",
                    ".venv",
                    "venv",
                    ".gradle",
                    ".idea",
                    ".vscode",
                    ".cache");

    private ProjectStructure() {}

    /**
     * One entry a line, folders with a slash at the end; empty for an empty folder. The folder's
     * own entries come before those of its folders, which share what room is left.
     */
    public static String of(Path root) {
        List<Path> entries = names(root);
        List<String> lines = lines(entries, "", MAX_CHARS);
        int room = MAX_CHARS - String.join("", lines).length();
        List<Path> folders =
                entries.stream().limit(lines.size()).filter(ProjectStructure::isShown).toList();
        StringBuilder text = new StringBuilder();
        int opened = 0;
        for (int i = 0; i < lines.size(); i++) {
            text.append(lines.get(i));
            if (i < entries.size() && folders.contains(entries.get(i))) {
                int share = room / (folders.size() - opened++);
                String inside = String.join("", lines(names(entries.get(i)), "  ", share));
                text.append(inside);
                room -= inside.length();
            }
        }
        return text.toString();
    }

    private static boolean isShown(Path entry) {
        return isFolder(entry) && !SKIPPED.contains(name(entry));
    }

    private static boolean isFolder(Path entry) {
        return Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
    }

    /** As many entries as there is room for, and a line that counts the others. */
    private static List<String> lines(List<Path> entries, String indent, int room) {
        List<String> lines = new ArrayList<>();
        int left = room;
        for (Path entry : entries) {
            String line = indent + name(entry) + (isFolder(entry) ? "/\n" : "\n");
            if (lines.size() == MAX_ENTRIES || line.length() > left) {
                int others = entries.size() - lines.size();
                lines.add(indent + "… " + others + " more\n");
                break;
            }
            lines.add(line);
            left -= line.length();
        }
        return lines;
    }

    private static List<Path> names(Path folder) {
        List<Path> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                names.add(entry);
                if (names.size() == MAX_SEEN) {
                    break;
                }
            }
        } catch (IOException e) {
            return List.of(); // an unreadable folder has no picture
        }
        names.sort(Comparator.comparing(ProjectStructure::name));
        return names;
    }

    /** File names are foreign text: nothing in them may break out of its line. */
    private static String name(Path entry) {
        String name = String.valueOf(entry.getFileName());
        StringBuilder safe = new StringBuilder(name.length());
        name.codePoints()
                .forEach(c -> safe.appendCodePoint(Character.isISOControl(c) ? '\uFFFD' : c));
        return safe.toString();
    }
}
