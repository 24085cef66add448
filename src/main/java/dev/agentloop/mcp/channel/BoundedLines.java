package dev.agentloop.mcp.channel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Lines of a stream, of which none may be longer than a server has a reason for. */
final class BoundedLines {
    static final int MAX_BYTES = 8 << 20; // of one message; an image of 5 MB in base64 fits
    private static final int CHUNK = 64 * 1024;

    private final InputStream in;
    private final byte[] chunk = new byte[CHUNK];
    private int from;
    private int to;

    BoundedLines(InputStream in) {
        this.in = in;
    }

    /** A line was longer than allowed; what follows cannot be understood any more. */
    static final class TooLong extends IOException {
        private static final long serialVersionUID = 1L;

        TooLong() {
            super("it sent a message of more than 8 MB");
        }
    }

    /** The next line without its end; null at the end of the stream. */
    byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        while (true) {
            if (from == to) {
                from = 0;
                to = Math.max(0, in.read(chunk));
                if (to == 0) {
                    return line.size() == 0 ? null : line.toByteArray();
                }
            }
            int end = from;
            while (end < to && chunk[end] != '\n') {
                end++;
            }
            line.write(chunk, from, end - from);
            if (line.size() > MAX_BYTES) {
                throw new TooLong();
            }
            boolean whole = end < to;
            from = whole ? end + 1 : end;
            if (whole) {
                return line.toByteArray();
            }
        }
    }
}
