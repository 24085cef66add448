package dev.agentloop.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.sandbox.watch.Boundaries;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sandbox that is started before its command is known. */
@Timeout(120)
class WaitingSandboxTest {
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");
    private static final double TICKS = 100; // a second, for all programs outside of the kernel

    @TempDir(factory = OutsideTmp.class)
    Path root;

    private BwrapSandbox sandbox;
    private SandboxWorld world;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(Files.isExecutable(BWRAP), "bubblewrap is not installed");
        world = new SandboxWorld(root, "ws", all -> sandbox = new BwrapSandbox(BWRAP, all));
        world.run("git init -q .");
    }

    @AfterEach
    void close() {
        if (world != null) {
            world.close();
        }
    }

    @Test
    @Tag("E24")
    @DisplayName("a command finds a sandbox that was made before it")
    void isMadeAhead() throws Exception {
        awaitWaiting();
        Thread.sleep(500);
        double before = uptime();

        double started = Double.parseDouble(world.all("cut -d' ' -f22 /proc/1/stat")) / TICKS;

        assertTrue(started < before - 0.3, started + " " + before);
    }

    @Test
    @DisplayName("nothing but bubblewrap runs in it before its mounts were compared")
    void runsNothingBefore() throws Exception {
        ProcessHandle waiting = ProcessHandle.of(awaitWaiting()).orElseThrow();
        Thread.sleep(500);

        List<String> inside =
                waiting.descendants().map(one -> one.info().command().orElse("")).toList();
        assertFalse(inside.isEmpty());
        assertTrue(inside.stream().allMatch(one -> one.endsWith("/bwrap")), inside::toString);
    }

    @ParameterizedTest
    @Tag("D48")
    @DisplayName("a file that was replaced meanwhile is protected again")
    @ValueSource(strings = {".git/config", ".git/hooks", "AGENTS.md", ".agent/config.yaml"})
    void filesThatWereReplaced(String name) throws Exception {
        Path file = world.workspace.resolve(name);
        if (!Files.exists(file)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, "old");
        }
        for (int i = 0; i < 3; i++) {
            world.run("true");
            awaitWaiting();
            Path other = file.resolveSibling("other");
            if (Files.isDirectory(file)) {
                Files.move(file, file.resolveSibling("away" + i));
                Files.createDirectory(file);
            } else {
                Files.writeString(other, "[user] name = " + i);
                Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
            }

            String target = Files.isDirectory(file) ? name + "/pre-commit" : name;
            CommandOutcome attack = world.run("echo evil > " + target);
            assertFalse(attack.exitCode() == 0, attack.stderr().text());
            assertFalse(all(file).contains("evil"));
        }
    }

    @Test
    @Tag("D48")
    @DisplayName("what came into being meanwhile, or was made anew, is protected")
    void filesThatAreNew() throws Exception {
        awaitWaiting();
        Files.delete(world.workspace.resolve(".agent"));
        assertFalse(world.run("mkdir .agent && echo evil > .agent/config.yaml").exitCode() == 0);
        awaitWaiting();
        Files.writeString(world.workspace.resolve("CLAUDE.md"), "mine");
        assertFalse(world.run("echo evil > CLAUDE.md").exitCode() == 0);
        awaitWaiting();
        Files.move(world.workspace.resolve(".git"), world.workspace.resolve("git2"));
        Files.createDirectories(world.workspace.resolve(".git/hooks"));
        Files.writeString(world.workspace.resolve(".git/config"), "");
        assertFalse(world.run("echo evil > .git/config").exitCode() == 0);
        assertFalse(world.run("echo evil > .git/hooks/pre-push").exitCode() == 0);
        assertEquals("mine", Files.readString(world.workspace.resolve("CLAUDE.md")));
    }

    @Test
    @Tag("D31")
    @DisplayName("a secret that came meanwhile is hidden")
    void newSecrets() throws Exception {
        awaitWaiting();
        Files.createDirectories(world.home.resolve(".aws"));
        Files.writeString(world.home.resolve(".aws/credentials"), "aws-canary");

        assertFalse(world.all("cat " + world.home + "/.aws/credentials").contains("canary"));
    }

    @Test
    @Tag("B17")
    @DisplayName("arguments and variables reach a command byte for byte")
    void wordsStayWhole() throws IOException {
        String odd =
                "'\"\\$HOME`id`$(id)\n\t\r !#&*?~|;<>{}[] \u00e4\u20ac\ud83d\ude00\u0001\u007f";
        String latin = "\u0080\u0081\u0084\u0088\u00ff"; // bytes that shells use within
        String large = "x".repeat(100_000);
        List<String> words = List.of("", odd, latin, large, "-n", "--", "set");
        List<String> argv = new ArrayList<>();
        argv.addAll(List.of("/bin/sh", "-c", "printf '%s|' \"$@\" \"$WORDS\" > words; pwd", "x"));
        argv.addAll(words);
        for (int round = 0; round < 2; round++) {
            CommandOutcome outcome =
                    world.run(
                            new CommandRequest(
                                    argv,
                                    world.workspace,
                                    Duration.ofSeconds(20),
                                    Map.of("WORDS", odd + latin)));

            assertEquals(world.workspace + "\n", outcome.stdout().text());
            assertEquals(
                    String.join("|", words) + "|" + odd + latin + "|",
                    Files.readString(world.workspace.resolve("words")));
        }
    }

    @Test
    @Tag("C17")
    @DisplayName("of an order that was cut short nothing runs")
    void cutOrders() throws Exception {
        Order order =
                new Order(
                        List.of("/bin/sh", "-c", "touch ran; echo \"$@\"", "x", "rm", "-rf", "y z"),
                        world.workspace,
                        Map.of("A", "b c"),
                        false);
        byte[] whole = ("\n" + new String(ShellOrder.of(order), UTF_8)).getBytes(UTF_8);
        Path folder = Files.createDirectory(root.resolve("run"));
        Path ran = world.workspace.resolve("ran");
        for (int end = 0; end < whole.length - 1; end += 5) {
            feed(folder, whole, end);
            assertFalse(Files.exists(ran), "of " + end + " bytes");
        }
        feed(folder, whole, whole.length);
        assertTrue(Files.exists(ran));
    }

    @Test
    @Tag("C25")
    @DisplayName("with the run its waiting sandbox ends, and what it kept on the disk goes")
    void nothingIsLeft() throws Exception {
        long waiting = awaitWaiting();
        world.close();

        assertFalse(ProcessHandle.of(waiting).filter(ProcessHandle::isAlive).isPresent());
        assertEquals(List.of(".git"), List.of(world.workspace.toFile().list()));
        assertFalse(Files.exists(world.workspace.resolve(".git/config.worktree")));
    }

    @Test
    @Tag("C25")
    @DisplayName("of one that does not end by itself no process is left")
    void endedByForce() throws Exception {
        Path stubborn = Files.writeString(root.resolve("bwrap"), "#!/bin/sh\nsleep 4242 & wait\n");
        Files.setPosixFilePermissions(stubborn, PosixFilePermissions.fromString("rwxr-xr-x"));
        Sandbox hanging = new BwrapSandbox(stubborn, boundaries());
        ProcessRunner runner = new ProcessRunner(world.environment, List.of(), () -> hanging);
        CommandRequest request =
                CommandRequest.shell("true", world.workspace, Duration.ofMillis(300));
        IOException late =
                assertThrows(IOException.class, () -> runner.run(request, new Cancellation()));
        assertTrue(late.getMessage().contains("not within the time limit"), late.getMessage());
        while (sleepers() == 0) {
            Thread.sleep(10); // until the next one is made; the time limit ends a failure
        }

        runner.killAll();

        assertEquals(0, sleepers());
    }

    private static long sleepers() {
        return ProcessHandle.allProcesses()
                .filter(one -> one.info().commandLine().orElse("").endsWith("sleep 4242"))
                .count();
    }

    @Test
    @Tag("D49")
    @DisplayName("a change that keeps size and time is seen as well")
    void hiddenChanges() throws Exception {
        world.run("git init -q one");
        Path hook = world.workspace.resolve("one/.git/hooks/pre-commit");
        Files.writeString(hook, "#!/bin/sh\necho mine\n");

        CommandOutcome outcome =
                world.run(
                        "cd one/.git/hooks; touch -r pre-commit t; printf '#!/bin/sh\necho evil\n'"
                                + " > pre-commit; touch -r t pre-commit; rm t");

        assertTrue(outcome.notes().toString().contains("pre-commit"), outcome.notes().toString());
        assertFalse(Files.exists(hook));
    }

    @Test
    @Tag("D49")
    @DisplayName("a command that empties the record of the sandbox is looked at all the same")
    void emptiedRecord() throws Exception {
        CommandOutcome outcome =
                world.run(
                        "mkdir -p sub/.git/hooks; echo evil > sub/.git/hooks/pre-commit;"
                                + " for f in /proc/[0-9]*/fd/*; do case $(readlink $f) in"
                                + " *sandbox-*) : > $f;; esac; done; echo end");

        assertEquals("end\n", outcome.stdout().text());
        assertTrue(outcome.notes().toString().contains("pre-commit"), outcome.notes().toString());
    }

    @Test
    @DisplayName("a command finds no variable that is the sandbox's own")
    void variables() throws Exception {
        assertEquals("", world.all("env | grep -E '^(OLDPWD|agent_ordered)='"));
    }

    @Test
    @Tag("D70")
    @DisplayName("one that died meanwhile is not missed")
    void killedMeanwhile() throws Exception {
        ProcessHandle waiting = ProcessHandle.of(awaitWaiting()).orElseThrow();
        waiting.destroyForcibly();
        waiting.onExit().get();

        assertEquals("fine\n", world.all("echo fine"));
    }

    /** Another cell than that of the runner: with the order cut after some bytes. */
    private void feed(Path folder, byte[] order, int bytes) throws Exception {
        BwrapSandbox own = new BwrapSandbox(BWRAP, boundaries());
        Path run = Files.createTempDirectory(folder, "run");
        PreparedSandbox cell = own.prepare(run).orElseThrow();
        Process process = new ProcessBuilder(cell.argv()).redirectErrorStream(true).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(order, 0, bytes);
        }
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        cell.discard();
        own.close();
    }

    private Boundaries boundaries() {
        return new Boundaries(
                world.workspace, world.home, List.of(), List.of(), world.environment, false);
    }

    /** The number of the process that waits for a command. */
    private static long awaitWaiting() throws InterruptedException {
        for (int i = 0; i < 1000; i++) {
            Optional<ProcessHandle> found =
                    ProcessHandle.current()
                            .children()
                            .filter(one -> one.info().command().orElse("").endsWith("bwrap"))
                            .filter(one -> one.descendants().count() > 0)
                            .filter(one -> !keepsTheNetwork(one))
                            .findAny();
            if (found.isPresent() && hasMountedAll(found.get())) {
                return found.get().pid();
            }
            Thread.sleep(10);
        }
        throw new AssertionError("no sandbox waits");
    }

    /** Nothing more is mounted for a tenth of a second. */
    private static boolean hasMountedAll(ProcessHandle bubblewrap) throws InterruptedException {
        String before = mounts(bubblewrap);
        Thread.sleep(100);
        return !before.isEmpty() && before.equals(mounts(bubblewrap));
    }

    private static String mounts(ProcessHandle bubblewrap) {
        Optional<ProcessHandle> inside = bubblewrap.descendants().findFirst();
        try {
            return inside.isEmpty()
                    ? ""
                    : Files.readString(Path.of("/proc", "" + inside.get().pid(), "mountinfo"));
        } catch (IOException gone) {
            return "";
        }
    }

    /** It waits for nothing before it starts its program. */
    private static boolean keepsTheNetwork(ProcessHandle process) {
        try {
            Path words = Path.of("/proc", "" + process.pid(), "cmdline");
            return !Files.readString(words).contains("--block-fd");
        } catch (IOException gone) {
            return true;
        }
    }

    private static double uptime() throws IOException {
        return Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ")[0]);
    }

    private static String all(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return Files.readString(path);
        }
        StringBuilder text = new StringBuilder();
        for (String name : path.toFile().list()) {
            text.append(name).append(Files.readString(path.resolve(name)));
        }
        return text.toString();
    }
}
