package dev.agentloop.wiring;

import dev.agentloop.tool.SecretNames;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Files of a workspace that commands must not read where nobody can be asked about it. Keys of
 * tests ({@code *.pem} and the like) are not among them: without those the tests would fail.
 */
public final class SecretFiles {
    private static final int MAX_LOOKED_AT = 20_000; // names; the first command waits for them
    private static final int MAX_FOUND = 50; // each costs every command half a millisecond
    private static final Set<String> SKIPPED = Set.of(".git", "node_modules", "target", ".venv");

    private SecretFiles() {}

    /** Those within a bounded look; a tree that cannot be read has none for commands either. */
    public static List<Path> in(Path root) {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(root, new Look(found));
        } catch (IOException e) {
            return found;
        }
        return found;
    }

    private static final class Look extends SimpleFileVisitor<Path> {
        private final List<Path> found;
        private int lookedAt;

        Look(List<Path> found) {
            this.found = found;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes is) {
            Path name = folder.getFileName();
            return name != null && SKIPPED.contains(name.toString())
                    ? FileVisitResult.SKIP_SUBTREE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes is) {
            if (is.isRegularFile() && SecretNames.isForPeopleOnly(file.getFileName().toString())) {
                found.add(file);
            }
            return ++lookedAt > MAX_LOOKED_AT || found.size() >= MAX_FOUND
                    ? FileVisitResult.TERMINATE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }
}
