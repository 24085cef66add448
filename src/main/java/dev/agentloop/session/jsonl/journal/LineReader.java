package dev.agentloop.session.jsonl.journal;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Splits a stream into lines as bytes, because a torn line may end within a character. */
public final class LineReader {
    private static final int CHUNK = 64 * 1024;

    private final InputStream in;
    private byte[] buffer = new byte[CHUNK];
    private int start;
    private int end;

    public LineReader(InputStream in) {
        this.in = in;
    }

    /** The next line without its line feed; null when no whole line is left. */
    public byte @Nullable [] next() throws IOException {
        for (int at = start; ; at++) {
            if (at == end) {
                at -= makeRoom();
                int count = in.read(buffer, end, buffer.length - end);
                if (count < 0) {
                    return null;
                }
                end += count;
            }
            if (buffer[at] == '\n') {
                byte[] line = Arrays.copyOfRange(buffer, start, at);
                start = at + 1;
                return line;
            }
        }
    }

    /** How many bytes follow the last line feed; to be asked after {@link #next} gave null. */
    int rest() {
        return end - start;
    }

    /** Room to read more; returns by how much what is there has moved towards the beginning. */
    private int makeRoom() {
        if (end < buffer.length) {
            return 0;
        }
        int moved = start;
        if (moved == 0) {
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        } else {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            end -= moved;
            start = 0;
        }
        return moved;
    }
}
