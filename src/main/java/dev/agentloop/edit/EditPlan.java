package dev.agentloop.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where a replacement fits. Tries to find the old text exactly, then with less and less regard for
 * what models get wrong; a step counts only if its match is the only one.
 *
 * @param tolerance what had to be ignored to find the old text
 */
public record EditPlan(Tolerance tolerance, List<Splice> splices) {
    private static final Pattern NUMBERED = Pattern.compile(" *\\d+(?:[:|\t→]| {2})");
    private static final int MAX_LINES_NAMED = 10;
    private static final int MAX_GUESSED = 2_000_000; // characters; more would take too long
    private static final int MAX_REPLACED = 20_000; // places at once
    private static final int MAX_COUNTED = 1000; // places of a text that must have one

    /** What may differ between the text that the model sent and the file. */
    public enum Tolerance {
        NONE(""),
        LINE_ENDS("ignoring line ends"),
        TRAILING_BLANKS("ignoring blanks at line ends"),
        INDENTATION("with another indentation, to which the new text was fitted"),
        TYPOGRAPHY("ignoring the kind of quotes, dashes and blanks");

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

    /** Finds the place; an exception says what is there instead. */
    public static EditPlan of(String text, Replacement replacement) throws EditException {
        check(replacement);
        for (Tolerance tolerance : Tolerance.values()) {
            if (tolerance.compareTo(Tolerance.TRAILING_BLANKS) > 0 && text.length() > MAX_GUESSED) {
                break;
            }
            List<Match> found = find(text, replacement, tolerance);
            if (found.size() > MAX_REPLACED) {
                throw new EditException(
                        "old_string occurs more than %d times. Replace it with run_command, e.g. sed."
                                .formatted(MAX_REPLACED));
            }
            if (found.size() == 1 || replacement.everywhere() && !found.isEmpty()) {
                return new EditPlan(tolerance, splices(text, found, replacement, tolerance));
            }
            if (!found.isEmpty()) {
                throw ambiguous(text, found, tolerance);
            }
        }
        throw new EditException(
                "old_string was not found. "
                        + NearMiss.find(text, replacement.old(), "old_string")
                                .orElse("Nothing in the file resembles it. ")
                        + slip(text, replacement.old())
                        + "Copy the text exactly as the file has it.");
    }

