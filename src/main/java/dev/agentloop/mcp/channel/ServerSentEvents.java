package dev.agentloop.mcp.channel;

import dev.agentloop.llm.http.SseReader;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Server-sent events with what is needed to go on after a stream has ended early. */
final class ServerSentEvents implements SseReader.Fields {
    private static final int MAX_ID = 1_000; // characters
    private static final int MAX_RETRY = 30_000; // milliseconds, whatever the server wishes

    private final SseReader events;
    private String lastId;
    private String nextId;
    private long retryMillis;

    /**
     * @param lastId of the last event that was seen; empty for none
     * @param retryMillis until a server says something else
     */
    ServerSentEvents(InputStream in, String lastId, long retryMillis) {
        this.events = new SseReader(in::read, BoundedLines.MAX_BYTES, this);
        this.lastId = lastId;
        this.nextId = lastId;
        this.retryMillis = retryMillis;
    }

    /** The id of the last event that came whole; empty if there was none. */
    String lastId() {
        return lastId;
    }

    /** How long to wait before asking for the rest. */
    long retryMillis() {
        return retryMillis;
    }

    /**
     * The data of the next event that has some; null at the end of the stream.
     *
     * @throws BoundedLines.TooLong for an event that no server has a reason for
     */
    @Nullable String next() throws IOException {
        try {
            SseReader.Event event = events.next();
            return event == null || event.cut() ? null : event.data();
        } catch (SseReader.TooLarge e) {
            throw new BoundedLines.TooLong();
        }
    }

    @Override
    public void field(String name, String value) {
        switch (name) {
            case "id" -> nextId = isId(value) ? value : nextId;
            case "retry" -> retry(value);
            default -> {} // the name of the event says nothing in this protocol
        }
    }

    @Override
    public void eventEnds() {
        lastId = nextId;
    }

    /** One of anything but visible ASCII could not go back as a header. */
    private static boolean isId(String value) {
        return value.length() <= MAX_ID && value.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }

    private void retry(String value) {
        if (value.matches("\\d{1,9}")) {
            retryMillis = Math.min(MAX_RETRY, Long.parseLong(value));
        }
    }
}
