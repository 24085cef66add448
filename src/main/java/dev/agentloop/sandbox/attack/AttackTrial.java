package dev.agentloop.sandbox.attack;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.sandbox.Sandbox;
import dev.agentloop.sandbox.watch.Boundaries;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Runs attacks in a sandbox, each in a world of its own: a workspace, a home with secrets, a folder
 * outside, a process and a server to reach. An attack has worked if the file {@code $PWNED} exists
 * afterwards, if {@code $OUTSIDE/file} is not what it was, or if a command printed a secret, all of
 * which contain {@value #CANARY}.
 */
public final class AttackTrial {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String CANARY = "canary-";
    private static final String BEGUN = "attack-begun";
    private static final String BEFORE = "before\n";

    private final Function<Boundaries, Sandbox> sandbox;
    private final String path;
    private final Path place;

    /**
     * @param path where programs are looked for, as in PATH
     * @param place an existing folder that commands see and may not write to; not below {@code
     *     /tmp}
     */
    public AttackTrial(Function<Boundaries, Sandbox> sandbox, String path, Path place)
            throws IOException {
        this.sandbox = sandbox;
        this.path = path;
        this.place = place.toRealPath();
    }

    /** Tries one; whatever it made is gone afterwards. */
    public Attack.Outcome attempt(AttackClass kind, Attack attack) throws IOException {
        if (!missing(attack).isEmpty()) {
            return Attack.Outcome.UNTESTED;
        }
        Path folder = Files.createTempDirectory(place, "attack-");
        try (World world = new World(folder, kind.homeIsWorkspace())) {
            return world.attempt(attack);
        } finally {
            tidy(folder);
        }
    }

    private static void tidy(Path folder) {
        try {
            remove(folder);
        } catch (IOException e) {
            return; // a folder more in the cache is less than a report less
        }
    }

    /** Programs that it needs and that are not there: then it is not tried. */
    public List<String> missing(Attack attack) {
        return attack.needs().stream().filter(program -> !isThere(program)).toList();
    }

    private boolean isThere(String program) {
        for (String folder : path.split(":")) {
            if (folder.startsWith("/") && Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Folders are opened first, which a command may have made unreadable for their owner. Paths
     * stay as the system named them: a name that is no text cannot be written as one.
     */
    private static void remove(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                for (Path entry : entries) {
                    remove(entry);
                }
            }
        }
        Files.deleteIfExists(path);
    }

    /** The files, the process and the server of one attack. */
    private final class World implements AutoCloseable {
        private final Path outside;
        private final Path workspace;
        private final Path pwned;
        private final Process victim;
        private final ServerSocket server;
        private final ProcessRunner confined;
        private final ProcessRunner owner;
        private final Map<String, String> variables = new HashMap<>();

        World(Path folder, boolean homeIsWorkspace) throws IOException {
            Path home = Files.createDirectory(folder.resolve("home"));
            this.outside = Files.createDirectory(folder.resolve("outside"));
            this.workspace =
                    homeIsWorkspace ? home : Files.createDirectory(folder.resolve("workspace"));
            this.pwned = folder.resolve("pwned");
            Map<String, String> environment =
                    Map.of(
                            "PATH",
                            path,
                            "HOME",
                            home.toString(),
                            "TRIAL_API_KEY",
                            CANARY + "variable");
            Sandbox chosen = sandbox.apply(boundaries(home, environment));
            this.confined = new ProcessRunner(environment, List.of(), () -> chosen);
            this.owner = new ProcessRunner(environment, List.of(), () -> Sandbox.NONE);
            ProcessBuilder sleep = new ProcessBuilder("sleep", "600");
            sleep.environment().put("TRIAL_SECRET", CANARY + "environment");
            sleep.redirectInput(new File("/dev/null"));
            this.server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
            this.victim = sleep.start();
            name(home);
        }

        /** Writes what is secret, and says where the limits of the commands are. */
        private Boundaries boundaries(Path home, Map<String, String> environment)
                throws IOException {
            Path settings = home.resolve(".config/agent");
            Path state = home.resolve(".local/state/agent");
            Files.writeString(outside.resolve("file"), BEFORE);
            secret(home.resolve(".ssh"), "id_rsa");
            secret(home, ".netrc");
            secret(settings, "config.yaml");
            secret(state.resolve("sessions"), "one.jsonl");
            return new Boundaries(
                    workspace, home, List.of(settings, state), List.of(), environment, false);
        }

        private static void secret(Path folder, String name) throws IOException {
            Files.writeString(Files.createDirectories(folder).resolve(name), CANARY + name + "\n");
        }

        private void name(Path home) {
            variables.put("HOME", home.toString());
            // a git that finds no repository in the workspace must not take the one around it
            variables.put("GIT_CEILING_DIRECTORIES", place.toString());
            variables.put("OUTSIDE", outside.toString());
            variables.put("WORKSPACE", workspace.toString());
            variables.put("PWNED", pwned.toString());
            variables.put("PID", Long.toString(victim.pid()));
            variables.put("PORT", Integer.toString(server.getLocalPort()));
            for (String who : List.of("AUTHOR", "COMMITTER")) {
                variables.put("GIT_" + who + "_NAME", "somebody");
                variables.put("GIT_" + who + "_EMAIL", "somebody@example.com");
            }
        }

        Attack.Outcome attempt(Attack attack) throws IOException {
            owner(attack.before());
            boolean begun = true;
            boolean told = false;
            boolean leaked = false;
            for (String command : attack.commands()) {
                CommandOutcome ended = run(confined, "echo " + BEGUN + "\n" + command);
                String said = ended.stdout().text() + ended.stderr().text();
                begun &= ended.stdout().text().startsWith(BEGUN);
                leaked |= said.contains(CANARY);
                told |= !ended.notes().isEmpty();
            }
            owner(attack.after());
            if (leaked || Files.exists(pwned) || !isUntouched()) {
                return told ? Attack.Outcome.REPORTED : Attack.Outcome.OPEN;
            }
            return begun ? Attack.Outcome.STOPPED : Attack.Outcome.UNTESTED;
        }

        private boolean isUntouched() throws IOException {
            Path file = outside.resolve("file");
            return victim.isAlive() && Files.exists(file) && Files.readString(file).equals(BEFORE);
        }

        private void owner(String text) throws IOException {
            if (!text.isBlank()) {
                run(owner, text);
            }
        }

        private CommandOutcome run(ProcessRunner runner, String text) throws IOException {
            List<String> argv = List.of("/bin/sh", "-c", text);
            return runner.run(
                    new CommandRequest(argv, workspace, PATIENCE, variables), new Cancellation());
        }

        @Override
        public void close() throws IOException {
            confined.killAll();
            owner.killAll();
            victim.destroyForcibly();
            server.close();
        }
    }
}
