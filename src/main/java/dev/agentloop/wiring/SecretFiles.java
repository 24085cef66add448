package dev.agentloop.wiring;

import dev.agentloop.permission.Guardrails;
import dev.agentloop.tool.SecretNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Files of a workspace that commands must not read where nobody can be asked about it. Keys of
 * tests ({@code *.pem} and the like) are not among them: without those the tests would fail.
 */
public final class SecretFiles {
    private static final int MAX_LOOKED_AT = 20_000; // names; the first command waits for them
    private static final long MAX_INDEX = 50_000_000; // bytes
    private static final int MAX_FOUND = 50; // each costs every command half a millisecond
    private static final Set<String> SKIPPED = Set.of(".git", "node_modules", "target", ".venv");

    private SecretFiles() {}

    /**
     * Those within a bounded look; a tree that cannot be read has none for commands either.
     *
     * @param unattended whether files that look like secrets are hidden; those that git keeps are
     *     not secret, and hiding them would break every commit
     * @param sensitive patterns of files that are hidden in any case
     */
    public static List<Path> in(Path root, boolean unattended, List<String> sensitive) {
        List<Path> found = new ArrayList<>();
        if (!unattended && sensitive.isEmpty()) {
            return found;
        }
        try {
            String index = unattended ? index(root) : "";
            Files.walkFileTree(
                    root,
                    new Look(
                            found,
                            path -> {
                                String shown = root.relativize(path).toString();
                                return Guardrails.isAmong(sensitive, shown)
                                        || unattended
                                                && SecretNames.isForPeopleOnly(
                                                        path.getFileName().toString())
                                                && !index.contains(latin(shown) + "\0");
                            }));
        } catch (IOException e) {
            return found;
        }
        return found;
    }

    /** The names that git keeps, somewhere in it; empty without a repository of its own. */
    private static String index(Path root) throws IOException {
        Path file = root.resolve(".git/index");
        return Files.isRegularFile(file) && Files.size(file) < MAX_INDEX
                ? Files.readString(file, StandardCharsets.ISO_8859_1)
                : "";
    }

    private static String latin(String name) {
        return new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static final class Look extends SimpleFileVisitor<Path> {
        private final List<Path> found;
        private final Predicate<Path> wanted;
        private int lookedAt;

        Look(List<Path> found, Predicate<Path> wanted) {
            this.found = found;
            this.wanted = wanted;
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
            if (is.isRegularFile() && wanted.test(file)) {
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
