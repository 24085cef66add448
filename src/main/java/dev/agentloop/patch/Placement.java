package dev.agentloop.patch;

import dev.agentloop.edit.LineStyle;
import java.util.ArrayList;
import java.util.List;

/**
 * A hunk and the place that was found for it.
 *
 * @param hunk as far as it was matched
 * @param line of the file, from 0, that its first old line is
 * @param dropped lines of context above it that are stale
 * @param style how its new lines are written there
 * @param tolerance what had to be ignored, for people; empty for nothing
 */
record Placement(Hunk hunk, int line, int dropped, LineStyle style, String tolerance) {
    int end() {
        return line + hunk.old().size();
    }

    /** Number, from 1, of the first line that the whole hunk has there. */
    int number() {
        return line - dropped + 1;
    }

    /** Lines of the hunk that change something, one after the other. */
    record Run(int line, List<Hunk.Line> removed, List<Hunk.Line> added) {
        int end() {
            return line + removed.size();
        }
    }

    /** The changes, without the context that they are separated by. */
    List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        List<Hunk.Line> removed = new ArrayList<>();
        List<Hunk.Line> added = new ArrayList<>();
        int at = line;
        int start = line;
        for (Hunk.Line each : hunk.lines()) {
            if (each.kind() == Hunk.Kind.CONTEXT) {
                close(runs, start, removed, added);
                at++;
                start = at;
            } else if (each.kind() == Hunk.Kind.REMOVED) {
                removed.add(each);
                at++;
            } else {
                added.add(each);
            }
        }
        close(runs, start, removed, added);
        return runs;
    }

    private static void close(
            List<Run> runs, int start, List<Hunk.Line> removed, List<Hunk.Line> added) {
        if (!removed.isEmpty() || !added.isEmpty()) {
            runs.add(new Run(start, List.copyOf(removed), List.copyOf(added)));
        }
        removed.clear();
        added.clear();
    }
}
