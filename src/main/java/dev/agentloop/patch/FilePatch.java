package dev.agentloop.patch;

import dev.agentloop.edit.EditException;
import dev.agentloop.edit.FileBlocks;
import dev.agentloop.edit.LineStyle;
import dev.agentloop.edit.Splice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What the hunks of one file come to.
 *
 * @param splices ascending; nothing outside of them changes
 * @param tolerances what had to be ignored to place hunks, for people; empty for nothing
 */
public record FilePatch(List<Splice> splices, List<String> tolerances, int added, int removed) {

    /** Finds the place of every hunk; an exception says which has none. */
    public static FilePatch of(String text, List<Hunk> hunks) throws PatchException {
        FileLines lines = new FileLines(text);
        List<Placement> placements = HunkPlacer.place(text, lines, hunks);
        boolean lastGoes =
                placements.stream()
                        .flatMap(placement -> placement.runs().stream())
                        .anyMatch(run -> !run.removed().isEmpty() && run.end() == lines.size());
        List<Splice> splices = new ArrayList<>();
        List<String> tolerances = new ArrayList<>();
        int added = 0;
        int removed = 0;
        for (int i = 0; i < placements.size(); i++) {
            Placement placement = placements.get(i);
            for (Placement.Run run : placement.runs()) {
                splices.add(
                        new Writer(lines, placement.style(), run, lastGoes)
                                .splice("Hunk " + (i + 1)));
                added += run.added().size();
                removed += run.removed().size();
            }
            if (!placement.tolerance().isEmpty()) {
                tolerances.add("hunk " + (i + 1) + " placed " + placement.tolerance());
            }
        }
        splices.sort(Comparator.comparingInt(Splice::start).thenComparingInt(Splice::end));
        requireApart(splices);
        return new FilePatch(List.copyOf(splices), List.copyOf(tolerances), added, removed);
    }

    private static void requireApart(List<Splice> splices) throws PatchException {
        for (int i = 1; i < splices.size(); i++) {
            if (splices.get(i).start() < splices.get(i - 1).end()) {
                throw new PatchException("Two hunks change the same lines. Write them as one.");
            }
        }
    }

    /**
     * Writes the new lines of one run with the line ends of their place.
     *
     * @param lastGoes whether a run takes the last line of the file away
     */
    private record Writer(FileLines file, LineStyle style, Placement.Run run, boolean lastGoes) {

        Splice splice(String hunk) throws PatchException {
            int first = run.line();
            int last = run.end();
            StringBuilder with = new StringBuilder();
            boolean afterOpenEnd =
                    last == file.size() && first == last && file.endsWithoutNewline() && !lastGoes;
            if (afterOpenEnd && !run.added().isEmpty()) {
                with.append(file.usualEnd(first));
            }
            for (int i = 0; i < run.added().size(); i++) {
                with.append(fitted(i, hunk));
                boolean ends = i == run.added().size() - 1;
                with.append(ends && !hasFinalEnd(last, afterOpenEnd) ? "" : end(first + i, last));
            }
            return new Splice(file.start(first), file.start(last), with.toString());
        }

        private String fitted(int i, String hunk) throws PatchException {
            LineStyle.Pair instead =
                    i < run.removed().size()
                            ? new LineStyle.Pair(
                                    run.removed().get(i).text(), file.lines().get(run.line() + i))
                            : null;
            try {
                return style.fit(run.added().get(i).text(), instead);
            } catch (EditException e) {
                FileBlocks.Span place = new FileBlocks.Span(run.line(), run.end());
                throw new PatchException(
                        hunk
                                + ": "
                                + e.getMessage()
                                + FileBlocks.places(file.lines(), List.of(place)));
            }
        }

        /** As the line that it replaces ends, else as those around it. */
        private String end(int line, int last) {
            String own = line < last ? file.end(line) : "";
            return own.isEmpty() ? file.usualEnd(line < file.size() ? line : last) : own;
        }

        /** Whether the last new line ends: as the patch says of the file's end, else as it did. */
        private boolean hasFinalEnd(int last, boolean afterOpenEnd) {
            if (last < file.size()) {
                return true;
            }
            boolean saidOfOld = run.removed().stream().anyMatch(Hunk.Line::noNewline);
            if (run.added().getLast().noNewline()) {
                return false;
            }
            return saidOfOld || !(file.endsWithoutNewline() || afterOpenEnd);
        }
    }
}
