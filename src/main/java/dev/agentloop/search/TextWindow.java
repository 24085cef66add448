package dev.agentloop.search;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The part of a file that is being searched: whole lines, as bytes. */
final class TextWindow {
    private static final int SIZE = 64 * 1024; // most files fit; as ripgrep's first look for a NUL
    private static final int SMALL = 8 * 1024; // what Java reads without a buffer from the heap
    private static final int LARGE = 512 * 1024; // for those that do not fit
    private static final int LONGEST_LINE = 8 * 1024 * 1024; // longer ones are searched in pieces
    private static final int MAX_WIDE = 16 * 1024 * 1024; // UTF-16 files are read as a whole

    private byte[] bytes = new byte[SIZE];
    private int length;
    private int begin; // behind the byte order mark, if there is one
    private int from;
    private int to;
    private int number; // of the line at from
    private int counted; // up to where lines are counted
    private int countedNumber;
    private boolean ended;
    private boolean wide;
    private boolean ascii;
    private boolean looked; // for what is not ASCII

    /**
     * Takes the first part of a file.
     *
     * @param size what the file system says; it may have grown
     */
    void open(InputStream in, long size) throws IOException {
        if (bytes.length > LARGE || bytes.length < SIZE) {
            bytes = new byte[SIZE];
        }
        length = 0;
        from = 0;
        number = 1;
        ended = false;
        read(in, size < SMALL ? SMALL : SIZE);
        ended |= length == size; // saves asking for the end
        if (!ended && length < SIZE) {
            read(in, SIZE);
        }
        wide = isWide();
        if (wide) {
            decodeWide(in);
        }
        begin = isMarked() ? 3 : 0;
        from = begin;
        limit();
    }

    /** Whether its first part is no text. */
    boolean isBinary() {
        return !wide && nul(0) >= 0;
    }

    /** Whether there is no other part. */
    boolean isWhole() {
        return ended && to == length;
    }

    /** Goes on to the next part; false if there is none. */
    boolean advance(InputStream in, int linesBefore) throws IOException {
        if (isWhole()) {
            return false;
        }
        number = numberAt(to);
        int keep = to;
        for (int lines = 0; lines < linesBefore && keep > begin; lines++) {
            keep = lineStart(keep - 1);
        }
        begin = 0;
        from = to - keep;
        length -= keep;
        boolean tight = length > bytes.length / 2 || bytes.length < LARGE;
        int wanted = Math.max(LARGE, bytes.length * (length > bytes.length / 2 ? 2 : 1));
        byte[] next = tight ? new byte[wanted] : bytes;
        System.arraycopy(bytes, keep, next, 0, length);
        bytes = next;
        fill(in);
        limit();
        while (to == from && !ended && bytes.length < LONGEST_LINE) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
            fill(in);
            limit();
        }
        if (to == from) {
            to = length;
        }
        return true;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Whether there are only ASCII characters in it. */
    boolean isAscii() {
        if (!looked) {
            ascii = EightBytes.isAscii(bytes, from, to);
            looked = true;
        }
        return ascii;
    }

    /**
     * Whether it has none of the characters that equal i, k or s when case is ignored: the i's
     * without a dot and with one, the long s, and the Kelvin sign.
     */
    boolean hasPlainLetters() {
        return isAscii()
                || EightBytes.indexOf(bytes, from, to, 0xC4, 0xB0) < 0
                        && EightBytes.indexOf(bytes, from, to, 0xC4, 0xB1) < 0
                        && EightBytes.indexOf(bytes, from, to, 0xC5, 0xBF) < 0
                        && EightBytes.indexOf(bytes, from, to, 0xE2, 0x84) < 0;
    }

    int lineStart(int at) {
        int start = at;
        while (start > begin && bytes[start - 1] != '\n') {
            start--;
        }
        return start;
    }

    /** Where the line's feed is, or would be. */
    int lineEnd(int at) {
        int end = at;
        while (end < to && bytes[end] != '\n') {
            end++;
        }
        return end;
    }

    /** The number of the line that starts there; asked for in ascending order. */
    int numberAt(int start) {
        countedNumber += EightBytes.count(bytes, counted, start, (byte) '\n');
        counted = Math.max(counted, start);
        return countedNumber;
    }

    /** A line without its end; in UTF-8 if it is that, else each byte as a character. */
    String text(int start, int end) {
        int last = end;
        while (last > start && bytes[last - 1] == '\r') {
            last--;
        }
        if (isAscii()) {
            return new String(bytes, start, last - start, StandardCharsets.ISO_8859_1);
        }
        try {
            ByteBuffer line = ByteBuffer.wrap(bytes, start, last - start);
            return StandardCharsets.UTF_8.newDecoder().decode(line).toString();
        } catch (CharacterCodingException e) {
            return new String(bytes, start, last - start, StandardCharsets.ISO_8859_1);
        }
    }

    /** Reads once; files give all they have. */
    private void read(InputStream in, int upTo) throws IOException {
        int n = in.read(bytes, length, upTo - length);
        ended = n < 0;
        length += Math.max(n, 0);
    }

    private void fill(InputStream in) throws IOException {
        int before = length;
        while (!ended && length < bytes.length) {
            read(in, bytes.length);
        }
        int nul = nul(before);
        if (nul >= 0) {
            length = nul;
            ended = true;
        }
    }

    private void limit() {
        to = length;
        while (!ended && to > from && bytes[to - 1] != '\n') {
            to--;
        }
        counted = from;
        countedNumber = number;
        looked = false;
    }

    /** The first NUL at or after a place; -1 if there is none. */
    private int nul(int at) {
        int nul = at;
        boolean found = EightBytes.hasZero(bytes, at, length);
        while (found && bytes[nul] != 0) {
            nul++;
        }
        return found ? nul : -1;
    }

    private boolean isMarked() {
        return length >= 3
                && bytes[0] == (byte) 0xEF
                && bytes[1] == (byte) 0xBB
                && bytes[2] == (byte) 0xBF;
    }

    private boolean isWide() {
        return length >= 2
                && (bytes[0] == (byte) 0xFF && bytes[1] == (byte) 0xFE
                        || bytes[0] == (byte) 0xFE && bytes[1] == (byte) 0xFF);
    }

    private void decodeWide(InputStream in) throws IOException {
        Charset charset =
                bytes[0] == (byte) 0xFF ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_16BE;
        byte[] rest = in.readNBytes(MAX_WIDE);
        byte[] all = Arrays.copyOf(bytes, length + rest.length);
        System.arraycopy(rest, 0, all, length, rest.length);
        bytes = new String(all, 2, all.length - 2, charset).getBytes(StandardCharsets.UTF_8);
        length = bytes.length;
        ended = true;
    }
}
