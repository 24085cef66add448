package dev.agentloop.process;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.process.CommandOutcome.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Commands that run beside the calls of the model, each under a short id. None outlives the run
 * that is not left on purpose.
 *
 * <p><b>Contract.</b> Safe from several threads. {@link #stop} waits for the end of the whole tree,
 * at most 3 s; {@link #start} a moment, so that what cannot work is told at once.
 */
public final class BackgroundCommands {
    /** At once; a model that starts more has lost track of them. */
    public static final int MOST_RUNNING = 8;

    private static final int MOST_KNOWN = 64; // ended ones included; each holds up to 64 KB
    private static final Duration NO_LIMIT = Duration.ofDays(365);
    private static final long FIRST_LOOK_MILLIS = 300; // wrong names and used ports show by then
    private static final long LOOK_MILLIS = 30; // between two looks at what was printed
    private static final long END_MILLIS = 300; // of a test run behind its last line
    private static final long STOP_MILLIS = 5_000; // TERM, 2 s, KILL, on a slow machine
    private static final long LAST_MILLIS = 1_000; // to clean up at the end of the run

    /** Goes on reading what a command prints, whose pipes would break without a reader. */
    private static final String COPY =
            """
            [ -p "$1/1" ] && cat <"$1/1" >>"$2" &
            [ -p "$1/2" ] && exec cat <"$1/2" >>"$2"
            """;

    private final ProcessRunner runner;
    private final Map<String, Background> commands = new LinkedHashMap<>();
    private int started;

    BackgroundCommands(ProcessRunner runner) {
        this.runner = runner;
    }

    /**
     * What has happened to a command.
     *
     * @param reachable whether another command can signal it by its number; not in a sandbox
     * @param ran how long it has been running, or ran
     * @param end how it ended; empty while it runs
     * @param stdout what was printed since the last report
     * @param stderr likewise
     */
    public record Report(
            String id,
            CommandRequest request,
            long pid,
            boolean reachable,
            Duration ran,
            Optional<CommandOutcome> end,
            Output stdout,
            Output stderr) {}

    /** Starts a command; empty if too many are running. */
    public Optional<Report> start(CommandRequest request, Optional<Duration> timeout)
            throws IOException {
        Background background;
        synchronized (this) {
            if (running().size() >= MOST_RUNNING) {
                return Optional.empty();
            }
            forgetEnded();
            Optional<RunningCommand> command = runner.begin(request);
            if (command.isEmpty()) {
                throw new IOException("the run is ending");
            }
            background = new Background("b" + ++started, request, command.get());
            commands.put(background.id, background);
        }
        background.watch(runner, timeout.orElse(NO_LIMIT));
        background.awaitEnd(FIRST_LOOK_MILLIS);
        return Optional.of(background.report());
    }

    /** The news of a command; empty if there never was one of this id. */
    public Optional<Report> look(String id) {
        return find(id).map(Background::report);
    }

    /**
     * The same, but waits until what it printed since the last report is what is wanted, it has
     * ended, or the time is up.
     */
    public Optional<Report> await(
            String id, Predicate<String> wanted, Duration atMost, Cancellation cancellation) {
        return find(id).map(background -> {
            background.awaitOutput(wanted, atMost, cancellation);
            return background.report();
        });
    }

    /**
     * The news of a command that was waited for.
     *
     * @param seen whether what it printed was what was wanted
     */
    public record Awaited(Report report, boolean seen) {}

    /**
     * The same for words that a program may print last: it gets a moment to end after them. They
     * may begin in a line of which the last report has told the beginning.
     */
    public Optional<Awaited> awaitLast(
            String id, Predicate<String> wanted, Duration atMost, Cancellation cancellation) {
        return find(id).map(background -> {
            boolean[] seen = new boolean[1];
            background.awaitOutput(
                    printed ->
                            seen[0] =
                                    wanted.test(printed) || background.command.hasCompleted(wanted),
                    atMost,
                    cancellation);
            if (seen[0]) {
                background.awaitEnd(END_MILLIS);
            }
            return new Awaited(background.report(), seen[0]);
        });
    }

    /** How a command ended; empty while it runs, or if there never was one of this id. */
    public Optional<CommandOutcome> ended(String id) {
        return find(id).filter(one -> one.end.isDone()).map(one -> one.end.join());
    }

    /** Whether a command has a terminal of its own; empty if there never was one of this id. */
    public Optional<Boolean> isAtTerminal(String id) {
        return find(id).map(background -> background.request.isAtTerminal());
    }

    /**
     * What a command has printed since the last report; empty if there never was one of this id.
     */
    public Optional<String> printed(String id) {
        return find(id).map(background -> background.command.printed());
    }

    /**
     * What the first report of a command held, or the first after it was told something, until
     * there is another one; empty if there never was one of this id.
     */
    public Optional<String> newestWords(String id) {
        return find(id).map(background -> background.newestWords);
    }

    /**
     * Tells a command something; empty if there never was one of this id.
     *
     * @param end whether nothing more comes
     * @return whether it has taken it
     * @throws IOException when it has ended, or its input has
     */
    public Optional<Boolean> tell(String id, byte[] words, boolean end) throws IOException {
        Optional<Background> background = find(id);
        if (background.isEmpty()) {
            return Optional.empty();
        }
        if (background.get().end.isDone()) {
            throw new IOException("it has ended");
        }
        background.get().reported = false;
        return Optional.of(background.get().command.tell(words, end));
    }

    /** Ends a command with everything that it started. */
    public Optional<Report> stop(String id) {
        return find(id).map(background -> {
            background.stop();
            background.awaitEnd(STOP_MILLIS);
            return background.report();
        });
    }

    /** Those that are running, for people and models: {@code b1 (npm start)}. */
    public synchronized List<String> running() {
        List<String> names = new ArrayList<>();
        for (Background background : commands.values()) {
            if (!background.end.isDone()) {
                names.add(background.toString());
            }
        }
        return names;
    }

    /** Whether one that runs was granted the network by itself. */
    public synchronized boolean hasOnline() {
        return commands.values().stream()
                .anyMatch(one ->
                        !one.end.isDone() && one.request.reach() == CommandRequest.Reach.ONLINE);
    }

    /**
     * One that was left running.
     *
     * @param pid of the process group that it leads
     * @param output file with what it prints from now on, readable for the user alone
     */
    public record Left(String id, CommandRequest request, long pid, Path output) {}

    /**
     * Leaves those running that no sandbox confines; they are known here no more. For the end of
     * the program, because a command is still watched until then.
     *
     * @param left takes each
     */
    public synchronized void leave(Consumer<Left> left) throws IOException {
        for (Background background : List.copyOf(commands.values())) {
            if (!background.end.isDone() && background.command.mayOutliveRun()) {
                Path output = Files.createTempFile("agent-" + background.id + "-", ".log");
                long pid = background.command.pid();
                String pipes = "/proc/" + pid + "/fd";
                runner.leave(
                        background.command,
                        List.of("/bin/sh", "-c", COPY, "agent-output", pipes, output.toString()));
                commands.remove(background.id);
                left.accept(new Left(background.id, background.request, pid, output));
            }
        }
    }

    /** Ends all of them at once and says which were still running. */
    public List<String> stopAll() {
        List<String> names = running();
        List<Background> all;
        synchronized (this) {
            all = new ArrayList<>(commands.values());
        }
        all.forEach(Background::stop);
        long last = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LAST_MILLIS);
        for (Background background : all) {
            background.awaitEnd(
                    Math.max(0, TimeUnit.NANOSECONDS.toMillis(last - System.nanoTime())));
        }
        return names;
    }

    private synchronized Optional<Background> find(String id) {
        return Optional.ofNullable(commands.get(id));
    }

    private void forgetEnded() {
        if (commands.size() >= MOST_KNOWN) {
            commands.values().removeIf(background -> background.end.isDone());
        }
    }

    /** One of them, and the thread that waits for its end. */
    private static final class Background {
        private final String id;
        private final CommandRequest request;
        private final RunningCommand command;
        private final Cancellation stop = new Cancellation();
        private final CompletableFuture<CommandOutcome> end = new CompletableFuture<>();
        private volatile String newestWords = "";
        private volatile boolean reported;

        Background(String id, CommandRequest request, RunningCommand command) {
            this.id = id;
            this.request = request;
            this.command = command;
        }

        void watch(ProcessRunner runner, Duration timeout) {
            Thread watcher = new Thread(() -> finish(runner, timeout), id);
            watcher.setDaemon(true);
            watcher.start();
        }

        private void finish(ProcessRunner runner, Duration timeout) {
            try {
                end.complete(runner.finish(command, timeout, stop, _ -> {}));
            } catch (IOException e) {
                end.complete(CommandOutcome.failed(String.valueOf(e.getMessage())));
            }
        }

        void stop() {
            stop.cancel(new Cause.Abort());
        }

        void awaitEnd(long millis) {
            try {
                end.get(millis, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (TimeoutException e) {
                return; // then it is still running, and the report says so
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        void awaitOutput(Predicate<String> wanted, Duration atMost, Cancellation cancellation) {
            long until = System.nanoTime() + atMost.toNanos();
            try {
                while (!end.isDone()
                        && !command.hasPrinted(wanted)
                        && System.nanoTime() < until
                        && !cancellation.await(LOOK_MILLIS)) {
                    Thread.onSpinWait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        synchronized Report report() {
            Optional<CommandOutcome> ended =
                    end.isDone() ? Optional.of(end.join()) : Optional.empty();
            Duration ran = ended.map(CommandOutcome::took).orElseGet(command::age);
            Output out = command.takeStdout();
            Output err = command.takeStderr();
            newestWords = reported ? "" : out.text() + "\n" + err.text();
            reported = true;
            return new Report(
                    id,
                    request,
                    command.pid(),
                    !command.isSandboxed(),
                    ran,
                    ended.map(outcome -> outcome.withOutputs(out, err)),
                    out,
                    err);
        }

        @Override
        public String toString() {
            return id + " (" + OutputText.line(request.command(), 80) + ")";
        }
    }
}
