package dev.agentloop.tool.builtin;

import dev.agentloop.edit.EditException;
import dev.agentloop.edit.Splice;
import dev.agentloop.edit.TextFile;
import dev.agentloop.patch.PatchException;
import java.util.List;
import java.util.Optional;

/**
 * A change of a file that somebody else has changed since the model saw it. It is made if what it
 * replaces stands alike in both contents, so that the others' changes are elsewhere; and the model
 * goes on knowing only what it has seen, with its own change.
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
     */
    record Places(List<Splice> splices, List<?> tolerances) {}

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
     */
    static Optional<byte[]> known(byte[] seen, String now, Planner planner) {
        TextFile text = TextFile.of(seen).orElse(null);
        if (text == null) {
            return Optional.empty();
        }
        try {
            Places before = planner.in(text.text());
            return isSame(text.text(), before, now, planner.in(now))
                    ? Optional.of(text.spliced(before.splices()))
                    : Optional.empty();
        } catch (EditException | PatchException e) {
            return Optional.empty(); // what is to be changed is not there, or never was seen
        }
    }

    private static boolean isSame(String seen, Places before, String now, Places after) {
        return before.tolerances().equals(after.tolerances())
                && replaced(seen, before).equals(replaced(now, after));
    }

    private static List<List<String>> replaced(String text, Places places) {
        return places.splices().stream()
                .map(splice -> List.of(linesAt(text, splice), splice.replacement()))
                .toList();
    }

    /** The whole lines: one that has grown around the same words is another line. */
    private static String linesAt(String text, Splice splice) {
        int start = text.lastIndexOf('\n', splice.start() - 1) + 1;
        int last = splice.end() > splice.start() ? splice.end() - 1 : splice.end();
        int feed = text.indexOf('\n', last);
        return text.substring(start, feed < 0 ? text.length() : feed + 1);
    }
}
