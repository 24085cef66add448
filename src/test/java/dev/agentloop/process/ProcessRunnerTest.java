package dev.agentloop.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.process.CommandOutcome.Ending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

@Timeout(60)
class ProcessRunnerTest {
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final Duration SHORT = Duration.ofSeconds(1);

    @TempDir Path cwd;
    private final ProcessRunner runner =
            new ProcessRunner(
                    Map.of("PATH", System.getenv("PATH"), "MY_API_KEY", "sk-canary"), List.of());
    private final Cancellation cancellation = new Cancellation();

    private List<ProcessHandle> others = List.of();

    @BeforeEach
    void needsLinux() {
        assumeTrue(ProcessTable.isAvailable(), "no /proc");
        others = supervisors(); // of runners of other tests
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        runner.killAll();
        assertEquals("", Files.exists(cwd.resolve("pid")) ? alive() : "");
        assertEquals(List.of(), supervisors());
    }

    @Test
    void bothStreamsAndTheCodeAreTold() throws IOException {
        CommandOutcome outcome = run("echo out; echo err >&2; exit 3", LONG);
        assertEquals(Ending.EXITED, outcome.ending());
        assertEquals(3, outcome.exitCode());
        assertEquals("out\n", outcome.stdout().text());
        assertEquals("err\n", outcome.stderr().text());
        assertEquals(List.of(), outcome.killed());
    }

    @Test
    void aCommandReadsWhatItIsToldAndItsAnswerIsKeptAsItIs() throws IOException {
        String long8 = "{\"ñ\":\"" + "x".repeat(300_000) + "\"}\u001b[0m";
        var request = CommandRequest.shell("cat; echo end >&2", cwd, LONG).reading(long8);
        CommandOutcome outcome = runner.run(request, cancellation);
        assertEquals(long8, outcome.stdout().text());
        assertEquals("end\n", outcome.stderr().text());
    }

    @Test
    void aCommandThatDoesNotReadIsNotWaitedFor() throws IOException {
        String much = "x".repeat(1 << 20);
        var request = CommandRequest.shell("sleep 300", cwd, SHORT).reading(much);
        assertEquals(Ending.TIMED_OUT, runner.run(request, cancellation).ending());
        var early = CommandRequest.shell("exec <&-; exit 3", cwd, LONG).reading(much);
        assertEquals(3, runner.run(early, cancellation).exitCode());
    }

    @Test
    void argumentsAreTakenLiterally() throws IOException {
        var request =
                new CommandRequest(
                        List.of("printf", "%s|", "a b", "$(id)", "'", ";"), cwd, LONG, Map.of());
        assertEquals("a b|$(id)|'|;|", runner.run(request, cancellation).stdout().text());
    }

    @Tag("B26")
    @DisplayName("commands that ask a person get an end of input at once")
    @ParameterizedTest
    @ValueSource(
            strings = {"cat", "read x", "read x </dev/tty", "git commit", "python3", "sudo -n x"})
    void commandsThatAskAPersonDoNotWait(String command) throws IOException {
        CommandOutcome outcome = run(command, LONG);
        assertEquals(Ending.EXITED, outcome.ending());
        assertTrue(outcome.took().compareTo(Duration.ofSeconds(30)) < 0);
    }

    @Test
    void aCommandHasItsOwnSessionAndItsPidIsTheRoot() throws IOException {
        String text = run("echo $$ $(cut -d' ' -f5,6 /proc/$$/stat)", LONG).stdout().text();
        String[] ids = text.strip().split(" ");
        assertEquals(List.of(ids[0], ids[0]), List.of(ids[1], ids[2]));
    }

    @Test
    @Tag("B21")
    @Tag("scenario-38")
    @DisplayName("a background child that holds the output is killed and named")
    void aBackgroundChildThatHoldsTheOutputIsKilled() throws IOException {
        CommandOutcome outcome = run("sleep 300 & echo $! >pid; echo hi", LONG);
        assertEquals(Ending.EXITED, outcome.ending());
        assertEquals(0, outcome.exitCode());
        assertEquals("hi\n", outcome.stdout().text());
        assertEquals(1, outcome.killed().size(), outcome.toString());
        assertTrue(outcome.killed().getFirst().startsWith("pid " + pid() + " ("));
    }

