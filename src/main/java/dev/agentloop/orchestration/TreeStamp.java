package dev.agentloop.orchestration;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether anything in a folder has been written: names, sizes and times of its files. */
final class TreeStamp extends SimpleFileVisitor<Path> {
    private static final int MOST_FILES = 50_000; // a second's work; the rest is not looked at
    private static final Set<String> BUILT = // by commands that only look, such as tests
            Set.of(
                    ".git",
                    "node_modules",
                    "target",
                    "build",
                    "dist",
                    ".venv",
                    "venv",
                    ".gradle",
                    "__pycache__",
                    ".pytest_cache");

    private final Path root;
    private long sum;
    private int files;

    private TreeStamp(Path root) {
        this.root = root;
    }

    /** Differs, as good as always, when the files do. */
    static String of(Path folder) {
        TreeStamp stamp = new TreeStamp(folder);
        try {
            Files.walkFileTree(folder, stamp);
        } catch (IOException e) {
            return "unreadable"; // as a sign of progress it is none
        }
        return stamp.files + " " + stamp.sum;
    }

    /** Whether a name below a folder is of what commands build there. */
    static boolean isBuilt(String name) {
        return Stream.of(name.substring(name.indexOf(' ') + 1).split("/"))
                .anyMatch(BUILT::contains);
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes seen) {
        boolean built =
                !folder.equals(root) && BUILT.contains(String.valueOf(folder.getFileName()));
        return built ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes seen) {
        long one = file.hashCode();
        one = one * 31 + seen.size();
        one = one * 31 + seen.lastModifiedTime().hashCode();
        sum += one * 0x9E3779B97F4A7C15L; // in any order: folders are listed in none
        return ++files < MOST_FILES ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
        return FileVisitResult.CONTINUE; // not ours to read: then not ours to write either
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
        return FileVisitResult.CONTINUE;
    }
}
