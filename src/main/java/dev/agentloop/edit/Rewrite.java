package dev.agentloop.edit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * New text for a place whose text is only nearly what the model sent. Lines that the model left as
 * they were stay byte for byte as the file has them; the others are fitted to their place.
 */
final class Rewrite {
    private final String text;
    private final Match match;
    private final List<String> file;
    private final List<String> sent;
    private final List<String> wanted;

    private Rewrite(String text, Match match, EditPlan.Replacement replacement) {
        this.text = text;
        this.match = match;
        this.file = pieces(text.substring(match.start(), match.end()));
        this.sent = pieces(replacement.old());
        this.wanted = pieces(replacement.with());
    }

    static String of(String text, Match match, EditPlan.Replacement replacement)
            throws EditException {
        return new Rewrite(text, match, replacement).rewritten();
    }

    private String rewritten() throws EditException {
        int[] partners =
                Alignment.of(sent.size(), wanted.size(), this::isKept)
                        .orElseThrow(() ->
                                new EditException(
                                        "old_string fits only nearly, and is too long to be"
                                                + " compared with new_string line by line. Copy it"
                                                + " exactly, or make smaller edits."))
                        .partners();
        List<String> ends = LineEnds.endsIn(text, match.start(), match.end());
        String further =
                !ends.isEmpty()
                        ? ends.getLast()
                        : wanted.size() == 1
                                ? ""
                                : LineEnds.nearest(text, match.start(), match.end());
        StringBuilder all = new StringBuilder();
        int next = 0; // line of the file that the next new line stands in place of
        for (int j = 0; j < wanted.size(); j++) {
            int partner = partners[j];
            boolean kept = partner >= 0 && partner < file.size();
            if (kept) {
                next = partner;
            }
            boolean free = next < file.size() && !isTaken(partners, next, j);
            int place = kept || free ? next : -1;
            all.append(kept ? file.get(partner) : fitted(wanted.get(j), place));
            if (j < wanted.size() - 1) {
                all.append(place >= 0 && place < ends.size() ? ends.get(place) : further);
            }
            next += place >= 0 ? 1 : 0;
        }
        return all.toString();
    }

    /** What follows the last line end is no line; only another such piece can be the same. */
    private boolean isKept(int old, int now) {
        return (old == sent.size() - 1) == (now == wanted.size() - 1)
                && sent.get(old).equals(wanted.get(now));
    }

    /** Whether a later new line is that very line of the file. */
    private static boolean isTaken(int[] partners, int line, int after) {
        for (int j = after; j < partners.length; j++) {
            if (partners[j] >= 0) {
                return partners[j] <= line;
            }
        }
        return false;
    }

    private String fitted(String line, int place) throws EditException {
        LineStyle.@Nullable Pair pair =
                place < 0 ? null : new LineStyle.Pair(sent.get(place), file.get(place));
        return match.style().fit(line, pair);
    }

    /** As many as line feeds and one; without the carriage returns before them. */
    private static List<String> pieces(String text) {
        List<String> pieces = new ArrayList<>(List.of(text.split("\n", -1)));
        for (int i = 0; i < pieces.size() - 1; i++) {
            String piece = pieces.get(i);
            if (piece.endsWith("\r")) {
                pieces.set(i, piece.substring(0, piece.length() - 1));
            }
        }
        return pieces;
    }
}
