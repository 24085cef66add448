package dev.agentloop.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where a replacement fits. Tries to find the old text exactly, then whatever its line ends, then
 * whatever blanks end its lines; a step counts only if its match is the only one.
 *
 * @param tolerance what had to be ignored to find the old text
 */
public record EditPlan(Tolerance tolerance, List<Splice> splices) {
    private static final int MAX_LINES_NAMED = 10;

    /** What may differ between the text that the model sent and the file. */
    public enum Tolerance {
        NONE(""),
        LINE_ENDS("ignoring line ends"),
        TRAILING_BLANKS("ignoring blanks at line ends");

        private final String words;

        Tolerance(String words) {
            this.words = words;
        }

        /** For the result; empty if nothing was ignored. */
        public String words() {
            return words;
        }
    }

    /** What to replace by what, and whether everywhere. */
    public record Replacement(String old, String with, boolean everywhere) {}

    private record Range(int start, int end) {}

    /** Finds the place; an exception says what is there instead. */
    public static EditPlan of(String text, Replacement replacement) throws EditException {
        check(replacement);
        for (Tolerance tolerance : Tolerance.values()) {
            List<Range> found = find(text, replacement.old(), tolerance);
            if (found.size() == 1 || replacement.everywhere() && !found.isEmpty()) {
                return new EditPlan(tolerance, splices(text, found, replacement));
            }
            if (!found.isEmpty()) {
                throw ambiguous(text, found);
            }
        }
        throw new EditException(
                "old_string was not found. " + NearMiss.describe(text, replacement.old()));
    }

    private static void check(Replacement replacement) throws EditException {
        if (replacement.old().isEmpty()) {
            throw new EditException(
                    "old_string is empty. Copy the text to replace from the file; to create or"
                            + " replace a whole file use write_file.");
        }
        if (replacement.old().equals(replacement.with())) {
            throw new EditException("old_string and new_string are equal: there is nothing to do.");
        }
    }

    private static List<Range> find(String text, String old, Tolerance tolerance) {
        boolean trim = tolerance == Tolerance.TRAILING_BLANKS;
        if (tolerance == Tolerance.NONE) {
            return occurrences(TextView.exact(text), old, false);
        }
        String wanted = TextView.simplified(old, trim).text();
        boolean lineMustEnd = trim && (old.endsWith(" ") || old.endsWith("\t"));
        return wanted.isBlank()
                ? List.of()
                : occurrences(TextView.simplified(text, trim), wanted, lineMustEnd);
    }

    private static List<Range> occurrences(TextView view, String wanted, boolean lineMustEnd) {
        List<Range> found = new ArrayList<>();
        String text = view.text();
        int at = text.indexOf(wanted);
        while (at >= 0) {
            int end = at + wanted.length();
            if (!lineMustEnd || end == text.length() || text.charAt(end) == '\n') {
                found.add(new Range(view.origins()[at], view.origins()[end]));
            }
            at = text.indexOf(wanted, end);
        }
        return found;
    }

    private static List<Splice> splices(String text, List<Range> found, Replacement replacement) {
        boolean verbatim = replacement.old().contains("\r") || replacement.with().contains("\r");
        return found.stream()
                .map(range ->
                        new Splice(
                                range.start(),
                                range.end(),
                                verbatim
                                        ? replacement.with()
                                        : LineEnds.adapt(
                                                replacement.with(),
                                                text,
                                                range.start(),
                                                range.end())))
                .toList();
    }

    private static EditException ambiguous(String text, List<Range> found) {
        String lines =
                found.stream()
                        .limit(MAX_LINES_NAMED)
                        .map(range -> String.valueOf(LineEnds.lineNumber(text, range.start())))
                        .collect(Collectors.joining(", "));
        String more = found.size() > MAX_LINES_NAMED ? ", …" : "";
        return new EditException(
                ("old_string occurs %d times, at lines %s%s. Add surrounding lines to make it"
                                + " unique, or set replace_all.")
                        .formatted(found.size(), lines, more));
    }
}
