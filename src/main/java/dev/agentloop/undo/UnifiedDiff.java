package dev.agentloop.undo;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.algorithm.DiffAlgorithmListener;
import com.github.difflib.patch.Patch;
import dev.agentloop.edit.LineDiff;
import dev.agentloop.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/** The difference of two texts as {@code diff -u} writes it. */
public final class UnifiedDiff {
    private static final int CONTEXT = 3; // lines
    private static final int ONE_BLOCK = 6; // changed lines of a side that are not looked into
    private static final int MOST_CHANGED = 3_000; // lines; looking for more would take seconds
    private static final String NO_END = "\n\\ No newline at end of file";

    private final List<String> old;
    private final List<String> fresh;
    private final int head; // equal lines at the beginning
    private final int tail; // and at the end

    private UnifiedDiff(String before, String after, boolean returns) {
        this.old = lines(before, returns);
        this.fresh = lines(after, returns);
        LineDiff.EqualLines equal = LineDiff.EqualLines.of(old, fresh);
        this.head = equal.head();
        this.tail = equal.tail();
    }

    /** A text and what stands above it. */
    public record Side(String name, String text) {}

    /**
     * The difference with three lines around each change; empty if the texts are equal but for the
     * kind of their line ends.
     *
     * @param most lines that are shown; a last line says how many are not
     */
    public static String between(Side before, Side after, int most) {
        UnifiedDiff diff = new UnifiedDiff(before.text(), after.text(), false);
        List<String> lines = diff.hunks();
        if (lines.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        text.append("--- ").append(quoted(before.name())).append('\n');
        text.append("+++ ").append(quoted(after.name())).append('\n');
        lines.stream().limit(most).forEach(line -> text.append(line).append('\n'));
        if (lines.size() > most) {
            text.append("… ").append(lines.size() - most).append(" more lines\n");
        }
        return text.toString();
    }

    /** The whole difference, to be applied: with the carriage returns of both texts. */
    public static String patch(Side before, Side after) {
        List<String> lines = new UnifiedDiff(before.text(), after.text(), true).hunks();
        if (lines.isEmpty()) {
            return "";
        }
        return "--- %s\n+++ %s\n%s\n"
                .formatted(headed(before.name()), headed(after.name()), String.join("\n", lines));
    }

    /** A tab shows where a name with blanks ends. */
    private static String headed(String name) {
        return quoted(name) + (name.contains(" ") ? "\t" : "");
    }

    private List<String> hunks() {
        int removed = old.size() - head - tail;
        int added = fresh.size() - head - tail;
        if (removed + added == 0) {
            return List.of();
        }
        if (removed <= ONE_BLOCK || added == 0 || removed == 0) {
            return oneHunk();
        }
        try {
            Patch<String> changes = DiffUtils.diff(old, fresh, new StopAtMostChanged());
            List<String> all = UnifiedDiffUtils.generateUnifiedDiff("", "", old, changes, CONTEXT);
            return all.subList(2, all.size()); // without the names
        } catch (CancellationException e) {
            return oneHunk();
        }
    }

    /**
     * Ends the comparison of texts that differ in too many lines: step N of it looks for
     * differences of N lines, and time and memory grow with the square of N.
     */
    private static final class StopAtMostChanged implements DiffAlgorithmListener {
        @Override
        public void diffStart() {}

        @Override
        public void diffStep(int step, int most) {
            if (step > MOST_CHANGED) {
                throw new CancellationException("more than " + MOST_CHANGED + " changed lines");
            }
        }

        @Override
        public void diffEnd() {}
    }

    private List<String> oneHunk() {
        int from = Math.max(0, head - CONTEXT);
        int behind = Math.min(tail, CONTEXT);
        int oldEnd = old.size() - tail;
        int newEnd = fresh.size() - tail;
        List<String> lines = new ArrayList<>();
        lines.add(
                "@@ -%s +%s @@"
                        .formatted(range(from, oldEnd + behind), range(from, newEnd + behind)));
        old.subList(from, head).forEach(line -> lines.add(" " + line));
        old.subList(head, oldEnd).forEach(line -> lines.add("-" + line));
        fresh.subList(head, newEnd).forEach(line -> lines.add("+" + line));
        old.subList(oldEnd, oldEnd + behind).forEach(line -> lines.add(" " + line));
        return lines;
    }

    private static String range(int from, int to) {
        return (to > from ? from + 1 : from) + "," + (to - from);
    }

    /** A line feed in a name would begin a line of the diff. */
    private static String quoted(String name) {
        return name.chars().anyMatch(Character::isISOControl) ? Json.quote(name) : name;
    }

    /**
     * A last line without end differs from one with it; a lone carriage return ends none.
     *
     * @param returns whether those in front of line feeds are kept
     */
    private static List<String> lines(String text, boolean returns) {
        List<String> lines = new ArrayList<>();
        for (int from = 0; from < text.length(); ) {
            int feed = text.indexOf('\n', from);
            int end = feed < 0 ? text.length() : feed;
            boolean both = !returns && feed > from && text.charAt(feed - 1) == '\r';
            lines.add(text.substring(from, both ? end - 1 : end));
            from = end + 1;
        }
        if (!lines.isEmpty() && !text.endsWith("\n")) {
            lines.set(lines.size() - 1, lines.getLast() + NO_END);
        }
        return lines;
    }
}
