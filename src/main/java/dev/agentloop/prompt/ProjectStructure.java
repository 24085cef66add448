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
    private static final String INDENT = "  ";
    private static final int MAX_SEEN = 2_000; // names read of one folder, however many it holds
    private static final int MAX_CHARS = 180; // the tools find the rest when it is needed
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
        List<Path> shown = fitting(entries, "", MAX_CHARS);
        int room = MAX_CHARS - length(shown, "");
        int closed = (int) shown.stream().filter(ProjectStructure::isShown).count();
        StringBuilder text = new StringBuilder();
        for (Path entry : shown) {
            text.append(line(entry, ""));
            if (isShown(entry)) {
                List<Path> all = names(entry);
                List<Path> inside = fitting(all, INDENT, room / closed--);
                inside.forEach(one -> text.append(line(one, INDENT)));
                text.append(inside.isEmpty() ? "" : others(all, inside, INDENT));
                room -= length(inside, INDENT);
            }
        }
        return text.append(others(entries, shown, "")).toString();
    }

    /** The first entries, as many as there is room for. */
    private static List<Path> fitting(List<Path> entries, String indent, int room) {
        int count = 0;
        int left = room;
        while (count < Math.min(entries.size(), MAX_ENTRIES)) {
            left -= line(entries.get(count), indent).length();
            if (left < 0) {
                break;
            }
            count++;
        }
        return entries.subList(0, count);
    }

    private static int length(List<Path> entries, String indent) {
        return entries.stream().mapToInt(entry -> line(entry, indent).length()).sum();
    }

    private static String line(Path entry, String indent) {
        return indent + name(entry) + (isFolder(entry) ? "/\n" : "\n");
    }

    private static String others(List<Path> all, List<Path> shown, String indent) {
        int others = all.size() - shown.size();
        return others == 0 ? "" : indent + "… " + others + " more\n";
    }

    private static boolean isShown(Path entry) {
        return isFolder(entry) && !SKIPPED.contains(name(entry));
    }

    private static boolean isFolder(Path entry) {
        return Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
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
