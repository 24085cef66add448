package dev.agentloop.patch;

import java.util.ArrayList;
import java.util.List;

/**
 * One change of a file, with the lines around it.
 *
 * @param anchors lines that stand above the place, the outermost first, with their indentation
 * @param oldStart number of the first old line as the patch says; 0 if it does not
 * @param atEnd whether the old lines are the last ones of the file
 */
public record Hunk(List<String> anchors, int oldStart, List<Line> lines, boolean atEnd) {
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final int TELLING = 3; // characters; a lone brace stands everywhere

    /** What becomes of a line. */
    public enum Kind {
        CONTEXT,
        REMOVED,
        ADDED
    }

    /**
     * One line of a hunk.
     *
     * @param text without the sign
     * @param asWritten the whole line, for a context line whose leading blank may be its own
     * @param windows whether it ends with CR LF in the patch
     * @param noNewline whether the patch says that no line end follows
     */
    public record Line(
            Kind kind, String text, String asWritten, boolean windows, boolean noNewline) {
        /** By its sign; a line without a sign is taken for context. */
        static Line of(String written, boolean windows) {
            Kind kind = kind(written);
            boolean signed = kind != Kind.CONTEXT || written.startsWith(" ");
            return new Line(kind, signed ? written.substring(1) : written, written, windows, false);
        }

        private static Kind kind(String written) {
            if (written.startsWith("+")) {
                return Kind.ADDED;
            }
            return written.startsWith("-") ? Kind.REMOVED : Kind.CONTEXT;
        }

        boolean isOld() {
            return kind != Kind.ADDED;
        }

        /** A line without even a sign; at the end of a hunk it is often no part of it. */
        boolean isBare() {
            return asWritten.isEmpty();
        }

        /** Whether finding it somewhere says something. */
        boolean isTelling() {
            return text.strip().length() >= TELLING;
        }

        Line withoutNewline() {
            return new Line(kind, text, asWritten, windows, true);
        }

        private boolean isMarked() {
            return text.startsWith(BYTE_ORDER_MARK);
        }

        private Line withoutMark() {
            return isMarked() ? new Line(kind, text.substring(1), text, windows, noNewline) : this;
        }
    }

    /** Context and removed lines. */
    List<Line> old() {
        return lines.stream().filter(Line::isOld).toList();
    }

    /** Whether its lines are the last ones: as it says, or as a line without an end shows. */
    boolean endsFile() {
        return lines.stream().anyMatch(Line::noNewline);
    }

    boolean isNumbered() {
        return oldStart > 0;
    }

    boolean changesNothing() {
        return lines.stream().allMatch(line -> line.kind() == Kind.CONTEXT);
    }

    /** Whether its old lines say more than one short line can. */
    boolean isTelling() {
        return tellingLines() >= 2;
    }

    /** Lines of the file that are more than a brace or a short word. */
    long tellingLines() {
        return lines.stream().filter(line -> line.isOld() && line.isTelling()).count();
    }

    /** Without so many lines at either end. */
    Hunk trimmed(int head, int tail) {
        return new Hunk(anchors, 0, lines.subList(head, lines.size() - tail), atEnd && tail == 0);
    }

    /** Context lines before the first change. */
    int leadingContext() {
        int count = 0;
        while (count < lines.size() && lines.get(count).kind() == Kind.CONTEXT) {
            count++;
        }
        return count;
    }

    /** Context lines after the last change. */
    int trailingContext() {
        int count = 0;
        while (count < lines.size() && lines.get(lines.size() - 1 - count).kind() == Kind.CONTEXT) {
            count++;
        }
        return count;
    }

    /** Without empty lines at its end that had not even a sign. */
    Hunk withoutBareEnd() {
        List<Line> kept = new ArrayList<>(lines);
        while (!kept.isEmpty() && kept.getLast().isBare()) {
            kept.removeLast();
        }
        return new Hunk(anchors, oldStart, List.copyOf(kept), atEnd);
    }

    /** Without the byte order mark that a diff shows as part of the first line. */
    Hunk withoutMark() throws PatchException {
        List<Line> marked = lines.stream().filter(Line::isMarked).toList();
        boolean old = marked.stream().anyMatch(Line::isOld);
        if (!old) {
            return this;
        }
        boolean firstGoes = marked.stream().anyMatch(line -> line.kind() == Kind.REMOVED);
        boolean firstComes = marked.stream().anyMatch(line -> line.kind() == Kind.ADDED);
        boolean allGoes = lines.stream().allMatch(line -> line.kind() == Kind.REMOVED);
        if (firstGoes != firstComes && !allGoes) {
            throw new PatchException(
                    "The patch takes a byte order mark away or moves it, which cannot be done so.");
        }
        return new Hunk(anchors, oldStart, lines.stream().map(Line::withoutMark).toList(), atEnd);
    }

    /** Whether old and new lines are the same but for the kind of their ends. */
    boolean changesLineEnds() {
        List<Line> removed = lines.stream().filter(line -> line.kind() == Kind.REMOVED).toList();
        List<Line> added = lines.stream().filter(line -> line.kind() == Kind.ADDED).toList();
        return !removed.isEmpty()
                && !added.isEmpty()
                && isUniform(removed)
                && isUniform(added)
                && removed.getFirst().windows() != added.getFirst().windows()
                && removed.stream()
                        .map(Line::text)
                        .anyMatch(
                                text -> added.stream().anyMatch(line -> line.text().equals(text)));
    }

    private static boolean isUniform(List<Line> lines) {
        return lines.stream().map(Line::windows).distinct().count() == 1;
    }
}
