package dev.agentloop.mcp.serve;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Lines of a stream. Of one that is too long nothing is kept; the next one is read as usual. */
final class MessageLines {
    /** Stands for a line that was too long. */
    static final byte[] TOO_LONG = new byte[0];

    private static final int CHUNK = 64 * 1024;

    private final InputStream in;
    private final int maxBytes;
    private final byte[] chunk = new byte[CHUNK];
    private int from;
    private int to;

    /**
     * @param maxBytes of one line
     */
    MessageLines(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** The next line without its end, also the last one that has none; null after that. */
    byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        boolean tooLong = false;
        while (true) {
            if (from == to && !fill()) {
                return tooLong ? TOO_LONG : line.size() == 0 ? null : line.toByteArray();
            }
            int end = from;
            while (end < to && chunk[end] != '\n') {
                end++;
            }
            if (line.size() + (end - from) > maxBytes) {
                tooLong = true;
                line = new ByteArrayOutputStream(512);
            }
            if (!tooLong) {
                line.write(chunk, from, end - from);
            }
            boolean whole = end < to;
            from = whole ? end + 1 : end;
            if (whole) {
                return tooLong ? TOO_LONG : line.toByteArray();
            }
        }
    }

    private boolean fill() throws IOException {
        from = 0;
        to = Math.max(0, in.read(chunk));
        return to > 0;
    }
}
