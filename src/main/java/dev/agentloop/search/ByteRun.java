package dev.agentloop.search;

import java.util.BitSet;
import java.util.List;

/** Bytes in a row, each one of a set; a text is a run of sets with one byte each. */
record ByteRun(List<BitSet> sets) {
    static final int LONGEST = 64; // places; one bit each in a long
    private static final int FEW = 16; // bytes of a set that leaves out most of a text

    static BitSet one(int b) {
        return range(b, b);
    }

    static BitSet range(int from, int to) {
        BitSet set = new BitSet();
        set.set(from, to + 1);
        return set;
    }

    /** Without the places at both ends that take nearly everything. */
    static ByteRun trimmed(List<BitSet> sets) {
        int from = 0;
        int to = sets.size();
        while (from < to && weight(sets.get(from)) == 0) {
            from++;
        }
        while (to > from && weight(sets.get(to - 1)) == 0) {
            to--;
        }
        return new ByteRun(List.copyOf(sets.subList(from, to)));
    }

    /** How much of a text it leaves out: 2 for each letter, 1 for each small set. */
    int weight() {
        return sets.stream().mapToInt(ByteRun::weight).sum();
    }

    /** Whether only one text fits, because each place of the run takes a single byte. */
    boolean isText() {
        return sets.stream().allMatch(set -> set.cardinality() == 1);
    }

    /** The first byte of each set, as a character. */
    String text() {
        StringBuilder text = new StringBuilder();
        sets.forEach(set -> text.append((char) set.nextSetBit(0)));
        return text.toString();
    }

    private static int weight(BitSet set) {
        int size = set.cardinality();
        if (size == 1) {
            return 2;
        }
        return size <= FEW && !set.get(' ') ? 1 : 0;
    }
}
