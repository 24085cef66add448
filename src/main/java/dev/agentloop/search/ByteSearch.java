package dev.agentloop.search;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Finds a run of ASCII bytes, in most places by looking at one byte of several. */
final class ByteSearch {
    private static final int BYTES = 256;

    /** Letters that equal one outside of ASCII when case is ignored, as k the Kelvin sign. */
    private static final String FOLDED = "iksIKS";

    private final int last; // place of the run
    private final boolean asciiOnly;
    private final long[] places = new long[BYTES]; // a bit for each place where the byte may be
    private final int[] skip = new int[BYTES]; // 0 for what may be last
    private final int[] shift = new int[BYTES]; // when the window fits at its end only

    /** Boyer, Moore and Horspool: how far a byte lets the window move. */
    ByteSearch(ByteRun run, boolean ignoreCase) {
        List<BitSet> sets = run.sets();
        last = Math.min(sets.size(), ByteRun.LONGEST) - 1;
        asciiOnly =
                ignoreCase
                        && sets.stream().anyMatch(set -> FOLDED.chars().anyMatch(c -> set.get(c)));
        Arrays.fill(shift, last + 1);
        for (int place = 0; place <= last; place++) {
            for (int b = 0; b < BYTES; b++) {
                if (sets.get(place).get(b) || ignoreCase && sets.get(place).get(otherCase(b))) {
                    places[b] |= 1L << place;
                    shift[b] = place < last ? last - place : shift[b];
                }
            }
        }
        for (int b = 0; b < BYTES; b++) {
            skip[b] = (places[b] >>> last & 1) == 1 ? 0 : shift[b];
        }
    }

    /** Whether it misses what is written with letters outside of ASCII. */
    boolean isForAsciiOnly() {
        return asciiOnly;
    }

    /** The first place at or after {@code from} where the run is; -1 if there is none. */
    int find(byte[] in, int from, int to) {
        int i = from + last;
        while (i < to) {
            int step = skip[in[i] & 0xFF];
            if (step == 0) {
                if (isAt(in, i - last)) {
                    return i - last;
                }
                step = shift[in[i] & 0xFF];
            }
            i += step;
        }
        return -1;
    }

    private boolean isAt(byte[] in, int start) {
        for (int place = last - 1; place >= 0; place--) {
            if ((places[in[start + place] & 0xFF] >>> place & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    private static int otherCase(int b) {
        boolean letter = b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z';
        return letter ? b ^ 0x20 : b;
    }
}
