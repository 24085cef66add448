package dev.agentloop.tool.builtin;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What differs from the last commit, asked so that nothing of the repository's own runs. */
record GitStatus(ProcessRunner runner, Cancellation cancellation)
        implements EndangeredFiles.GitChanges {
    private static final Duration PATIENCE = Duration.ofMillis(100);
    private static final List<String> GIT =
            List.of("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null");

    /**
     * Changed, deleted and untracked files, not ignored ones; empty if git has not said it in time,
     * or names one that it has to quote.
     */
    @Override
    public Optional<List<Path>> in(Path folder) {
        try {
            CommandOutcome top = run(folder, List.of("rev-parse", "--show-toplevel"));
            CommandOutcome status =
                    run(
                            folder,
                            List.of(
                                    "-c",
                                    "core.quotePath=false",
                                    "status",
                                    "--porcelain",
                                    "--no-renames",
                                    "--untracked-files=all"));
            if (top.exitCode() != 0) {
                return Optional.of(List.of()); // no repository: git will do nothing
            }
            return status.exitCode() == 0 && status.stdout().leftOut() == 0
                    ? files(Path.of(top.stdout().text().strip()), status.stdout().text())
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<List<Path>> files(Path root, String status) {
        List<Path> files = new ArrayList<>();
        for (String line : status.lines().toList()) {
            if (line.length() < 4 || line.charAt(3) == '"') {
                return Optional.empty();
            }
            if (!line.endsWith("/")) { // a repository within this one
                files.add(root.resolve(line.substring(3)));
            }
        }
        return Optional.of(files);
    }

    private CommandOutcome run(Path folder, List<String> words) throws IOException {
        List<String> argv = new ArrayList<>(GIT);
        argv.addAll(words);
        return runner.run(
                new CommandRequest(argv, folder, PATIENCE, Map.of("GIT_OPTIONAL_LOCKS", "0")),
                cancellation);
    }
}
