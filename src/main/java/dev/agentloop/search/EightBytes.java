package dev.agentloop.search;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Looks at eight bytes of an array in one step, as one number. The compiler of the program's start
 * makes no such steps of a loop over bytes by itself.
 */
final class EightBytes {
    /** How many bytes are in one step. */
    static final int STEP = 8;

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHEST = 0x8080808080808080L; // bit of each byte
    private static final int FULL = 255; // steps until a byte that counts could overflow
    private static final VarHandle NUMBERS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private EightBytes() {}

    static long at(byte[] in, int from) {
        return (long) NUMBERS.get(in, from);
    }

    /** The byte at a place of a text that has eight bytes in each number, the first one lowest. */
    static int at(long[] words, int place) {
        return (int) (words[place / STEP] >>> place % STEP * Byte.SIZE) & 0xFF;
    }

    /** Whether no byte has its highest bit. */
    static boolean areAscii(long bytes) {
        return (bytes & HIGHEST) == 0;
    }

    /** A number of eight times this byte. */
    static long repeated(int b) {
        return (b & 0xFF) * ONES;
    }

    /**
     * The highest bit of each byte that is zero. Of the bits that are set, the lowest is always
     * right; one above it may belong to a byte of 1.
     */
    static long zeros(long bytes) {
        return bytes - ONES & ~bytes & HIGHEST;
    }

    /** Not 0 if one of the bytes is zero. */
    static long zeros(long a, long b, long c, long d) {
        return (a - ONES & ~a | b - ONES & ~b | c - ONES & ~c | d - ONES & ~d) & HIGHEST;
    }

    /** Whether one of the bytes is 0. */
    static boolean hasZero(byte[] in, int from, int to) {
        long found = 0;
        int i = from;
        for (; i <= to - STEP; i += STEP) {
            found |= zeros(at(in, i));
        }
        for (; i < to; i++) {
            found |= in[i] == 0 ? 1 : 0;
        }
        return found != 0;
    }

    /** Whether all bytes are ASCII. */
    static boolean isAscii(byte[] in, int from, int to) {
        long bits = 0;
        int i = from;
        for (; i <= to - STEP; i += STEP) {
            bits |= at(in, i);
        }
        for (; i < to; i++) {
            bits |= in[i];
        }
        return areAscii(bits);
    }

    /** The first place of two bytes in a row; -1 if there is none. */
    static int indexOf(byte[] in, int from, int to, int first, int second) {
        long pattern = repeated(first);
        int i = from;
        for (; i < to - STEP; i += STEP) {
            for (int at = i; zeros(at(in, i) ^ pattern) != 0 && at < i + STEP; at++) {
                if (in[at] == (byte) first && in[at + 1] == (byte) second) {
                    return at;
                }
            }
        }
        for (; i < to - 1; i++) {
            if (in[i] == (byte) first && in[i + 1] == (byte) second) {
                return i;
            }
        }
        return -1;
    }

    /** How many of the bytes are this one. */
    static int count(byte[] in, int from, int to, byte wanted) {
        long pattern = repeated(wanted);
        int count = 0;
        int i = from;
        while (i <= to - STEP) {
            long counts = 0; // one in each byte
            int end = Math.min(to - STEP, i + (FULL - 1) * STEP);
            for (; i <= end; i += STEP) {
                long other = at(in, i) ^ pattern;
                long notZero = (other & ~HIGHEST) + ~HIGHEST | other; // exact, unlike zeros()
                counts += (~notZero & HIGHEST) >>> STEP - 1;
            }
            count += sum(counts);
        }
        for (; i < to; i++) {
            count += in[i] == wanted ? 1 : 0;
        }
        return count;
    }

    private static int sum(long counts) {
        int sum = 0;
        for (long rest = counts; rest != 0; rest >>>= STEP) {
            sum += (int) (rest & 0xFF);
        }
        return sum;
    }
}
