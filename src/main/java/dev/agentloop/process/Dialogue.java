package dev.agentloop.process;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A program that is talked to for as long as both sides like: a server on its standard streams.
 *
 * <p><b>Contract.</b> Whoever holds it reads both outputs, or the program stops when a pipe is
 * full. {@link #stop} blocks until it and everything it started are gone.
 */
public final class Dialogue {
    private final Process process;
    private final ProcessTree tree;
    private final Consumer<Dialogue> whenGone;
    private boolean stopped;

    Dialogue(Process process, ProcessTree tree, Consumer<Dialogue> whenGone) {
        this.process = process;
        this.tree = tree;
        this.whenGone = whenGone;
    }

    /** The standard input of the process. */
    public OutputStream in() {
        return process.getOutputStream();
    }

    /** The standard output of the process. */
    public InputStream out() {
        return process.getInputStream();
    }

    /** What it says aside. */
    public InputStream err() {
        return process.getErrorStream();
    }

    /** Whether it has not ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Its exit code; -1 while it runs. */
    public int exitCode() {
        return process.isAlive() ? -1 : process.exitValue();
    }

    /**
     * Waits for its end.
     *
     * @return whether it has ended
     */
    public boolean awaitEnd(Duration atMost) {
        try {
            return process.waitFor(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }

    /** Tells the program to end, as a signal would: what it has started is left to it. */
    public void terminate() {
        process.toHandle().destroy(); // Process.destroy would close what it still has to say
    }

    /**
     * Ends it with everything it started: those that are left when {@code patience} is over are
     * told to, those that are left after as long again are killed.
     */
    public synchronized void stop(Duration patience) {
        if (stopped) {
            return;
        }
        stopped = true;
        awaitEnd(patience);
        tree.kill(tree.members(), patience);
        whenGone.accept(this);
    }

    /**
     * Ends a program that ends what it has started, and cleans up, when it is told to: only it is
     * told, at once; what is left after {@code grace} is killed.
     */
    public synchronized void end(Duration grace) {
        if (stopped) {
            return;
        }
        stopped = true;
        terminate();
        awaitEnd(grace);
        tree.killNow(tree.members());
        whenGone.accept(this);
    }

    long pid() {
        return process.pid();
    }

    /**
     * For the end of the program: no grace.
     *
     * @return waits for the supervisors of what was killed
     */
    Runnable killNow() {
        return tree.killAtOnce();
    }
}
