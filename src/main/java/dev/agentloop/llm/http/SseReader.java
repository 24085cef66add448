package dev.agentloop.llm.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads server-sent events by the rules of the WHATWG standard, with a bound on each event. The
 * last event counts also without the empty line behind it, because some servers leave that out.
 */
public final class SseReader {
    /** Where bytes come from; -1 at the end. */
    @FunctionalInterface
    public interface Bytes {
        int read(byte[] into) throws IOException;
    }

    /**
     * One event with data.
     *
     * @param cut whether the stream ended before the empty line that closes the event
     */
    public record Event(String data, boolean cut) {}

    /** Hears of fields that are not data, for protocols in which they say something. */
    public interface Fields {
        /** A field of the event that is being read. */
        void field(String name, String value);

        /** The event is whole, with or without data. */
        void eventEnds();
    }

    /** An event that is larger than we are ready to hold. */
    public static final class TooLarge extends IOException {
        private static final long serialVersionUID = 1L;

        TooLarge(String message) {
            super(message);
        }
    }

    private static final byte[] DATA = {'d', 'a', 't', 'a'};
    private static final byte[] BOM = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final byte[] REPLACEMENT = {(byte) 0xEF, (byte) 0xBF, (byte) 0xBD};

    private final Bytes in;
    private final int maxEventBytes;
    private final @Nullable Fields fields;
    private final byte[] chunk = new byte[8192];
    private int position;
    private int limit;
    private final Growing line = new Growing();
    private final Growing data = new Growing();
    private boolean dataSeen;
    private boolean afterCr;
    private boolean firstLine = true;
    private boolean malformed;

    public SseReader(Bytes in, int maxEventBytes) {
        this(in, maxEventBytes, null);
    }

    /**
     * @param fields hears of fields other than data; null where nobody wants them
     */
    public SseReader(Bytes in, int maxEventBytes, @Nullable Fields fields) {
        this.in = in;
        this.maxEventBytes = maxEventBytes;
        this.fields = fields;
    }

    /** The next event; null at the end of the stream. */
    @Nullable
    public Event next() throws IOException {
        while (true) {
            while (position < limit) {
                if (takeLine() && endLine()) {
                    return event(false);
                }
            }
            limit = in.read(chunk);
            position = 0;
            if (limit < 0) {
                limit = 0;
                return atEnd();
            }
        }
    }

    /** Whether bytes that are not UTF-8 were replaced. */
    public boolean sawMalformed() {
        return malformed;
    }

    private @Nullable Event atEnd() throws IOException {
        if (line.size > 0) {
            endLine();
        }
        return dataSeen ? event(true) : null;
    }

    /** Moves bytes of the chunk to the line; true when the line is whole. */
    private boolean takeLine() throws IOException {
        if (afterCr) {
            afterCr = false;
            if (chunk[position] == '\n') {
                position++;
                return false;
            }
        }
        int end = position;
        while (end < limit && chunk[end] != '\n' && chunk[end] != '\r') {
            end++;
        }
        if ((long) line.size + data.size + (end - position) > maxEventBytes) {
            throw new TooLarge("one event is larger than " + maxEventBytes + " bytes");
        }
        line.add(chunk, position, end - position);
        if (end == limit) {
            position = limit;
            return false;
        }
        afterCr = chunk[end] == '\r';
        position = end + 1;
        return true;
    }

    /** Interprets the line; true when it closes an event that has data. */
    private boolean endLine() {
        int from = 0;
        if (firstLine) {
            firstLine = false;
            from = line.startsWith(BOM) ? BOM.length : 0;
        }
        if (line.size == from) {
            line.size = 0;
            if (fields != null) {
                fields.eventEnds();
            }
            return dataSeen;
        }
        int colon = line.indexOf(':', from);
        int nameEnd = colon < 0 ? line.size : colon;
        int value = colon < 0 ? line.size : colon + 1;
        if (value < line.size && line.bytes[value] == ' ') {
            value++;
        }
        if (Arrays.equals(line.bytes, from, nameEnd, DATA, 0, DATA.length)) {
            if (dataSeen) {
                data.add(new byte[] {'\n'}, 0, 1);
            }
            data.add(line.bytes, value, line.size - value);
            dataSeen = true;
        } else if (fields != null && nameEnd > from) {
            fields.field(line.text(from, nameEnd), line.text(value, line.size));
        }
        line.size = 0;
        return false;
    }

    private Event event(boolean cut) {
        String text = new String(data.bytes, 0, data.size, StandardCharsets.UTF_8);
        if (!malformed && text.indexOf('\uFFFD') >= 0) {
            malformed = data.count(REPLACEMENT) != text.chars().filter(c -> c == 0xFFFD).count();
        }
        data.size = 0;
        dataSeen = false;
        return new Event(text, cut);
    }

    /** Bytes that are kept together; scanned once, so single-byte reads stay linear. */
    private static final class Growing {
        private byte[] bytes = new byte[1024];
        private int size;

        void add(byte[] from, int offset, int length) {
            if (size + length > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(size + length, 2 * bytes.length));
            }
            System.arraycopy(from, offset, bytes, size, length);
            size += length;
        }

        int indexOf(char wanted, int from) {
            for (int i = from; i < size; i++) {
                if (bytes[i] == wanted) {
                    return i;
                }
            }
            return -1;
        }

        boolean startsWith(byte[] prefix) {
            return size >= prefix.length
                    && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
        }

        String text(int from, int to) {
            return new String(bytes, from, to - from, StandardCharsets.UTF_8);
        }

        long count(byte[] wanted) {
            long found = 0;
            for (int i = 0; i + wanted.length <= size; i++) {
                if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                    found++;
                }
            }
            return found;
        }
    }
}
