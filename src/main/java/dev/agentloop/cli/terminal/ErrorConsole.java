package dev.agentloop.cli.terminal;

import java.util.function.Supplier;

/**
 * Standard error of a run: the human log, and on a terminal one live line below it while something
 * takes long. The line is erased before anything else is written, so it leaves no trace.
 */
public final class ErrorConsole implements AutoCloseable {
    private static final long TICK_MILLIS = 200;
    private static final String ERASE = "\r\u001b[K";
    private static final String FRAMES = "|/-\\";

    private final Streams streams;
    private final Supplier<String> status;
    private boolean drawn;
    private boolean atLineStart = true;
    private int holds;
    private boolean closed;
    private int frame;

    /**
     * @param live whether the live line may be drawn; never off a terminal
     * @param status what it says after its moving sign
     */
    public ErrorConsole(Streams streams, boolean live, Supplier<String> status) {
        this.streams = streams;
        this.status = status;
        if (live) {
            Thread ticker = new Thread(this::tick, "live line");
            ticker.setDaemon(true);
            ticker.start();
        }
    }

    public synchronized void print(String text) {
        erase();
        if (!text.isEmpty()) {
            streams.printError(text);
            atLineStart = text.endsWith("\n");
        }
    }

    /** Draws nothing until {@link #release}: somebody is being asked. */
    public synchronized void hold() {
        erase();
        holds++;
    }

    public synchronized void release() {
        holds--;
    }

    @Override
    public synchronized void close() {
        erase();
        closed = true;
        notifyAll();
    }

    private synchronized void tick() {
        while (!closed) {
            try {
                wait(TICK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
            if (!closed && holds == 0 && atLineStart) {
                draw();
            }
        }
    }

    private void draw() {
        frame = (frame + 1) % FRAMES.length();
        streams.printError(ERASE + FRAMES.charAt(frame) + " " + status.get());
        drawn = true;
    }

    private void erase() {
        if (drawn) {
            streams.printError(ERASE);
            drawn = false;
        }
    }
}