    /** What models often send in place of the text itself. */
    private static String slip(String text, String old) {
        if (old.lines().allMatch(line -> NUMBERED.matcher(line).lookingAt())) {
            return "The numbers in front of the lines are not in the file. ";
        }
        return old.contains("\\n") && !text.contains("\\n")
                ? "It has a backslash and an n where the file has line ends. "
                : "";
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

    /** All places; of those that overlap only the first is one if all are to be replaced. */
    private static List<Match> find(String text, Replacement replacement, Tolerance tolerance) {
        String old = replacement.old();
        Search search = new Search(replacement.everywhere(), false, LineStyle.AS_SENT);
        return switch (tolerance) {
            case NONE -> search.occurrences(TextView.exact(text), old);
            case LINE_ENDS -> search.nearly(TextView.simplified(text, false), plainly(old, false));
            case TRAILING_BLANKS ->
                    search.atLineEndIf(endsInBlank(old))
                            .nearly(TextView.simplified(text, true), plainly(old, true));
            case INDENTATION -> search.apart(Indentation.find(text, old));
            case TYPOGRAPHY ->
                    new Search(replacement.everywhere(), endsInBlank(old), LineStyle.SIGNS_KEPT)
                            .nearly(
                                    TextView.simplified(text, true).withPlainSigns(),
                                    Typography.plain(plainly(old, true)));
        };
    }

    private static String plainly(String old, boolean trim) {
        return TextView.simplified(old, trim).text();
    }

    private static boolean endsInBlank(String old) {
        return old.endsWith(" ") || old.endsWith("\t");
    }

    /**
     * How places are looked for.
     *
     * @param apart whether places may not overlap; else every one counts, for the text must be
     *     unique
     * @param lineMustEnd whether the line must end where the text does
     */
    private record Search(boolean apart, boolean lineMustEnd, LineStyle style) {
        Search atLineEndIf(boolean must) {
            return new Search(apart, must, style);
        }

        /** What is left of the text may be too little to go by. */
        List<Match> nearly(TextView view, String wanted) {
            return wanted.isBlank() ? List.of() : occurrences(view, wanted);
        }

        List<Match> occurrences(TextView view, String wanted) {
            List<Match> found = new ArrayList<>();
            String text = view.text();
            int at = text.indexOf(wanted);
            boolean feedFirst = wanted.startsWith("\n");
            while (at >= 0 && found.size() <= (apart ? MAX_REPLACED : MAX_COUNTED - 1)) {
                int end = at + wanted.length();
                boolean split = feedFirst && at > 0 && text.charAt(at - 1) == '\r'; // of a line end
                boolean ends = !lineMustEnd || end == text.length() || text.charAt(end) == '\n';
                if (ends && !split) {
                    found.add(new Match(view.origin(at), view.origin(end), style));
                }
                at = text.indexOf(wanted, apart ? end : at + 1);
            }
            return found;
        }

        List<Match> apart(List<Match> found) {
            if (!apart) {
                return found;
            }
            List<Match> kept = new ArrayList<>();
            for (Match match : found) {
                if (kept.isEmpty() || match.start() >= kept.getLast().end()) {
                    kept.add(match);
                }
            }
            return kept;
        }
    }

    private static List<Splice> splices(
            String text, List<Match> found, Replacement replacement, Tolerance tolerance)
            throws EditException {
        List<Splice> splices = new ArrayList<>();
        for (Match match : found) {
            String with =
                    tolerance == Tolerance.NONE
                            ? asSent(text, match, replacement)
                            : rewritten(text, match, replacement);
            splices.add(new Splice(match.start(), match.end(), with));
        }
        return splices;
    }

    private static String rewritten(String text, Match match, Replacement replacement)
            throws EditException {
        try {
            return Rewrite.of(text, match, replacement);
        } catch (EditException e) {
            List<FileBlocks.Span> place = List.of(span(text, match));
            throw new EditException(
                    e.getMessage() + FileBlocks.places(LineEnds.lines(text), place));
        }
    }

    /** A model that sends carriage returns means them. */
    private static String asSent(String text, Match match, Replacement replacement) {
        boolean verbatim = replacement.old().contains("\r") || replacement.with().contains("\r");
        return verbatim
                ? replacement.with()
                : LineEnds.adapt(replacement.with(), text, match.start(), match.end());
    }

    private static EditException ambiguous(String text, List<Match> found, Tolerance tolerance) {
        String lines =
                found.stream()
                        .limit(MAX_LINES_NAMED)
                        .map(match -> String.valueOf(LineEnds.lineNumber(text, match.start())))
                        .distinct()
                        .collect(Collectors.joining(", "));
        String more = found.size() > MAX_LINES_NAMED ? ", …" : "";
        List<FileBlocks.Span> spans =
                found.stream().limit(MAX_LINES_NAMED).map(match -> span(text, match)).toList();
        String count = found.size() < MAX_COUNTED ? "" + found.size() : "at least " + MAX_COUNTED;
        String how = tolerance == Tolerance.NONE ? "" : " (" + tolerance.words() + ")";
        return new EditException(
                ("old_string occurs %s times, at lines %s%s%s. Add surrounding lines to make it"
                                + " unique, or set replace_all.%s")
                        .formatted(
                                count,
                                lines,
                                more,
                                how,
                                FileBlocks.places(LineEnds.lines(text), spans)));
    }

    private static FileBlocks.Span span(String text, Match match) {
        return new FileBlocks.Span(
                LineEnds.lineNumber(text, match.start()) - 1,
                LineEnds.lineNumber(text, Math.max(match.start(), match.end() - 1)));
    }
}
