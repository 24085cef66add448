package dev.agentloop.blackbox;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The program as a running process. */
public final class AgentProcess {
    private static final int SIGKILLED = 128 + 9;
    private static final long LONGEST_SECONDS = 60;
    private static final Duration LONGEST_CLEANING = Duration.ofSeconds(5); // half a second alone
    private static final long LOOK_MILLIS = 50;

    private final World world;
    private final List<String> words;
    private final Process process;
    private final Launch.Output output;
    private final long started = System.nanoTime();
    private final Drain out;
    private final Drain err;
    private long peakKb;

    AgentProcess(World world, List<String> words, Process process, Launch.Output output) {
        this.world = world;
        this.words = words;
        this.process = process;
        this.output = output;
        this.out = new Drain(process.getInputStream());
        this.err = new Drain(process.getErrorStream());
        world.processes().isRunning(process.pid());
        err.start();
        if (output != Launch.Output.HELD) {
            out.start();
        }
    }

    public AgentProcess releaseOut() {
        out.start();
        return this;
    }

    public long pid() {
        return process.pid();
    }

    public String out() {
        return out.text();
    }

    public String err() {
        return err.text();
    }

    /** Writes to standard input and closes it; a program that does not read is no trouble. */
    void feed(String text) {
        Thread writer =
                new Thread(() -> {
                    try (OutputStream in = process.getOutputStream()) {
                        in.write(text.getBytes(StandardCharsets.UTF_8));
                    } catch (IOException e) {
                        return; // it ended, or was started with another standard input
                    }
                });
        writer.setDaemon(true);
        writer.start();
    }

    /** Writes more than a pipe holds and leaves it open: returns when the program is reading. */
    public AgentProcess feedUntilItReads() {
        try {
            process.getOutputStream()
                    .write("words ".repeat(50_000).getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            return this;
        } catch (IOException e) {
            throw new AssertionError("it does not read: " + this, e);
        }
    }

    /** Types at its terminal; {@code \u0003} is Ctrl-C. */
    public AgentProcess type(String keys) {
        try {
            process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            return this;
        } catch (IOException e) {
            throw new AssertionError("nobody is there to type for: " + this, e);
        }
    }

    public AgentProcess awaitErr(String part) {
        Await.until("on stderr: " + part, () -> err().contains(part), this::toString);
        return this;
    }

    public AgentProcess awaitOut(String part) {
        Await.until("on stdout: " + part, () -> out().contains(part), this::toString);
        return this;
    }

    /** Waits for a file of the workspace. */
    public AgentProcess awaitFile(String name) {
        Await.until("the file " + name, () -> world.exists(name), this::toString);
        return this;
    }

    public AgentProcess signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return this;
    }

    /** Signals the program itself where something else has started it. */
    AgentProcess signalChild(String name) {
        long child =
                process.descendants()
                        .filter(it -> it.info().command().orElse("").endsWith("/java"))
                        .findFirst()
                        .orElseThrow()
                        .pid();
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(child)).start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
        return this;
    }

    boolean hasEnded() {
        return !process.isAlive();
    }

    /** Waits for the end and checks what always holds. */
    public Ended ended() {
        Ended ended = ending();
        world.checkNothingAlive();
        Globals.check(world, ended, output != Launch.Output.ELSEWHERE);
        return ended;
    }

    /** Kills it as no program can foresee; what it started ends by itself. */
    public void killed() {
        signal("KILL");
        Ended ended = ending();
        world.processes().checkNothingAlive(LONGEST_CLEANING);
        world.newlyServedUsd(); // nobody is left who could account for it
        if (ended.exitCode() != SIGKILLED) {
            throw new AssertionError("it ended before it was killed: " + ended);
        }
    }

    /** Looks at its memory while it waits: nobody can be asked about it after the end. */
    private boolean endsInTime() throws InterruptedException {
        for (long waited = 0; waited < LONGEST_SECONDS * 1000L; waited += LOOK_MILLIS) {
            peakKb = Math.max(peakKb, highWaterKb());
            if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return false;
    }

    private long highWaterKb() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid() + "/status"))) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException | UncheckedIOException e) {
            return 0; // it has just ended
        }
    }

    /** Waits for the end; the caller checks. */
    Ended ending() {
        try {
            if (!endsInTime()) {
                signal("QUIT"); // its thread dump tells where it hangs
                process.waitFor(1, TimeUnit.SECONDS);
                process.destroyForcibly().waitFor();
                world.processes().hasEnded(pid());
                world.processes().killStrays();
                throw new AssertionError("it does not end: " + this);
            }
            world.processes().hasEnded(pid());
            Duration took = Duration.ofNanos(System.nanoTime() - started);
            out.join();
            err.join();
            TerminalTrace trace = output == Launch.Output.TERMINAL ? world.terminalTrace() : null;
            return new Ended(words, process.exitValue(), out(), err(), took, peakKb, trace);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String toString() {
        return "agent " + String.join(" ", words) + "\n-- out\n" + out() + "\n-- err\n" + err();
    }

    /** Reads a stream to its end, as it comes. */
    private static final class Drain extends Thread {
        private final InputStream in;
        private final ByteArrayOutputStream all = new ByteArrayOutputStream();

        Drain(InputStream in) {
            this.in = in;
            setDaemon(true);
        }

        String text() {
            synchronized (all) {
                return all.toString(StandardCharsets.UTF_8);
            }
        }

        @Override
        public void run() {
            byte[] buffer = new byte[8192];
            try {
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    synchronized (all) {
                        all.write(buffer, 0, n);
                    }
                }
            } catch (IOException e) {
                return; // closed with the process
            }
        }
    }
}
