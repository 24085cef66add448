package dev.agentloop.sandbox.git;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.sandbox.git.file.PutAway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** A workspace with one commit, looked at as the sandbox does; commands are run without it. */
public final class WatchedRepository {
    private static final String COMMIT =
            "export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=n@x GIT_COMMITTER_NAME=n"
                    + " GIT_COMMITTER_EMAIL=n@x GIT_CONFIG_NOSYSTEM=1 GIT_EDITOR=true;"
                    + " commit() { git init -q -b main $1 && (cd $1 && echo 1 >a && git add a &&"
                    + " git commit -qm 1); };";

    private final Path root;
    private final Path home;
    private GitWatch watch;

    private WatchedRepository(Path root, Path home) {
        this.root = root;
        this.home = home;
        this.watch = watch(1000, List.of());
    }

    public static WatchedRepository in(Path folder) throws IOException, InterruptedException {
        Path home = Files.createDirectories(folder.toRealPath().resolve("home"));
        Path root = Files.createDirectories(folder.toRealPath().resolve("ws"));
        WatchedRepository made = new WatchedRepository(root, home);
        made.sh("commit .");
        return made;
    }

    Path root() {
        return root;
    }

    Path home() {
        return home;
    }

    /** A look that knows these settings of the user. */
    WatchedRepository watching(List<Path> userSettings) {
        watch = watch(1000, userSettings);
        return this;
    }

    GitWatch watch(int mostFolders, List<Path> userSettings) {
        PutAway putAway =
                (file, _) ->
                        Files.move(
                                file,
                                file.resolveSibling("away"),
                                StandardCopyOption.REPLACE_EXISTING);
        ConfinedGit git =
                new GitProcess(root, "/usr/bin:/bin", List.of(), process -> process.start());
        WatchedPlaces places = new WatchedPlaces(root, home, userSettings, List.of());
        return new GitWatch(places, git, putAway, mostFolders);
    }

    public GitWatch.Before before() {
        return watch.before(
                List.of(new GitWatch.Own(root.resolve(".git"), false, GitWatch.Holds.ALL)));
    }

    /** Runs lines of a shell; {@code commit FOLDER} makes a repository with one commit. */
    public void sh(String command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder("/bin/sh", "-ec", COMMIT + command).directory(root.toFile());
        builder.environment().put("HOME", home.toString());
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), said);
    }
}
