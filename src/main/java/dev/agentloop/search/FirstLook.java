package dev.agentloop.search;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import java.util.List;

/**
 * Reads a file once, eight bytes in a step, and says whether it is worth a search: most files of a
 * tree are not. The steps go through an array of numbers, because the compiler of the program's
 * start makes several checks of each number that is taken out of an array of bytes.
 */
final class FirstLook {
    private static final int SIZE = 64 * 1024; // bytes of a part; most files fit
    private static final int KEPT = ByteRun.LONGEST; // bytes of the part before: a run may cross

    private final List<ByteSearch> searches;
    private final boolean asciiOnly;
    private final SearchDeadline deadline;
    private final ByteBuffer bytes =
            ByteBuffer.allocateDirect(KEPT + SIZE).order(ByteOrder.LITTLE_ENDIAN);
    private final long[] words = new long[(KEPT + SIZE) / Long.BYTES + ByteSearch.WORDS_BEHIND];
    private int length; // bytes of this part
    private boolean ended;

    /**
     * @param searches one of which every line that matches has; all {@link ByteSearch#isForWords}
     */
    FirstLook(List<ByteSearch> searches, SearchDeadline deadline) {
        this.searches = searches;
        this.asciiOnly = searches.stream().anyMatch(ByteSearch::isForAsciiOnly);
        this.deadline = deadline;
    }

    /**
     * Whether the file may have a match. What may be something else than UTF-8 is worth a search.
     *
     * @param in at its beginning
     * @param size what the file system says; it may have grown
     */
    boolean mayMatch(ReadableByteChannel in, long size) throws IOException {
        bytes.clear();
        read(in, size);
        if (isWide() || isHit() || !ended && hasZero()) { // of a binary no more need be read
            return true;
        }
        while (!ended) {
            deadline.check();
            bytes.position(length - KEPT).limit(length);
            bytes.compact();
            read(in, Long.MAX_VALUE);
            if (isHit()) {
                return true;
            }
        }
        return false;
    }

    /** Reads until the part is full or the file has ended. */
    private void read(ReadableByteChannel in, long size) throws IOException {
        ended = false;
        while (bytes.hasRemaining() && !ended) {
            int n = in.read(bytes);
            ended = n < 0 || bytes.position() == size; // saves asking for the end
        }
        length = bytes.position();
        int whole = length / Long.BYTES;
        bytes.clear().asLongBuffer().get(words, 0, whole);
        Arrays.fill(words, whole, wordsOf(length) + ByteSearch.WORDS_BEHIND, 0);
        for (int i = whole * Long.BYTES; i < length; i++) {
            words[whole] |= (bytes.get(i) & 0xFFL) << (i % Long.BYTES * Byte.SIZE);
        }
    }

    private static int wordsOf(int bytes) {
        return (bytes + Long.BYTES - 1) / Long.BYTES;
    }

    /** Whether it begins as UTF-16 does. */
    private boolean isWide() {
        int first = (int) words[0] & 0xFFFF;
        return first == 0xFEFF || first == 0xFFFE;
    }

    private boolean isHit() {
        if (asciiOnly && !isAscii()) {
            return true;
        }
        for (ByteSearch search : searches) {
            if (search.isIn(words, length)) {
                return true;
            }
        }
        return false;
    }

    private boolean isAscii() {
        long bits = 0;
        long[] text = words; // the compiler would look the field up in each step
        int end = wordsOf(length);
        for (int i = 0; i < end; i++) {
            bits |= text[i];
        }
        return EightBytes.areAscii(bits);
    }

    private boolean hasZero() {
        long found = 0;
        long[] text = words;
        int end = length / Long.BYTES;
        int i = 0;
        for (; i <= end - 4; i += 4) {
            found |= EightBytes.zeros(text[i], text[i + 1], text[i + 2], text[i + 3]);
        }
        for (; i < end; i++) {
            found |= EightBytes.zeros(text[i]);
        }
        return found != 0;
    }
}
