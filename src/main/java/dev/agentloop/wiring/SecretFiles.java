package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.control.Cancellation;
import dev.agentloop.git.Git;
import dev.agentloop.git.PrivateGitFolder;
import dev.agentloop.permission.Guardrails;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.storage.Roots;
import dev.agentloop.tool.SecretNames;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Files of a workspace that commands must not read where nobody can be asked about it. Keys of
 * tests ({@code *.pem} and the like) are not among them: without those the tests would fail.
 */
public final class SecretFiles {
    private static final int MAX_LOOKED_AT = 20_000; // names; the first command waits for them
    private static final int MAX_ASKED_ABOUT = 1000; // names in one question to git
    private static final int MAX_FOUND = 50; // each costs every command half a millisecond
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Set<String> SKIPPED = Set.of(".git", "node_modules", "target", ".venv");

    private SecretFiles() {}

    /**
     * Those within a bounded look; a tree that cannot be read has none for commands either.
     *
     * @param root real path of the workspace
     * @param unattended whether files that look like secrets are hidden; those that git keeps are
     *     not secret, and hiding them would break every commit
     * @param sensitive patterns of files that are hidden in any case
     * @param environment of this program, with which git is found
     */
    public static List<Path> in(
            Path root,
            boolean unattended,
            List<String> sensitive,
            Map<String, String> environment) {
        if (!unattended && sensitive.isEmpty()) {
            return List.of();
        }
        Look look = new Look(root, unattended, sensitive);
        try {
            Files.walkFileTree(root, look);
        } catch (IOException e) {
            return List.copyOf(look.hidden);
        }
        List<Path> found = new ArrayList<>(look.hidden);
        if (!look.secrets.isEmpty()) {
            Set<String> kept = keptByGit(root, look.secrets, environment);
            look.secrets.stream()
                    .filter(name -> !kept.contains(name))
                    .forEach(name -> found.add(root.resolve(name)));
        }
        return found.subList(0, Math.min(found.size(), MAX_FOUND));
    }

    /** The same in a workspace and in each folder that the configuration adds to it. */
    public static List<Path> in(
            Path root, AgentConfig config, boolean unattended, Map<String, String> environment) {
        List<String> sensitive = config.guardrails().sensitiveFiles();
        List<Path> found = new ArrayList<>();
        for (Path each : new Roots(root, config.permissions().addDirs()).all()) {
            found.addAll(in(each, unattended, sensitive, environment));
        }
        return found;
    }

    /** Which of these names, below the folder; none without a repository or an answer. */
    private static Set<String> keptByGit(
            Path root, List<String> names, Map<String, String> environment) {
        ProcessRunner runner = new ProcessRunner(environment, List.of());
        try {
            Optional<Git> git = Git.find(runner, root, PATIENCE, new Cancellation());
            if (git.isEmpty() || git.get().hasNone(root)) {
                return Set.of();
            }
            List<String> words = new ArrayList<>(List.of("ls-files", "-z", "--"));
            words.addAll(names);
            try (PrivateGitFolder questions = PrivateGitFolder.around(git.get(), root)) {
                Git.Answer answer = questions.ask(root, words);
                return answer.complete()
                        ? new LinkedHashSet<>(List.of(answer.text().split("\0")))
                        : Set.of();
            }
        } catch (IOException e) {
            return Set.of();
        } finally {
            runner.killAll();
        }
    }

    private static final class Look extends SimpleFileVisitor<Path> {
        private final Path root;
        private final boolean unattended;
        private final List<String> sensitive;
        private final List<Path> hidden = new ArrayList<>();
        private final List<String> secrets = new ArrayList<>(); // unless git keeps them
        private int lookedAt;

        Look(Path root, boolean unattended, List<String> sensitive) {
            this.root = root;
            this.unattended = unattended;
            this.sensitive = sensitive;
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
            String shown = root.relativize(file).toString();
            String name = String.valueOf(file.getFileName());
            if (is.isRegularFile() && Guardrails.isAmong(sensitive, shown)) {
                hidden.add(file);
            } else if (is.isRegularFile() && unattended && SecretNames.isForPeopleOnly(name)) {
                secrets.add(shown);
            }
            boolean full = hidden.size() >= MAX_FOUND || secrets.size() >= MAX_ASKED_ABOUT;
            return ++lookedAt > MAX_LOOKED_AT || full
                    ? FileVisitResult.TERMINATE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }
}
