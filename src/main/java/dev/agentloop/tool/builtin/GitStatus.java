package dev.agentloop.tool.builtin;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What differs from the last commit, asked so that nothing of the repository's own runs. */
record GitStatus(ProcessRunner runner, Cancellation cancellation)
        implements EndangeredFiles.GitChanges {
    private static final Duration PATIENCE = Duration.ofMillis(100);
    private static final List<String> GIT =
            List.of(
                    "git",
                    "-c",
                    "core.fsmonitor=false",
                    "-c",
                    "core.hooksPath=/dev/null",
                    "-c",
                    "core.quotePath=false");

    private static final Map<String, String> SAFE =
            Map.of("GIT_OPTIONAL_LOCKS", "0", "GIT_CONFIG_NOSYSTEM", "1");

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
        try {
            CommandOutcome top = run(folder, List.of("rev-parse", "--show-toplevel"), SAFE);
            if (top.exitCode() != 0) {
                return Optional.of(List.of()); // no repository: git will do nothing
            }
            Path root = Path.of(top.stdout().text().strip());
            Optional<Map<String, String>> safe = withoutFilters(root);
            if (safe.isEmpty()) {
                return Optional.empty();
            }
            List<Path> files = new ArrayList<>();
            for (List<String> question : QUESTIONS) {
                CommandOutcome answer = run(root, question, safe.get());
                if (answer.exitCode() != 0 || answer.stdout().leftOut() > 0) {
                    return Optional.empty();
                }
                for (String line : answer.stdout().text().lines().toList()) {
                    if (line.startsWith("\"")) {
                        return Optional.empty();
                    }
                    if (!line.endsWith("/")) { // a repository within this one
                        files.add(root.resolve(line));
                    }
                }
            }
            return Optional.of(files.stream().distinct().toList());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * An environment in which no filter is configured: git reads changed files through them, and
     * they are programs of the repository's choice. By variables, because an option could not name
     * a filter with an equals sign in its name.
     */
    private Optional<Map<String, String>> withoutFilters(Path root) throws IOException {
        List<String> question = List.of("config", "--name-only", "--get-regexp", "^filter[.].*[.]");
        CommandOutcome filters = run(root, question, SAFE);
        if (filters.exitCode() > 1 || filters.stdout().leftOut() > 0) {
            return Optional.empty();
        }
        Map<String, String> environment = new HashMap<>(SAFE);
        int count = 0;
        for (String key : filters.stdout().text().lines().distinct().toList()) {
            environment.put("GIT_CONFIG_KEY_" + count, key);
            environment.put("GIT_CONFIG_VALUE_" + count, key.endsWith(".required") ? "false" : "");
            count++;
        }
        environment.put("GIT_CONFIG_COUNT", String.valueOf(count));
        return Optional.of(environment);
    }

    private CommandOutcome run(Path folder, List<String> words, Map<String, String> environment)
            throws IOException {
        List<String> argv = new ArrayList<>(GIT);
        argv.addAll(words);
        return runner.run(new CommandRequest(argv, folder, PATIENCE, environment), cancellation);
    }
}
