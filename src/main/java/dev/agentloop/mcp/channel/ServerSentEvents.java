package dev.agentloop.mcp.channel;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Server-sent events with what is needed to go on after a stream has ended early. */
final class ServerSentEvents {
    private static final int MAX_ID = 1_000; // characters
    private static final int MAX_RETRY = 30_000; // milliseconds, whatever the server wishes

    private final BoundedLines lines;
    private String lastId;
    private long retryMillis;

    /**
     * @param lastId of the last event that was seen; empty for none
     * @param retryMillis until a server says something else
     */
    ServerSentEvents(InputStream in, String lastId, long retryMillis) {
        this.lines = new BoundedLines(in);
        this.lastId = lastId;
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

    /** The data of the next event, empty for one without; null at the end of the stream. */
    @Nullable String next() throws IOException {
        StringBuilder data = new StringBuilder();
        String id = lastId;
        boolean any = false;
        for (byte[] raw = lines.next(); raw != null; raw = lines.next()) {
            String line = new String(raw, StandardCharsets.UTF_8);
            line = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
            if (line.isEmpty()) {
                if (any) {
                    lastId = id;
                    return data.toString();
                }
                continue;
            }
            any |= !line.startsWith(":");
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(colon + 1);
            value = value.startsWith(" ") ? value.substring(1) : value;
            switch (field) {
                case "data" -> append(data, value);
                case "id" -> id = isId(value) ? value : id;
                case "retry" -> retry(value);
                default -> {} // the name of the event says nothing in this protocol
            }
        }
        return null; // what was not closed by an empty line is not whole
    }

    /** One of anything but visible ASCII could not go back as a header. */
    private static boolean isId(String value) {
        return value.length() <= MAX_ID && value.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }

    private static void append(StringBuilder data, String value) throws IOException {
        if (data.length() + value.length() > BoundedLines.MAX_BYTES) {
            throw new BoundedLines.TooLong();
        }
        data.append(data.isEmpty() ? "" : "\n").append(value);
    }

    private void retry(String value) {
        if (value.matches("\\d{1,9}")) {
            retryMillis = Math.min(MAX_RETRY, Long.parseLong(value));
        }
    }
}
