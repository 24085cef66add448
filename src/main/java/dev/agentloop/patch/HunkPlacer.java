package dev.agentloop.patch;

import dev.agentloop.edit.LineStyle;
import dev.agentloop.edit.NearMiss;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds the place of each hunk of a file. A place counts only if nothing else can be meant: it is
 * the only one, or the anchors, the line number, the end of the file or the order of the hunks say
 * which it is. An edit in a wrong place is worse than none.
 */
final class HunkPlacer {
    private static final int MAX_FUZZ = 2; // stale lines of context at either end, as GNU patch
    private static final int MAX_NAMED = 10;
    private static final int MAX_PLACES = 100_000; // of one hunk; as many lines as a file has

    private final String text;
    private final List<String> file;
    private final List<Placement> placed = new ArrayList<>();
    private int moved; // lines by which the last hunk was off its number

    private HunkPlacer(String text, List<String> file) {
        this.text = text;
        this.file = file;
    }

    /** Places for all hunks, in their order. */
    static List<Placement> place(String text, FileLines lines, List<Hunk> hunks)
            throws PatchException {
        HunkPlacer placer = new HunkPlacer(text, lines.lines());
        for (int i = 0; i < hunks.size(); i++) {
            Placement placement = placer.place(hunks.get(i), "Hunk " + (i + 1));
            if (hunks.get(i).oldStart() > 0) {
                placer.moved = placement.line() + 1 - hunks.get(i).oldStart();
            }
            placer.placed.add(placement);
        }
        return placer.placed;
    }

    private Placement place(Hunk hunk, String name) throws PatchException {
        if (hunk.old().isEmpty()) {
            return insertion(hunk, name);
        }
        Hunk trimmed = hunk.withoutBareEnd();
        List<Hunk> forms =
                trimmed.lines().size() == hunk.lines().size() || trimmed.old().isEmpty()
                        ? List.of(hunk)
                        : List.of(hunk, trimmed);
        for (LineMatch match : LineMatch.values()) {
            for (Hunk form : forms) {
                List<Placement> found = candidates(form, match, match.words());
                if (!found.isEmpty()) {
                    return choose(found, hunk, name);
                }
            }
        }
        return withStaleContext(trimmed, name).orElseThrow(() -> notFound(trimmed, name));
    }

    private List<Placement> candidates(Hunk hunk, LineMatch match, String tolerance) {
        List<Hunk.Line> old = hunk.old();
        List<Placement> found = new ArrayList<>();
        for (int at = 0; at + old.size() <= file.size() && found.size() < MAX_PLACES; at++) {
            int start = at;
            int end = at + old.size();
            if (match.mayStart(file.get(start), old.getFirst())
                    && placed.stream().noneMatch(other -> other.overlaps(start, end))) {
                Optional<LineStyle> style = match.at(file.subList(start, end), old);
                style.ifPresent(s -> found.add(new Placement(hunk, start, s, tolerance)));
            }
        }
        return found;
    }

    private Placement choose(List<Placement> found, Hunk hunk, String name) throws PatchException {
        if (found.size() == 1) {
            return found.getFirst();
        }
        if (hunk.atEnd() && found.getLast().end() == file.size()) {
            return found.getLast();
        }
        int expected = hunk.oldStart() - 1 + moved;
        for (Placement place : found) {
            if (hunk.oldStart() > 0 && place.line() == expected) {
                return place;
            }
        }
        List<Placement> anchored = anchored(found, hunk);
        if (anchored.size() == 1) {
            return anchored.getFirst();
        }
        int after = placed.isEmpty() ? 0 : placed.getLast().end();
        List<Placement> later = found.stream().filter(place -> place.line() >= after).toList();
        if (later.size() == 1) {
            return later.getFirst();
        }
        throw ambiguous(found, hunk, name);
    }

    /** For each line that the anchor may be, the first place below it that still belongs to it. */
    private List<Placement> anchored(List<Placement> found, Hunk hunk) {
        if (hunk.anchors().isEmpty()) {
            return List.of();
        }
        List<Placement> below = new ArrayList<>();
        for (int anchor : Anchor.places(file, hunk.anchors())) {
            found.stream()
                    .filter(place -> place.end() > anchor)
                    .filter(place -> !Anchor.leaves(file, anchor, place.line()))
                    .findFirst()
                    .filter(place -> !below.contains(place))
                    .ifPresent(below::add);
        }
        return below;
    }

