package dev.agentloop.tool.builtin;

import dev.agentloop.control.Cancellation;
import dev.agentloop.git.Git;
import dev.agentloop.git.PrivateGitFolder;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What differs from the last commit, asked so that nothing of the repository's own runs. */
record GitStatus(ProcessRunner runner, Cancellation cancellation)
        implements EndangeredFiles.GitChanges {
    private static final Duration PATIENCE = Duration.ofMillis(100);

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
     * Changed, deleted and untracked files, not ignored ones; empty if git has not said it in time,
     * or names one that it has to quote.
     */
    @Override
    public Optional<List<Path>> in(Path folder) {
        Optional<Git> git = Git.find(runner, folder, PATIENCE, cancellation);
        try {
            if (git.isEmpty()) {
                return Optional.empty();
            }
            if (git.get().hasNone(folder)) {
                return Optional.of(List.of());
            }
            try (PrivateGitFolder questions = PrivateGitFolder.around(git.get(), folder)) {
                return changes(questions);
            }
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<List<Path>> changes(PrivateGitFolder git) throws IOException {
        Path root = git.place().root();
        List<Path> files = new ArrayList<>();
        for (List<String> question : QUESTIONS) {
            Git.Answer answer = git.ask(question);
            if (!answer.complete()) {
                return Optional.empty();
            }
            for (String line : answer.text().lines().toList()) {
                if (line.startsWith("\"")) {
                    return Optional.empty();
                }
                if (!line.endsWith("/")) { // a repository within this one
                    files.add(root.resolve(line));
                }
            }
        }
        return Optional.of(files.stream().distinct().toList());
    }
}
