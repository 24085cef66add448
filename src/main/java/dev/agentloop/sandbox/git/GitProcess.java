package dev.agentloop.sandbox.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Git as a process in the sandbox, from outside of the workspace and without the user's settings.
 * It reads those of the store that it checks, which a command may have written, and may fetch
 * nothing.
 */
public final class GitProcess implements ConfinedGit {
    private static final int MOST_STATUS = 128; // above: a signal ended it

    private final Path workspace;
    private final String path;
    private final List<String> prefix;
    private final Start start;

    /** Starts a process that has the rights of the sandbox only. */
    @FunctionalInterface
    public interface Start {
        /** As {@link ProcessBuilder#start}. */
        Process start(ProcessBuilder process) throws IOException;
    }

    /**
     * @param path of programs
     * @param prefix of the command line, which makes the sandbox
     */
    public GitProcess(Path workspace, String path, List<String> prefix, Start start) {
        this.workspace = workspace;
        this.path = path;
        this.prefix = List.copyOf(prefix);
        this.start = start;
    }

    @Override
    public Answer check(Path store, List<String> arguments, Duration longest) {
        Optional<Path> git = program();
        if (git.isEmpty()) {
            return Answer.GOOD; // who has no git uses none of it
        }
        try {
            Optional<Integer> status = run(git.get(), store, arguments, longest);
            if (status.isEmpty() || status.get() > MOST_STATUS) {
                return Answer.NONE;
            }
            return status.get() == 0
                    ? Answer.GOOD
                    : runs(git.get(), store, longest) ? Answer.BAD : Answer.NONE;
        } catch (IOException e) {
            return Answer.NONE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.NONE;
        }
    }

    /** Else the status is that of a sandbox that could not be made. */
    private boolean runs(Path git, Path store, Duration longest)
            throws IOException, InterruptedException {
        return run(git, store, List.of("version"), longest)
                .filter(status -> status == 0)
                .isPresent();
    }

    /** Its exit status; empty if it did not end in time. */
    private Optional<Integer> run(Path git, Path store, List<String> arguments, Duration longest)
            throws IOException, InterruptedException {
        List<String> argv = new ArrayList<>(prefix);
        argv.add(git.toString());
        argv.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(argv).directory(Path.of("/").toFile());
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", git.getParent() + ":/usr/bin:/bin");
        environment.put("GIT_DIR", store.toString());
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
        environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
        environment.put("GIT_NO_REPLACE_OBJECTS", "1");
        environment.put(
                "GIT_NO_LAZY_FETCH", "1"); // the store's own settings name what a fetch runs
        environment.put("GIT_ALLOW_PROTOCOL", "none"); // for git before 2.44
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Process process = start.start(builder);
        try {
            process.getOutputStream().close();
            return process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)
                    ? Optional.of(process.exitValue())
                    : Optional.empty();
        } finally {
            process.destroyForcibly();
        }
    }

    private Optional<Path> program() {
        for (String folder : path.split(":")) {
            Path git = folder.startsWith("/") ? Path.of(folder, "git") : workspace;
            if (!git.startsWith(workspace) && Files.isExecutable(git)) {
                return Optional.of(git);
            }
        }
        return Optional.empty();
    }
}