    /** Only new lines: they follow their anchor, or stand where the patch's number says. */
    private Placement insertion(Hunk hunk, String name) throws PatchException {
        if (hunk.oldStart() == Hunk.WITHOUT_ITS_CONTEXT) {
            throw new PatchException(
                    name
                            + " has only new lines, without the context that its numbers speak of."
                            + " Add lines of context around the new ones.");
        }
        if (!hunk.anchors().isEmpty() && hunk.oldStart() == 0) {
            List<Integer> anchors = Anchor.places(file, hunk.anchors());
            if (anchors.size() == 1) {
                return new Placement(hunk, anchors.getFirst() + 1, LineStyle.AS_SENT, "");
            }
            String where = String.join(" / ", hunk.anchors());
            throw new PatchException(
                    name
                            + (anchors.isEmpty()
                                    ? " adds lines below \""
                                            + where
                                            + "\", which is not in the file."
                                    : " adds lines below \""
                                            + where
                                            + "\", which stands at lines "
                                            + numbers(anchors)
                                            + ".")
                            + " Add lines of context around the new ones.");
        }
        int line = hunk.oldStart() > 0 ? hunk.oldStart() - 1 + moved : file.size();
        if (line > file.size()) {
            throw new PatchException(
                    name
                            + " adds lines at line "
                            + hunk.oldStart()
                            + ", but the file has "
                            + file.size()
                            + ". Add lines of context around the new ones.");
        }
        return new Placement(hunk, line, LineStyle.AS_SENT, "");
    }

    /**
     * Outer lines of context may have changed meanwhile; what is left must be the only place, and
     * more than one line.
     */
    private Optional<Placement> withStaleContext(Hunk hunk, String name) throws PatchException {
        int head = Math.min(MAX_FUZZ, hunk.leadingContext());
        int tail = Math.min(MAX_FUZZ, hunk.trailingContext());
        for (int dropped = 1; dropped <= head + tail; dropped++) {
            List<Placement> found = new ArrayList<>();
            for (int first = Math.max(0, dropped - tail);
                    first <= Math.min(head, dropped);
                    first++) {
                Hunk rest = hunk.trimmed(first, dropped - first);
                if (isTelling(rest)) {
                    String words = "without " + dropped + " stale lines of context";
                    found.addAll(candidates(rest, LineMatch.TRAILING_BLANKS, words));
                }
            }
            if (new TreeSet<>(found.stream().map(HunkPlacer::firstChange).toList()).size() > 1) {
                throw ambiguous(found, hunk, name);
            }
            if (!found.isEmpty()) {
                return Optional.of(found.getFirst());
            }
        }
        return Optional.empty();
    }

    private static int firstChange(Placement place) {
        return place.runs().getFirst().line();
    }

    private static boolean isTelling(Hunk hunk) {
        long lines = hunk.old().stream().filter(line -> line.text().strip().length() > 2).count();
        return lines >= 2;
    }

    private PatchException notFound(Hunk hunk, String name) {
        String old = hunk.old().stream().map(Hunk.Line::text).collect(Collectors.joining("\n"));
        return new PatchException(
                name
                        + " does not fit. "
                        + NearMiss.find(text, old, "patch")
                                .orElse("Nothing in the file resembles it. ")
                        + "Read the file again and write the patch for what it holds now.");
    }

    private PatchException ambiguous(List<Placement> found, Hunk hunk, String name) {
        List<Integer> lines = found.stream().map(Placement::line).distinct().toList();
        return new PatchException(
                name
                        + " fits at lines "
                        + numbers(lines)
                        + (hunk.anchors().isEmpty()
                                ? ". Add lines of context, or a line @@ with the one that begins its"
                                        + " function or section."
                                : ", and its @@ line does not say which is meant. Add lines of"
                                        + " context."));
    }

    private static String numbers(List<Integer> lines) {
        String some =
                lines.stream()
                        .limit(MAX_NAMED)
                        .map(line -> String.valueOf(line + 1))
                        .collect(Collectors.joining(", "));
        return lines.size() > MAX_NAMED ? some + ", …" : some;
    }
}
