package dev.agentloop.search;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Finds a run of ASCII bytes. Two rare bytes of the run are looked for at eight places in one step;
 * a run without two of them by looking at one byte of several.
 */
final class ByteSearch {
    private static final int BYTES = 256;

    /** Letters that equal one outside of ASCII when case is ignored, as k the Kelvin sign. */
    private static final String FOLDED = "iksIKS";

    /** Bytes that source code has much of, the most frequent first. */
    private static final String FREQUENT = " etaoirnslcdpumf_ghb0x1(),;=y.*v2/->k";

    private static final int CASE = 'a' ^ 'A';

    /** Numbers behind a text that {@link #isIn} looks at. */
    static final int WORDS_BEHIND = ByteRun.LONGEST / Long.BYTES + WordPair.STEP;

    private final int last; // place of the run
    private final boolean asciiOnly;
    private final long[] places = new long[BYTES]; // a bit for each place where the byte may be
    private final int[] skip = new int[BYTES]; // 0 for what may be last
    private final int[] shift = new int[BYTES]; // when the window fits at its end only
    private final List<Rare> rare; // two, or none

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
        rare = rarest();
    }

    /**
     * A place of the run that only one byte fits, or a letter in both cases.
     *
     * @param change bits of a byte in the text that do not count
     * @param wanted eight times the byte with these bits set
     */
    private record Rare(int place, long change, long wanted, int frequency) {}

    private List<Rare> rarest() {
        List<Rare> found =
                IntStream.rangeClosed(0, last)
                        .mapToObj(this::rare)
                        .flatMap(Optional::stream)
                        .sorted(Comparator.comparingInt(Rare::frequency))
                        .limit(2)
                        .toList();
        return found.size() == 2 ? found : List.of();
    }

    private Optional<Rare> rare(int place) {
        int[] bytes =
                IntStream.range(0, BYTES).filter(b -> (places[b] >>> place & 1) == 1).toArray();
        boolean bothCases = bytes.length == 2 && (bytes[0] ^ bytes[1]) == CASE;
        if (bytes.length != 1 && !bothCases) {
            return Optional.empty();
        }
        int b = bytes[bytes.length - 1];
        int rank = FREQUENT.indexOf(b);
        return Optional.of(
                new Rare(
                        place,
                        bothCases ? EightBytes.repeated(CASE) : 0,
                        EightBytes.repeated(b),
                        rank < 0 ? 0 : FREQUENT.length() - rank));
    }

    /** Whether it misses what is written with letters that are not ASCII but equal some of it. */
    boolean isForAsciiOnly() {
        return asciiOnly;
    }

    /** Whether it can look at numbers, which needs two places that one byte fits. */
    boolean isForWords() {
        return !rare.isEmpty();
    }

    /**
     * Whether a text has the run in it, like {@link #find} but for a text in numbers.
     *
     * @param words eight bytes of the text in each, the first one lowest; all zero behind it, for
     *     {@link #WORDS_BEHIND}
     * @param length of the text, in bytes
     */
    boolean isIn(long[] words, int length) {
        boolean inOrder = rare.getFirst().place <= rare.getLast().place;
        Rare one = inOrder ? rare.getFirst() : rare.getLast();
        Rare other = inOrder ? rare.getLast() : rare.getFirst();
        WordPair pair =
                new WordPair(
                        one.change,
                        one.wanted,
                        other.change,
                        other.wanted,
                        other.place - one.place);
        int end = (length + Long.BYTES - 1) / Long.BYTES;
        int at = pair.next(words, 0, end);
        while (at < end && !isNear(words, length, at * Long.BYTES - one.place)) {
            at = pair.next(words, at + 1, end);
        }
        return at < end;
    }

    /** Whether the run begins at one of eight places. */
    private boolean isNear(long[] words, int length, int from) {
        int to = Math.min(from + Long.BYTES, length - last);
        for (int start = Math.max(from, 0); start < to; start++) {
            int place = last;
            while (place >= 0 && fits(EightBytes.at(words, start + place), place)) {
                place--;
            }
            if (place < 0) {
                return true;
            }
        }
        return false;
    }

    private boolean fits(int b, int place) {
        return (places[b] >>> place & 1) == 1;
    }

    /** The first place at or after {@code from} where the run is; -1 if there is none. */
    int find(byte[] in, int from, int to) {
        if (rare.isEmpty()) {
            return skipping(in, from, to);
        }
        Rare one = rare.getFirst();
        Rare other = rare.getLast();
        int onePlace = one.place;
        int otherPlace = other.place;
        long oneChange = one.change;
        long otherChange = other.change;
        long oneWanted = one.wanted;
        long otherWanted = other.wanted;
        int end = to - last - EightBytes.STEP;
        int i = from;
        for (; i <= end; i += EightBytes.STEP) {
            long misses =
                    ((EightBytes.at(in, i + onePlace) | oneChange) ^ oneWanted)
                            | ((EightBytes.at(in, i + otherPlace) | otherChange) ^ otherWanted);
            long both = EightBytes.zeros(misses);
            for (int at = i; both != 0 && at < i + EightBytes.STEP; at++) {
                if (isAt(in, at)) {
                    return at;
                }
            }
        }
        return skipping(in, i, to);
    }

    private int skipping(byte[] in, int from, int to) {
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
        for (int place = last; place >= 0; place--) {
            if (!fits(in[start + place] & 0xFF, place)) {
                return false;
            }
        }
        return true;
    }

    private static int otherCase(int b) {
        boolean letter = b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z';
        return letter ? b ^ CASE : b;
    }
}
