package dev.agentloop.patch;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds runs of lines in a file. Lines are compared as numbers, and the comparisons are counted: a
 * generated file and a long hunk of equal lines must not hold the run up for minutes.
 */
final class LineIndex {
    private static final int NOWHERE = -1;
    private static final long MAX_COMPARISONS = 200_000_000; // about half a second

    private final List<String> file;
    private final Map<LineMatch, Numbers> numbers = new EnumMap<>(LineMatch.class);
    private long comparisons;

    /** The number of each line of the file, and of each key. */
    private record Numbers(int[] ofLines, Map<String, Integer> ofKeys) {}

    LineIndex(List<String> file) {
        this.file = file;
    }

    List<String> file() {
        return file;
    }

    /** A search for the old lines of a hunk. */
    Search search(List<Hunk.Line> old, LineMatch match) {
        Numbers known = numbers.computeIfAbsent(match, this::number);
        int[] text = new int[old.size()];
        int[] written = new int[old.size()];
        for (int i = 0; i < old.size(); i++) {
            Hunk.Line line = old.get(i);
            text[i] = known.ofKeys.getOrDefault(match.key(line.text()), NOWHERE);
            boolean context = line.kind() == Hunk.Kind.CONTEXT;
            written[i] =
                    context
                            ? known.ofKeys.getOrDefault(match.key(line.asWritten()), NOWHERE)
                            : text[i];
        }
        return new Search(known.ofLines, text, written);
    }

    private Numbers number(LineMatch match) {
        int[] ofLines = new int[file.size()];
        Map<String, Integer> ofKeys = new HashMap<>();
        for (int i = 0; i < ofLines.length; i++) {
            ofLines[i] = ofKeys.computeIfAbsent(match.key(file.get(i)), _ -> ofKeys.size());
        }
        return new Numbers(ofLines, ofKeys);
    }

    /** Old lines by their numbers; a context line by that without and with its leading blank. */
    final class Search {
        private final int[] lines;
        private final int[] text;
        private final int[] written;

        private Search(int[] lines, int[] text, int[] written) {
            this.lines = lines;
            this.text = text;
            this.written = written;
        }

        /** Whether any line of the file is like this old one. */
        boolean isSomewhere(int old) {
            return text[old] != NOWHERE || written[old] != NOWHERE;
        }

        boolean isAt(int start) throws PatchException {
            if (start + text.length > lines.length) {
                return false;
            }
            for (int i = 0; i < text.length; i++) {
                if (!isAt(start + i, i)) {
                    return false;
                }
            }
            return true;
        }

        /** Whether one old line is at one line of the file. */
        boolean isAt(int line, int old) throws PatchException {
            comparisons++;
            if (comparisons > MAX_COMPARISONS) {
                throw new PatchException(
                        "Looking for the place takes too long: the file and the patch have too many"
                                + " equal lines. Make the hunks smaller.");
            }
            return lines[line] == text[old] || lines[line] == written[old];
        }
    }
}
