package dev.agentloop.patch;

import java.util.ArrayList;
import java.util.List;

/**
 * What is left of a hunk when outer lines of its context have changed meanwhile. All that it
 * removes must still be there, and no other part of the file may look as much like the whole hunk:
 * there the removed lines may be what has changed.
 */
final class StaleContext {
    private static final int MAX_DROPPED = 2; // at either end, as GNU patch

    private final LineIndex index;
    private final Hunk hunk;

    StaleContext(LineIndex index, Hunk hunk) {
        this.index = index;
        this.hunk = hunk;
    }

    /** A part of the hunk, without so many lines above and in all. */
    record Rest(Hunk hunk, int head, int dropped) {}

    /** What may be left, the largest part first; parts that say too little are left out. */
    List<Rest> rests() {
        int head = Math.min(MAX_DROPPED, hunk.leadingContext());
        int tail = Math.min(MAX_DROPPED, hunk.trailingContext());
        List<Rest> rests = new ArrayList<>();
        for (int dropped = 1; dropped <= head + tail; dropped++) {
            for (int first = Math.max(0, dropped - tail);
                    first <= Math.min(head, dropped);
                    first++) {
                Hunk rest = hunk.trimmed(first, dropped - first);
                if (rest.isTelling() && rest.old().size() > dropped) {
                    rests.add(new Rest(rest, first, dropped));
                }
            }
        }
        return rests;
    }

    /** Whether more of the whole hunk's lines are there than anywhere else. */
    boolean isNearest(Placement place) throws PatchException {
        List<Hunk.Line> old = hunk.old();
        LineIndex.Search search = index.search(old, LineMatch.INDENTATION);
        int lines = index.file().size();
        int here = place.line() - place.dropped();
        int own = likeness(search, old, here, lines);
        for (int start = -old.size() + 1; start < lines; start++) {
            if (start != here && likeness(search, old, start, lines) >= own) {
                return false;
            }
        }
        return true;
    }

    private static int likeness(LineIndex.Search search, List<Hunk.Line> old, int start, int lines)
            throws PatchException {
        int alike = 0;
        for (int i = Math.max(0, -start); i < old.size() && start + i < lines; i++) {
            if (old.get(i).isTelling() && search.isAt(start + i, i)) {
                alike++;
            }
        }
        return alike;
    }
}
