package dev.agentloop.undo;

import dev.agentloop.session.FileState;
import dev.agentloop.session.PreImage;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Temporary names that a killed process left beside the files that it was changing. */
final class Leftovers {
    private Leftovers() {}

    static void remove(Restorer restorer, List<PreImage> files) throws IOException {
        Set<Path> folders = new LinkedHashSet<>();
        for (PreImage file : files) {
            folders.add(restorer.checked(file.path()).getParent());
        }
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) { // a named pipe would hold up whoever lists it
                continue;
            }
            try (DirectoryStream<Path> names =
                    Files.newDirectoryStream(folder, ".agent-*.{tmp,old}")) {
                for (Path name : names) {
                    if (isOurs(name, files)) {
                        Files.deleteIfExists(name);
                    }
                }
            } catch (NoSuchFileException | NotDirectoryException e) {
                // the call did not come so far
            }
        }
    }

    /**
     * What holds a content of the call, or half of one: other processes may be at work in the same
     * folder, and theirs are younger than this process.
     */
    private static boolean isOurs(Path name, List<PreImage> files) throws IOException {
        CurrentFile held;
        try {
            held = CurrentFile.at(name);
        } catch (AccessDeniedException e) {
            return false; // it must not keep the rest from being taken back
        }
        if (!held.isFile()) {
            return false;
        }
        boolean known =
                files.stream()
                        .anyMatch(file -> isOf(file.before(), held) || isOf(file.planned(), held));
        return known || name.toString().endsWith(".tmp") && isOlderThanUs(name);
    }

    private static boolean isOf(FileState state, CurrentFile held) {
        return state.holds(held.state());
    }

    private static boolean isOlderThanUs(Path name) throws IOException {
        Instant written = Files.getLastModifiedTime(name, LinkOption.NOFOLLOW_LINKS).toInstant();
        // The system counts its start in whole seconds, so ours may seem up to one too early.
        return ProcessHandle.current()
                .info()
                .startInstant()
                .map(start -> written.isBefore(start.plusSeconds(1)))
                .orElse(false);
    }
}