    @Tag("B22")
    @DisplayName("daemons are found by session, marker or pipe")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nohup sleep 300 >/dev/null 2>&1 & echo $! >pid",
                "setsid sh -c 'echo $$ >pid; exec sleep 300' >/dev/null 2>&1 & "
                        + "until test -s pid; do sleep 0.01; done",
                "(setsid sh -c 'echo $$ >pid; exec sleep 300' >/dev/null 2>&1 &); "
                        + "until test -s pid; do sleep 0.01; done",
                "(env -i /usr/bin/setsid /bin/sh -c 'echo $$ >pid; exec /bin/sleep 300' &); "
                        + "until test -s pid; do sleep 0.01; done",
            })
    void daemonsAreFound(String command) throws IOException {
        CommandOutcome outcome = run(command, LONG);
        assertEquals(Ending.EXITED, outcome.ending());
        assertEquals(1, outcome.killed().size(), outcome.toString());
        assertTrue(outcome.killed().getFirst().startsWith("pid " + pid() + " "));
    }

    @Test
    @Tag("B22")
    @DisplayName("a daemon that cut all ties is reported as possibly escaped")
    void aDaemonThatCutAllTiesIsReported() throws IOException {
        CommandOutcome outcome =
                run(
                        "(env -i /usr/bin/setsid /bin/sh -c 'echo $$ >pid; exec /bin/sleep 300'"
                                + " >/dev/null 2>&1 &); until test -s pid; do sleep 0.01; done",
                        LONG);
        ProcessHandle.of(pid())
                .ifPresent(daemon -> {
                    daemon.destroyForcibly();
                    daemon.onExit().join();
                });
        assertTrue(outcome.suspects().toString().contains("pid " + pid()), outcome.toString());
    }

    @Test
    @Tag("B23")
    @Tag("scenario-37")
    @DisplayName("at the timeout the whole tree dies and the output so far is told")
    void atTheTimeoutTheWholeTreeDies() throws IOException {
        CommandOutcome outcome =
                run("echo early; sh -c 'sleep 300 & echo $! >pid; wait'; echo never", SHORT);
        assertEquals(Ending.TIMED_OUT, outcome.ending());
        assertEquals("early\n", outcome.stdout().text());
        assertEquals(143, outcome.exitCode());
    }

    @Test
    @Tag("B24")
    @DisplayName("a command that ignores TERM and INT is killed")
    void aCommandThatIgnoresTermIsKilled() throws IOException {
        CommandOutcome outcome =
                run("trap '' TERM INT; echo $$ >pid; while :; do sleep 0.1; done", SHORT);
        assertEquals(Ending.TIMED_OUT, outcome.ending());
        assertEquals(137, outcome.exitCode());
        assertTrue(outcome.took().compareTo(Duration.ofSeconds(15)) < 0);
    }

    @Test
    @Tag("B25")
    @DisplayName("a command that stopped itself is killed too")
    void aCommandThatStoppedItselfIsKilledToo() throws IOException {
        assertEquals(137, run("echo $$ >pid; kill -STOP $$", SHORT).exitCode());
    }

    @Test
    @Tag("B27")
    @DisplayName("endless output is drained in little memory")
    void endlessOutputIsDrained() throws IOException {
        CommandOutcome outcome = run("echo $$ >pid; exec yes", SHORT);
        assertEquals(Ending.TIMED_OUT, outcome.ending());
        assertTrue(outcome.stdout().bytes() > 10_000_000);
        assertTrue(outcome.stdout().text().length() < 60_000);
        long torn = outcome.stdout().leftOut() - (outcome.stdout().bytes() - 51 * 1024);
        assertTrue(torn >= 0 && torn <= 4, () -> torn + " bytes of torn lines");
    }

    @Test
    void aCancellationEndsTheCommandAtOnce() throws Exception {
        var outcome =
                CompletableFuture.supplyAsync(() -> quietly("echo $$ >pid; echo a; sleep 300"));
        awaitPid();
        cancellation.cancel(new Cause.Interrupt("INT"));
        assertEquals(Ending.CANCELLED, outcome.get(20, TimeUnit.SECONDS).ending());
        assertEquals("a\n", outcome.get().stdout().text());
        assertFalse(Thread.interrupted());
    }

    @Test
    void aCancelledRunStartsNothing() throws IOException {
        cancellation.cancel(new Cause.Abort());
        assertEquals(Ending.CANCELLED, run("touch started", LONG).ending());
        assertFalse(Files.exists(cwd.resolve("started")));
    }

    @Test
    void nothingSurvivesTheEndOfTheProgram() throws Exception {
        var outcome =
                CompletableFuture.supplyAsync(
                        () -> quietly("trap '' TERM; sh -c 'echo $$ >pid; exec sleep 300' & wait"));
        awaitPid();
        runner.killAll();
        assertEquals("", alive());
        assertEquals(Ending.EXITED, outcome.get(20, TimeUnit.SECONDS).ending());
        assertEquals(Ending.CANCELLED, run("touch started", LONG).ending());
        assertFalse(Files.exists(cwd.resolve("started")));
    }

    @Test
    @Tag("C18")
    @DisplayName("one supervisor serves all commands, is no child left behind, and is replaced")
    void oneSupervisorServesAllCommands() throws Exception {
        for (int i = 0; i < 3; i++) {
            CommandOutcome outcome = run("sleep 0.05", LONG);
            assertEquals(List.of(), outcome.killed());
            assertEquals(List.of(), outcome.suspects());
        }
        List<ProcessHandle> first = supervisors();
        assertEquals(1, first.size());
        assertEquals(
                "/dev/null /dev/null",
                ProcessTable.outputPipes(first.getFirst().pid()),
                "it would keep the terminal or a pipe of ours open");
        first.getFirst().destroyForcibly();
        first.getFirst().onExit().get(20, TimeUnit.SECONDS);
        run("sleep 0.05", LONG);
        while (supervisors().isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(5); // the class has a time limit
        }
        assertNotEquals(first, supervisors());
    }

    @Test
    void commandsRunSideBySideAndLeaveEachOtherAlone() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        var slow =
                CompletableFuture.supplyAsync(() -> {
                    both.countDown();
                    return quietly("until test -e go; do sleep 0.01; done; echo slow");
                });
        both.countDown();
        assertEquals("fast\n", run("echo fast; sleep 300 &", LONG).stdout().text());
        Files.createFile(cwd.resolve("go"));
        assertEquals("slow\n", slow.get(20, TimeUnit.SECONDS).stdout().text());
    }

    @Test
    @Tag("D31")
    @DisplayName("the environment of a command holds no secret")
    void theEnvironmentHoldsNoSecret() throws IOException {
        String text = run("env; cat /proc/self/environ", LONG).stdout().text();
        assertFalse(text.contains("canary"), text);
        assertTrue(text.contains("GIT_TERMINAL_PROMPT=0"), text);
        assertTrue(text.contains("PWD=" + cwd), text);
        assertTrue(text.contains("AGENT_RUN_MARKER="), text);
    }

    @Test
    @DisplayName("A command that takes the name of a supervisor is none, and gains no time by it")
    void aNameMakesNoSupervisor() throws Exception {
        String script = "echo $$ > pid; while :; do sleep 1; done";
        CompletableFuture<CommandOutcome> fake =
                CompletableFuture.supplyAsync(
                        () -> quietly("env -i /bin/sh -c '" + script + "' agent-supervisor"));
        awaitPid();

        assertFalse(Supervisor.isOne(pid()));
        assertEquals(1, supervisors().stream().filter(it -> Supervisor.isOne(it.pid())).count());
        long start = System.nanoTime();
        runner.killAll();
        long took = Duration.ofNanos(System.nanoTime() - start).toMillis();
        assertTrue(took < 800, "" + took);
        assertEquals("", alive());
        fake.get(20, TimeUnit.SECONDS);
    }

    @Test
    void aMarkerOfAnOuterRunIsKept() throws IOException {
        ProcessRunner inner = new ProcessRunner(Map.of("AGENT_RUN_MARKER", "outer-1-"), List.of());
        String marker =
                inner.run(CommandRequest.shell("echo $AGENT_RUN_MARKER", cwd, LONG), cancellation)
                        .stdout()
                        .text();
        inner.killAll();
        assertTrue(marker.startsWith("outer-1-:"), marker);
    }

    @Test
    void whatCannotBeStartedIsAnException() {
        var request = CommandRequest.shell("true", cwd.resolve("gone"), LONG);
        assertThrows(IOException.class, () -> runner.run(request, cancellation));
    }

    private CommandOutcome run(String command, Duration timeout) throws IOException {
        return runner.run(CommandRequest.shell(command, cwd, timeout), cancellation);
    }

    private CommandOutcome quietly(String command) {
        try {
            return run(command, LONG);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void awaitPid() throws Exception {
        while (!Files.exists(cwd.resolve("pid")) || Files.size(cwd.resolve("pid")) == 0) {
            TimeUnit.MILLISECONDS.sleep(5); // the class has a time limit
        }
    }

    private List<ProcessHandle> supervisors() {
        return ProcessHandle.current()
                .children()
                .filter(child ->
                        !others.contains(child)
                                && ProcessTable.entry(child.pid())
                                        instanceof ProcessTable.Entry entry
                                && !entry.isZombie()
                                && commandLine(child).contains("agent-supervisor"))
                .toList();
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
        } catch (IOException e) {
            return ""; // it has just ended
        }
    }

    private long pid() throws IOException {
        return Long.parseLong(Files.readString(cwd.resolve("pid")).strip());
    }

    private String alive() throws IOException {
        ProcessTable.Entry entry = ProcessTable.entry(pid());
        return entry == null || entry.isZombie() ? "" : ProcessTree.describe(pid());
    }

    @Test
    @DisplayName("commands that run at once each have their own result")
    void atOnce() throws Exception {
        ProcessRunner runner = new ProcessRunner(System.getenv(), List.of());
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<String>> results = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                String line = "sleep 0." + i % 3 + "; echo " + i;
                CommandRequest request =
                        CommandRequest.shell(line, Path.of("/"), Duration.ofMinutes(1));
                results.add(
                        threads.submit(
                                () -> runner.run(request, new Cancellation()).stdout().text()));
            }
            for (int i = 0; i < results.size(); i++) {
                assertEquals(i + "\n", results.get(i).get());
            }
        } finally {
            runner.killAll();
        }
        assertEquals("", runner.lastLines(5));
    }
}
