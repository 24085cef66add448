package dev.agentloop.sandbox.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Git as a process in the sandbox, from outside of the workspace and without the user's settings.
 */
public final class GitProcess implements ConfinedGit {
    private static final long LONGEST_SECONDS = 120;

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
    public boolean succeeds(Path store, List<String> arguments) {
        Optional<Path> git = program();
        if (git.isEmpty()) {
            return true; // who has no git uses none of it
        }
        List<String> argv = new ArrayList<>(prefix);
        argv.add(git.get().toString());
        argv.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(argv).directory(Path.of("/").toFile());
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", git.get().getParent() + ":/usr/bin:/bin");
        environment.put("GIT_DIR", store.toString());
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
        environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
        environment.put("GIT_NO_REPLACE_OBJECTS", "1");
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        try {
            Process process = start.start(builder);
            process.getOutputStream().close();
            if (process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                return process.exitValue() == 0;
            }
            process.destroyForcibly();
            return false;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
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
