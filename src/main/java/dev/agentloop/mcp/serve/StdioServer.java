package dev.agentloop.mcp.serve;

import dev.agentloop.control.Cancellation;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Serves one client on a pair of streams, one message of JSON-RPC a line, until it goes away. */
public final class StdioServer {
    private static final long LOOK_MILLIS = 500; // how often we look whether it reads
    private static final Duration LAST =
            Duration.ofSeconds(9); // for the ends of calls; a run has seven, and is then killed

    private final Offer offer;

    /**
     * What is offered.
     *
     * @param version of this program
     * @param instructions one paragraph for the client's model
     */
    public record Offer(
            String version, String instructions, List<ServedTool> tools, Limits limits) {
        public Offer {
            tools = List.copyOf(tools);
        }
    }

    /**
     * How much a client gets.
     *
     * @param maxMessageBytes of one line; what is longer is left out, with an error
     * @param maxCalls under way at the same time
     * @param patience with a client that does not read
     */
    public record Limits(int maxMessageBytes, int maxCalls, Duration patience) {
        /** Those of the program. */
        public static final Limits USUAL = new Limits(6 << 20, 16, Duration.ofMinutes(2));
    }

    /** Why it is over. */
    public enum End {
        /** The client has closed its side. */
        CLOSED,
        /** The client did not read for too long. */
        STUCK,
        /** It was told to stop. */
        STOPPED
    }

    public StdioServer(Offer offer) {
        this.offer = offer;
    }

    /**
     * Returns when the client has gone; then no call is under way any more.
     *
     * @param stop ends it as if the client had gone
     * @throws IOException if the client has closed what it reads
     */
    public End serve(InputStream in, OutputStream out, Cancellation stop) throws IOException {
        CompletableFuture<End> end = new CompletableFuture<>();
        Outgoing outgoing = new Outgoing(out, end::completeExceptionally);
        Calls calls = new Calls(outgoing, offer.limits().maxCalls());
        ServerSession session = new ServerSession(offer, outgoing, calls);
        Thread reader = new Thread(() -> read(in, session, end), "mcp client");
        reader.setDaemon(true); // it may be stuck in a write, or in a read
        reader.start();
        try (var _ = stop.onCancel(() -> end.complete(End.STOPPED))) {
            return await(end, outgoing);
        } finally {
            calls.endAll(LAST);
        }
    }

    private void read(InputStream in, ServerSession session, CompletableFuture<End> end) {
        MessageLines lines = new MessageLines(in, offer.limits().maxMessageBytes());
        try {
            for (byte @Nullable [] line = lines.next(); line != null; line = lines.next()) {
                session.take(line);
            }
        } catch (IOException e) {
            // A side that cannot be read is as good as closed.
        } finally {
            end.complete(End.CLOSED);
        }
    }

    private End await(CompletableFuture<End> end, Outgoing outgoing) throws IOException {
        while (true) {
            try {
                return end.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (outgoing.isStuckFor(offer.limits().patience())) {
                    return End.STUCK;
                }
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException lost ? lost : new IOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return End.CLOSED;
            }
        }
    }
}
