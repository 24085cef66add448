package dev.agentloop.mcp.serve;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages to the client, one a line. Nothing is kept for a client that does not read: whoever
 * sends waits, so that what is under way bounds what waits.
 */
final class Outgoing {
    private final OutputStream out;
    private final Consumer<IOException> lost;
    private final ReentrantLock turn = new ReentrantLock(true);
    private volatile long since; // nanoseconds at which the write under way began; 0: none is

    /**
     * @param lost hears that nobody reads any more
     */
    Outgoing(OutputStream out, Consumer<IOException> lost) {
        this.out = out;
        this.lost = lost;
    }

    /** Returns when it is written. */
    void send(Map<String, ? extends @Nullable Object> message) {
        turn.lock();
        try {
            write(message);
        } finally {
            turn.unlock();
        }
    }

    /** Sends it if nobody else is writing and it is still wanted then; else it is left out. */
    void offer(Map<String, ? extends @Nullable Object> message, BooleanSupplier wanted) {
        if (!turn.tryLock()) {
            return;
        }
        try {
            if (wanted.getAsBoolean()) {
                write(message);
            }
        } finally {
            turn.unlock();
        }
    }

    /** How many wait for their turn. */
    int waiting() {
        return turn.getQueueLength();
    }

    /** Whether one message has been waiting for its reader for so long. */
    boolean isStuckFor(Duration time) {
        long began = since;
        return began != 0 && System.nanoTime() - began > time.toNanos();
    }

    private void write(Map<String, ? extends @Nullable Object> message) {
        byte[] line =
                (Json.text(new JsonValue(message)::writeTo) + "\n")
                        .getBytes(StandardCharsets.UTF_8);
        since = Math.max(1, System.nanoTime());
        try {
            out.write(line);
            out.flush();
        } catch (IOException e) {
            lost.accept(e);
        } finally {
            since = 0;
        }
    }
}
