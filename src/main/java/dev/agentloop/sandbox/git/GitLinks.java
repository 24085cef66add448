package dev.agentloop.sandbox.git;

import dev.agentloop.sandbox.git.file.GitFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Folders that a repository takes for submodules, wherever they lie: git goes into each of them by
 * itself, for a mere {@code git status}, and does what the settings there say. Read from the index,
 * which says it whether or not there is a {@code .gitmodules}; again only when that has changed.
 */
final class GitLinks {
    private static final int MOST_REPOSITORIES = 100;

    private final Map<Path, Known> known = new HashMap<>();

    private record Known(String stamp, List<String> links) {}

    /** Folders of submodules, and of submodules within those. */
    Set<Path> folders(Path worktree) {
        Set<Path> found = new LinkedHashSet<>();
        Deque<Path> open = new ArrayDeque<>(List.of(worktree));
        while (!open.isEmpty() && found.size() < MOST_REPOSITORIES) {
            Path folder = open.removeFirst();
            Path store = GitFiles.store(folder.resolve(".git"));
            for (Path index : store == null ? List.<Path>of() : indexes(store)) {
                for (String link : links(index)) {
                    below(folder, link)
                            .filter(below -> below.startsWith(worktree) && found.add(below))
                            .ifPresent(open::add);
                }
            }
        }
        return found;
    }

    private static Optional<Path> below(Path folder, String link) {
        try {
            return Optional.of(folder.resolve(link).normalize());
        } catch (InvalidPathException e) {
            return Optional.empty(); // git finds no folder of this name either
        }
    }

    /** A split index keeps most entries in a second file. */
    private static List<Path> indexes(Path store) {
        List<Path> files = new ArrayList<>();
        Path index = store.resolve("index");
        if (!Files.isRegularFile(index, LinkOption.NOFOLLOW_LINKS)) {
            return files;
        }
        files.add(index);
        try (DirectoryStream<Path> shared = Files.newDirectoryStream(store, "sharedindex.*")) {
            for (Path file : shared) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    files.add(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return files;
        }
        return files;
    }

    private List<String> links(Path index) {
        GitFiles.Stamp stamp = GitFiles.stamp(index);
        Known before = known.get(index);
        if (before == null || !before.stamp.equals(stamp.text())) {
            String text = stamp.young() ? "young" : stamp.text();
            before = new Known(text, GitIndex.of(index).links());
            known.put(index, before);
        }
        return before.links;
    }
}
