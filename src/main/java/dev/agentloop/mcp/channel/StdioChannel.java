package dev.agentloop.mcp.channel;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.process.Dialogue;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server that is a child of ours: one message a line on its standard streams. */
public final class StdioChannel implements Channel {
    private static final Duration PATIENCE = Duration.ofMillis(500); // to end by itself
    private static final int GARBAGE_SHOWN = 200; // characters
    private static final byte[] END = new byte[0];

    private final ServerSpec.Program program;
    private final ProcessRunner processes;
    private final Path workspace;
    private final LastBytes stderr = new LastBytes();
    private final Backlog backlog = new Backlog();
    private final LinkedBlockingQueue<byte[]> outgoing = new LinkedBlockingQueue<>(); // as above
    private final CountDownLatch heardOut = new CountDownLatch(1);
    private volatile String garbage = "";
    private volatile boolean closed;
    private @Nullable Dialogue dialogue;

    public StdioChannel(ServerSpec.Program program, ProcessRunner processes, Path workspace) {
        this.program = program;
        this.processes = processes;
        this.workspace = workspace;
    }

    @Override
    public void open(Receiver receiver) throws McpException {
        try {
            Dialogue started = processes.talk(program.argv(), workspace, program.environment());
            dialogue = started;
            daemon("in", () -> read(started, receiver));
            daemon("err", () -> hear(started));
            daemon("out", () -> write(started.in()));
        } catch (IOException e) {
            throw new McpException(
                    program.argv().getFirst() + " cannot be started: " + e.getMessage());
        }
    }

    @Override
    public void send(JsonValue message) throws McpException {
        byte[] line = (Json.text(message::writeTo) + "\n").getBytes(StandardCharsets.UTF_8);
        backlog.add(line.length);
        outgoing.add(line);
    }

    @Override
    public String lastWords() {
        String said = stderr.lastLine();
        return said.isEmpty() ? garbage : said;
    }

    @Override
    public void close() {
        closed = true;
        outgoing.clear();
        outgoing.add(END);
        if (dialogue != null) {
            dialogue.stop(PATIENCE);
        }
    }

    /** Ends with the stream, or with a line that nobody could keep. */
    private void read(Dialogue from, Receiver receiver) {
        String why = "";
        try {
            BoundedLines lines = new BoundedLines(from.out());
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                hand(line, receiver);
            }
        } catch (BoundedLines.TooLong e) {
            why = String.valueOf(e.getMessage());
        } catch (IOException e) {
            why = closed ? "it was closed" : "its output cannot be read: " + e.getMessage();
        }
        if (why.isEmpty()) {
            boolean over = from.awaitEnd(PATIENCE);
            awaitLastWords();
            why = over ? "it ended with exit code " + from.exitCode() : "it closed its output";
        }
        receiver.ended(why);
        if (from.awaitEnd(Duration.ZERO)) {
            from.stop(Duration.ZERO); // what it left behind serves nobody
        }
    }

    private void hear(Dialogue from) {
        try {
            stderr.drain(from.err());
        } finally {
            heardOut.countDown();
        }
    }

    /** The last words come on a stream of their own; what it started may keep that open. */
    private void awaitLastWords() {
        try {
            boolean _ = heardOut.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is no message is left out: many programs print a greeting to the wrong stream. */
    private void hand(byte[] line, Receiver receiver) {
        if (line.length == 0 || line.length == 1 && line[0] == '\r') {
            return;
        }
        JsonValue message;
        try {
            message = Json.parse(line);
        } catch (JsonException e) {
            message = new JsonValue(null);
        }
        if (message.isObject()) {
            receiver.message(message);
        } else if (message.isArray()) { // a batch, of the version 2025-03-26
            message.items().stream().filter(JsonValue::isObject).forEach(receiver::message);
        } else {
            int length = Math.min(line.length, GARBAGE_SHOWN);
            garbage = CleanText.oneLine(new String(line, 0, length, StandardCharsets.UTF_8));
        }
    }

    private void write(OutputStream to) {
        try (to) {
            for (byte[] line = outgoing.take(); line != END; line = outgoing.take()) {
                to.write(line);
                to.flush();
                backlog.remove(line.length);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            return; // it does not read any more: its end comes on the other stream
        }
    }

    private static void daemon(String what, Runnable work) {
        Thread thread = new Thread(work, "mcp " + what);
        thread.setDaemon(true);
        thread.start();
    }
}
