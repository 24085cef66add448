package dev.agentloop.llm.provider;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * The bytes of one request, in pieces that are written one after the other and never joined.
 *
 * @param pieces parts of arrays that do not change any more
 */
public record RequestBytes(List<Piece> pieces) {
    /** A part of an array. */
    public record Piece(byte[] bytes, int from, int length) {
        Piece(byte[] bytes) {
            this(bytes, 0, bytes.length);
        }
    }

    public RequestBytes {
        pieces = List.copyOf(pieces);
    }

    public long length() {
        long length = 0;
        for (Piece piece : pieces) {
            length += piece.length();
        }
        return length;
    }

    public void writeTo(OutputStream out) throws IOException {
        for (Piece piece : pieces) {
            out.write(piece.bytes(), piece.from(), piece.length());
        }
    }
}
