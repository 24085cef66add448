package dev.agentloop.search;

/**
 * Two bytes at a distance, looked for at 32 places in one step. The compiler of the program's start
 * neither unrolls loops nor keeps fields in registers: hence four numbers a step, and variables for
 * all that does not change.
 *
 * @param oneChange bits of the first byte that do not count, in each byte of a number
 * @param oneWanted the first byte with these bits set, in each byte of a number
 * @param otherChange the same for the second byte
 * @param otherWanted the same for the second byte
 * @param distance from the first byte to the second, at least 1
 */
record WordPair(long oneChange, long oneWanted, long otherChange, long otherWanted, int distance) {
    /** Numbers in a step. */
    static final int STEP = 4;

    /**
     * The first number where the first byte is in it and the second at its distance; {@code to} or
     * more if there is none.
     *
     * @param words eight bytes of the text in each, the first one lowest; behind {@code to} there
     *     are as many more as the distance and a step need
     */
    int next(long[] words, int from, int to) {
        boolean isExact = (oneChange | otherChange) == 0 && distance < Long.BYTES;
        int at = from;
        while (at < to) {
            at = isExact ? exactStep(words, at, to) : anyStep(words, at, to);
            for (int end = Math.min(to, at + STEP); at < end; at++) {
                if (EightBytes.zeros(misses(words, at)) != 0) {
                    return at;
                }
            }
        }
        return at;
    }

    private int exactStep(long[] words, int from, int to) {
        long one = oneWanted;
        long other = otherWanted;
        int right = distance * Byte.SIZE;
        int left = Long.SIZE - right;
        int i = from;
        for (; i < to; i += STEP) {
            long a = words[i];
            long b = words[i + 1];
            long c = words[i + 2];
            long d = words[i + 3];
            long e = words[i + 4];
            a = a ^ one | (a >>> right | b << left) ^ other;
            b = b ^ one | (b >>> right | c << left) ^ other;
            c = c ^ one | (c >>> right | d << left) ^ other;
            d = d ^ one | (d >>> right | e << left) ^ other;
            if (EightBytes.zeros(a, b, c, d) != 0) {
                break;
            }
        }
        return i;
    }

    private int anyStep(long[] words, int from, int to) {
        long change = oneChange;
        long wanted = oneWanted;
        int right = distance % Long.BYTES * Byte.SIZE;
        int left = Long.SIZE - 1 - right;
        int ahead = distance / Long.BYTES;
        int i = from;
        for (; i < to; i += STEP) {
            long a = (words[i] | change) ^ wanted;
            long b = (words[i + 1] | change) ^ wanted;
            long c = (words[i + 2] | change) ^ wanted;
            long d = (words[i + 3] | change) ^ wanted;
            if (EightBytes.zeros(a, b, c, d) == 0) {
                continue; // not even the first byte
            }
            int there = i + ahead;
            a |= other(words[there] >>> right | words[there + 1] << 1 << left);
            b |= other(words[there + 1] >>> right | words[there + 2] << 1 << left);
            c |= other(words[there + 2] >>> right | words[there + 3] << 1 << left);
            d |= other(words[there + 3] >>> right | words[there + 4] << 1 << left);
            if (EightBytes.zeros(a, b, c, d) != 0) {
                break;
            }
        }
        return i;
    }

    private long other(long bytes) {
        return (bytes | otherChange) ^ otherWanted;
    }

    /** A zero for each place where both bytes are. */
    private long misses(long[] words, int at) {
        int there = at + distance / Long.BYTES;
        int right = distance % Long.BYTES * Byte.SIZE;
        long bytes = words[there] >>> right | words[there + 1] << 1 << Long.SIZE - 1 - right;
        return (words[at] | oneChange) ^ oneWanted | other(bytes);
    }
}
