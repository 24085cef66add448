package dev.agentloop.tool.builtin.command;

import dev.agentloop.control.Cancellation;
import dev.agentloop.git.Git;
import dev.agentloop.git.PrivateGitFolder;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What differs from the last commit, asked so that nothing of the repository's own runs. */
record GitStatus(ProcessRunner runner, Cancellation cancellation)
        implements EndangeredFiles.GitChanges {
    /** For each question. Only a command that takes changes back waits, and loses them if not. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final int NOT_KNOWN = 128; // git's exit code for what is no commit
    private static final int MOST_COMMITS = 2; // a command is not held up for long
    private static final Set<String> REMOVING = Set.of("rm", "mv");

    private static final List<String> PATTERNS =
            List.of("--no-literal-pathspecs", "ls-files", "--full-name", "--");

    /**
     * Files that are not as in the index, then those that the index has otherwise than the last
     * commit, then untracked ones.
     */
    private static final List<List<String>> QUESTIONS =
            List.of(
                    List.of("diff-files", "--name-only", "--no-ext-diff", "--ignore-submodules"),
                    List.of("diff-index", "--cached", "--name-only", "--no-ext-diff", "HEAD"),
                    List.of("ls-files", "--others", "--exclude-standard"));

    /**
     * Changed, deleted and untracked files, not ignored ones, and those that the command names;
     * empty if git has not said it in time, or names one that it has to quote.
     */
    @Override
    public Optional<List<Path>> in(Path folder, List<String> words) {
        Optional<Git> git = Git.find(runner, folder, PATIENCE, cancellation);
        try {
            if (git.isEmpty()) {
                return Optional.empty();
            }
            if (git.get().hasNone(folder)) {
                return Optional.of(List.of()); // no repository: git will do nothing
            }
            try (PrivateGitFolder questions = PrivateGitFolder.around(git.get(), folder)) {
                return files(questions, folder, words);
            }
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<List<Path>> files(PrivateGitFolder git, Path folder, List<String> words)
            throws IOException {
        Path root = git.place().root();
        Set<Path> files = new LinkedHashSet<>();
        for (List<String> question : QUESTIONS) {
            if (!add(git.ask(question), root, files)) {
                return Optional.empty();
            }
        }
        if (REMOVING.contains(words.getFirst())) {
            return tracked(git, folder, words, files);
        }
        for (String commit : commits(words)) {
            Git.Answer differing = git.ask(question(commit));
            boolean noCommit = differing.exitCode() == NOT_KNOWN;
            if (!noCommit && !add(differing, root, files)) {
                return Optional.empty();
            }
        }
        return Optional.of(List.copyOf(files));
    }

    /** What the work tree has otherwise than a commit, also where it has not changed anything. */
    private static List<String> question(String commit) {
        return List.of(
                "diff-index", "--name-only", "--no-ext-diff", "--ignore-submodules", commit, "--");
    }

    /** Words that may name a commit; {@code a..b} and paths come to nothing. */
    private static List<String> commits(List<String> words) {
        List<String> commits = new ArrayList<>();
        for (String word : words.subList(1, words.size())) {
            String name = word.startsWith("--source=") ? word.substring(9) : word;
            boolean glued = word.startsWith("-s") && word.length() > 2;
            if (word.equals("--")) {
                break;
            }
            if (glued || !name.startsWith("-") && !name.startsWith(":")) {
                commits.add(glued ? word.substring(2) : name);
            }
        }
        return commits.subList(0, Math.min(commits.size(), MOST_COMMITS));
    }

    /** The paths in {@code git rm} and {@code git mv} may be patterns of git's own. */
    private static Optional<List<Path>> tracked(
            PrivateGitFolder git, Path folder, List<String> words, Set<Path> files)
            throws IOException {
        List<String> question = new ArrayList<>(PATTERNS);
        int before = question.size();
        for (String word : words.subList(1, words.size())) {
            if (!word.startsWith("-")) {
                question.add(word);
            }
        }
        if (question.size() == before && words.stream().anyMatch(word -> word.contains("from-f"))) {
            question.add(":/"); // the paths stand in a file
        }
        if (question.size() > before) {
            if (!add(git.ask(folder, question), git.place().root(), files)) {
                return Optional.empty();
            }
        }
        return Optional.of(List.copyOf(files));
    }

    /** Returns whether the answer is one, and each line of it a name. */
    private static boolean add(Git.Answer answer, Path root, Set<Path> files) {
        if (!answer.complete()) {
            return false;
        }
        for (String line : answer.text().lines().toList()) {
            if (line.startsWith("\"")) {
                return false;
            }
            if (!line.endsWith("/")) { // a repository within this one
                files.add(root.resolve(line));
            }
        }
        return true;
    }
}
