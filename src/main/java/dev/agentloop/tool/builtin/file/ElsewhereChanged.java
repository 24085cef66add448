package dev.agentloop.tool.builtin.file;

import dev.agentloop.edit.EditException;
import dev.agentloop.edit.Splice;
import dev.agentloop.edit.TextFile;
import dev.agentloop.patch.PatchException;
import java.util.List;
import java.util.Optional;

/**
 * A change of a file that somebody else has changed since the model saw it. It is made if what it
 * replaces stands alike in both contents, so that the others' changes are elsewhere; and the model
 * goes on knowing only what it has seen, with its own change. Lines that others have changed it may
 * change only after a refusal has shown them to it.
 */
final class ElsewhereChanged {
    /** Behind the result of such a change. */
    static final String NOTE =
            " Somebody else changed other parts of the file since you read it; those were kept.";

    private ElsewhereChanged() {}

    /**
     * What a change comes to in a text.
     *
     * @param tolerances what had to be ignored to find the places
     * @param exact whether nothing had
     */
    record Places(List<Splice> splices, List<?> tolerances, boolean exact) {}

    /** Finds the places of a change in a text. */
    @FunctionalInterface
    interface Planner {
        Places in(String text) throws EditException, PatchException;
    }

    /**
     * The content that the model knows after the change; empty if others have touched what is to be
     * changed.
     *
     * @param seen the content that it knows before
     * @param shown whether a refusal has shown it how the file differs now
     */
    static Optional<byte[]> known(byte[] seen, TextFile file, boolean shown, Planner planner) {
        TextFile text = TextFile.of(seen).orElse(null);
        if (text == null) {
            return Optional.empty();
        }
        String now = file.text();
        Places before;
        try {
            before = planner.in(text.text());
        } catch (EditException | PatchException e) {
            return shown ? knownAsShown(file, planner) : Optional.empty();
        }
        try {
            return isSame(text.text(), before, now, planner.in(now))
                    ? Optional.of(text.spliced(before.splices()))
                    : Optional.empty();
        } catch (EditException | PatchException e) {
            return Optional.empty(); // what is to be changed is not there, or never was seen
        }
    }

    /** It names exactly what was shown to the model, and what it had not seen before. */
    private static Optional<byte[]> knownAsShown(TextFile file, Planner planner) {
        try {
            Places places = planner.in(file.text());
            return places.exact() ? Optional.of(file.spliced(places.splices())) : Optional.empty();
        } catch (EditException | PatchException e) {
            return Optional.empty();
        }
    }

    /**
     * Whether both are the same changes at the same places: above or below everything in which the
     * contents differ, line by line. Equal words elsewhere are another place.
     */
    private static boolean isSame(String seen, Places before, String now, Places after) {
        if (!before.tolerances().equals(after.tolerances())
                || before.splices().size() != after.splices().size()) {
            return false;
        }
        int head = commonHead(seen, now);
        int tail = commonTail(seen, now, head);
        for (int i = 0; i < before.splices().size(); i++) {
            Splice old = before.splices().get(i);
            Splice fresh = after.splices().get(i);
            boolean fills = old.end() > old.start();
            boolean above =
                    fresh.start() == old.start() && (fills ? old.end() <= head : old.end() < head);
            boolean below =
                    now.length() - fresh.start() == seen.length() - old.start()
                            && old.start() >= seen.length() - tail;
            boolean alike =
                    fresh.end() - fresh.start() == old.end() - old.start()
                            && fresh.replacement().equals(old.replacement());
            if (!alike || !above && !below) {
                return false;
            }
        }
        return true;
    }

    /** Length of the whole lines that both begin with. */
    private static int commonHead(String one, String other) {
        int most = Math.min(one.length(), other.length());
        int at = 0;
        while (at < most && one.charAt(at) == other.charAt(at)) {
            at++;
        }
        return one.lastIndexOf('\n', at - 1) + 1;
    }

    /** Length of the whole lines that both end with, without those of the head. */
    private static int commonTail(String one, String other, int head) {
        int most = Math.min(one.length(), other.length()) - head;
        int length = 0;
        while (length < most
                && one.charAt(one.length() - 1 - length)
                        == other.charAt(other.length() - 1 - length)) {
            length++;
        }
        int start = one.length() - length;
        boolean whole = isLineStart(one, start) && isLineStart(other, other.length() - length);
        int feed = whole ? start - 1 : one.indexOf('\n', start);
        return feed < 0 && !whole ? 0 : one.length() - (feed + 1);
    }

    private static boolean isLineStart(String text, int at) {
        return at == 0 || text.charAt(at - 1) == '\n';
    }
}
