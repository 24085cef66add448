package dev.agentloop.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.blackbox.Await;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.process.CommandOutcome.Ending;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hundreds of badly behaved commands, four at a time; most of its minute they only sleep. */
@Tag("side-by-side")
class ProcessSoakIT {
    private static final int COMMANDS = 500;
    private static final int AT_ONCE = 4; // as many as calls of one step
    private static final int ROUND = 50; // then the kinds come again
    private static final String SLEEP = "sleep 30075.25"; // seconds that nobody else sleeps
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(1);

    @TempDir Path cwd;
    private final String id = UUID.randomUUID().toString();

    @Test
    @Timeout(300)
    @Tag("B21")
    @Tag("B22")
    @Tag("B23")
    @Tag("B24")
    @Tag("B25")
    @Tag("B26")
    @Tag("B27")
    @Tag("B28")
    @Tag("B29")
    @DisplayName("500 bad commands leave no process, no file, no descriptor, no thread")
    void nothingIsLeft() throws Exception {
        assumeTrue(ProcessTable.isAvailable(), "no /proc");
        int descriptors = descriptors();
        ProcessRunner runner =
                new ProcessRunner(
                        Map.of(
                                "PATH", System.getenv("PATH"),
                                "TMPDIR", cwd.toString(),
                                "AGENT_SOAK", id),
                        List.of());
        runAll(runner);
        Await.until("the end of all", () -> ours().size() == 1, () -> ours().toString());
        assertTrue(ours().getFirst().contains("agent-supervisor"), () -> ours().toString());

        runner.killAll();
        assertEquals(List.of(), ours());
        assertEquals(List.of(), Arrays.asList(cwd.toFile().list()));
        Await.until("few pipes", () -> descriptors() <= descriptors, () -> open().toString());
        Await.until("the end of threads", () -> threads().isEmpty(), () -> threads().toString());
    }

    private void runAll(ProcessRunner runner) throws Exception {
        try (ExecutorService callers = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<?>> calls = new ArrayList<>();
            for (int i = 0; i < COMMANDS; i++) {
                int kind = i % ROUND;
                calls.add(
                        callers.submit(() -> {
                            one(runner, kind);
                            return null;
                        }));
            }
            for (Future<?> call : calls) {
                call.get();
            }
        }
    }

    private void one(ProcessRunner runner, int kind) throws Exception {
        switch (kind) {
            case 0, 1, 2, 3 -> ends(runner, SLEEP, SHORT, Ending.TIMED_OUT);
            case 4 ->
                    ends(
                            runner,
                            "trap '' TERM INT; " + SLEEP + " & while :; do " + SLEEP + "; done",
                            SHORT,
                            Ending.TIMED_OUT);
            case 5 -> ends(runner, "kill -STOP $$", SHORT, Ending.TIMED_OUT);
            case 6 -> ends(runner, "timeout 0.3 yes; " + SLEEP + " &", LONG, Ending.EXITED);
            case 7, 8 -> cancelled(runner);
            case 9, 10 -> inBackground(runner);
            case 11, 12, 13 -> exits(runner, SLEEP + " & echo hi");
            case 14, 15, 16 -> exits(runner, "nohup setsid " + SLEEP + " >/dev/null 2>&1 &");
            case 17, 18, 19 -> exits(runner, "(sh -c '" + SLEEP + " & " + SLEEP + "' &)");
            case 20, 21 -> exits(runner, "env -i /usr/bin/setsid /bin/" + SLEEP + " &");
            case 22 -> exits(runner, "for i in 1 2 3 4 5 6 7 8 9; do " + SLEEP + " & done");
            case 23, 24, 25 -> exits(runner, "seq 200000; seq 100000 >&2");
            case 26 -> exits(runner, "kill -SEGV $$");
            case 27 -> exits(runner, "exec >&- 2>&-; exec <&-; " + SLEEP + " &");
            case 28 -> exits(runner, "no_such_command_at_all");
            default -> exits(runner, "echo out; echo err >&2; exit " + kind);
        }
    }

    private void exits(ProcessRunner runner, String command) throws IOException {
        ends(runner, command, LONG, Ending.EXITED);
    }

    private void ends(ProcessRunner runner, String command, Duration timeout, Ending how)
            throws IOException {
        CommandOutcome outcome =
                runner.run(CommandRequest.shell(command, cwd, timeout), new Cancellation());
        assertEquals(how, outcome.ending(), command);
    }

    private void cancelled(ProcessRunner runner) throws Exception {
        Cancellation stop = new Cancellation();
        Thread stopper =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                TimeUnit.MILLISECONDS.sleep(100);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            stop.cancel(new Cause.Abort());
                        });
        CommandOutcome outcome =
                runner.run(CommandRequest.shell(SLEEP + " & " + SLEEP, cwd, LONG), stop);
        stopper.join();
        assertEquals(Ending.CANCELLED, outcome.ending());
    }

    private void inBackground(ProcessRunner runner) throws IOException {
        BackgroundCommands.Report started =
                runner.background()
                        .start(
                                CommandRequest.shell("seq 9999; " + SLEEP + " & wait", cwd, LONG),
                                Optional.empty())
                        .orElseThrow();
        assertTrue(runner.background().stop(started.id()).orElseThrow().end().isPresent());
    }

    /** Processes that carry our environment, work in our folder, or sleep our sleep. */
    private List<String> ours() {
        List<String> found = new ArrayList<>();
        for (ProcessTable.Entry entry : ProcessTable.startedSince(1, 0).alive()) {
            String command = text(entry.pid(), "cmdline").replace('\0', ' ');
            if (text(entry.pid(), "environ").contains(id)
                    || ProcessTable.worksIn(entry.pid(), cwd)
                    || command.contains(SLEEP)) {
                found.add(entry.pid() + " " + command);
            }
        }
        return found;
    }

    private static String text(long pid, String file) {
        try {
            byte[] bytes = Files.readAllBytes(Path.of("/proc/" + pid + "/" + file));
            return new String(bytes, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // it has just ended, or belongs to somebody else
        }
    }

    private int descriptors() {
        return open().size();
    }

    /** What commands need; the class path may be opened at any time. */
    private List<String> open() {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.map(ProcessSoakIT::target)
                    .filter(name ->
                            name.startsWith("pipe:")
                                    || name.startsWith("/proc/")
                                    || name.equals("/dev/null")
                                    || name.startsWith(cwd.toString()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return ""; // the one that the listing itself needs
        }
    }

    /** Threads of commands; the one that starts processes stays. */
    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.equals("command output") || name.matches("b\\d+"))
                .toList();
    }
}
