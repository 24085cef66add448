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
    private static final int MAX_CHARS = 3_000; // about 750 tokens
    private static final int DEPTH = 2;
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

    private final StringBuilder text = new StringBuilder();

    private ProjectStructure() {}

    /** One entry a line, folders with a slash at the end; empty for an empty folder. */
    public static String of(Path root) {
        ProjectStructure structure = new ProjectStructure();
        structure.list(root, "", DEPTH);
        return structure.text.toString();
    }

    private void list(Path folder, String indent, int depth) {
        List<Path> names = names(folder);
        int shown = Math.min(names.size(), MAX_ENTRIES);
        for (Path entry : names.subList(0, shown)) {
            if (text.length() > MAX_CHARS) {
                text.append(indent).append("…\n");
                return;
            }
            boolean isFolder = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
            text.append(indent).append(name(entry)).append(isFolder ? "/\n" : "\n");
            if (isFolder && depth > 1 && !SKIPPED.contains(name(entry))) {
                list(entry, indent + "  ", depth - 1);
            }
        }
        if (shown < names.size()) {
            text.append(indent).append("… ").append(names.size() - shown).append(" more\n");
        }
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
