package dev.agentloop.search.ignore;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Where the files of a repository are: in .git, or where a worktree's or submodule's .git says. */
final class RepositoryFiles {
    private static final String POINTER = "gitdir: ";
    private static final int MAX_BYTES = 8 * 1024; // a path

    private RepositoryFiles() {}

    /** The folder that all worktrees of the repository share. */
    static Path of(Path top) throws IOException {
        Path git = top.resolve(".git");
        if (Files.isDirectory(git)) {
            return git;
        }
        String pointer = line(git);
        if (!pointer.startsWith(POINTER)) {
            return git;
        }
        try {
            Path own = top.resolve(pointer.substring(POINTER.length()));
            return own.resolve(line(own.resolve("commondir")));
        } catch (InvalidPathException e) {
            return git;
        }
    }

    /** The first line of a small file; empty if there is none. */
    private static String line(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || !Files.isReadable(file)) {
            return "";
        }
        try (InputStream in = Files.newInputStream(file)) {
            String text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
            return text.lines().findFirst().orElse("").strip();
        }
    }
}
