package dev.agentloop.patch;

import dev.agentloop.edit.FileBlocks;
import dev.agentloop.edit.LineStyle;
import dev.agentloop.edit.NearMiss;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the place of each hunk of a file. A place counts only if nothing else can be meant: it is
 * the only one, or the anchors, the line number, the end of the file or the order of the hunks say
 * which it is, and none of them says otherwise. An edit in a wrong place is worse than none.
 */
final class HunkPlacer {
    private static final int MAX_NAMED = 10;
    private static final int MOST_REFUSALS = 4; // each may show 40 lines
    private static final int MAX_PLACES = 10_000; // of one hunk
    private static final int TELLING = 3; // lines that hardly stand in two places by chance

    private final String text;
    private final LineIndex index;
    private final List<Placement> placed = new ArrayList<>();
    private final BitSet removed = new BitSet(); // lines that earlier hunks take away
    private final BitSet inserted = new BitSet(); // lines above which they put others
    private int moved; // lines by which the last hunk was off its number

    private HunkPlacer(String text, List<String> file) {
        this.text = text;
        this.index = new LineIndex(file);
    }

    /** Places for all hunks, in their order. */
    static List<Placement> place(String text, FileLines lines, List<Hunk> hunks)
            throws PatchException {
        HunkPlacer placer = new HunkPlacer(text, lines.lines());
        List<String> refusals = new ArrayList<>();
        for (int i = 0; i < hunks.size() && refusals.size() < MOST_REFUSALS; i++) {
            Hunk hunk = hunks.get(i).withoutMark();
            try {
                Placement placement = placer.place(hunk, "Hunk " + (i + 1));
                placer.keep(placement, hunk);
            } catch (NotFound e) {
                refusals.add(e.getMessage());
            } catch (PatchException e) {
                if (refusals.isEmpty()) { // else the hunk that is missing may decide its place
                    refusals.add(e.getMessage());
                }
            }
        }
        if (!refusals.isEmpty()) {
            throw new PatchException(String.join("\n", refusals));
        }
        return placer.placed;
    }

    /** A hunk whose lines the file does not have. */
    private static final class NotFound extends PatchException {
        private static final long serialVersionUID = 1L;

        private NotFound(String message) {
            super(message);
        }
    }

    private void keep(Placement placement, Hunk hunk) {
        if (hunk.isNumbered()) {
            moved = placement.number() - hunk.oldStart();
        }
        for (Placement.Run run : placement.runs()) {
            removed.set(run.line(), run.line() + run.removed().size());
            inserted.set(run.line(), run.removed().isEmpty() || inserted.get(run.line()));
        }
        placed.add(placement);
    }

    private Placement place(Hunk hunk, String name) throws PatchException {
        if (hunk.changesLineEnds()) {
            throw new PatchException(
                    name
                            + " changes only how lines end (CR LF or LF), which a patch does not do"
                            + " here: line ends are kept. Use run_command for that.");
        }
        if (hunk.old().isEmpty()) {
            return insertion(hunk, name);
        }
        Hunk trimmed = hunk.withoutBareEnd();
        boolean bareEnd = trimmed.lines().size() < hunk.lines().size();
        List<Hunk> forms =
                bareEnd && !trimmed.old().isEmpty() ? List.of(hunk, trimmed) : List.of(hunk);
        List<Anchor> anchors = Anchor.find(index.file(), hunk.anchors());
        for (LineMatch match : LineMatch.values()) {
            for (Hunk form : forms) {
                List<Placement> found = candidates(form, 0, match, match.words());
                if (!found.isEmpty()) {
                    refuseIfElsewhere(form, match, found, name);
                    return found.size() == 1
                            ? only(found.getFirst(), hunk, anchors, name)
                            : choose(found, hunk, anchors, name);
                }
            }
        }
        return withStaleContext(trimmed, anchors, name)
                .orElseThrow(() -> notFound(trimmed, anchors, name));
    }

    /** Lines that are the same but for an indentation of any kind may be meant as well. */
    private void refuseIfElsewhere(Hunk hunk, LineMatch match, List<Placement> found, String name)
            throws PatchException {
        if (match != LineMatch.INDENTATION) {
            return;
        }
        LineIndex.Search search = index.search(hunk.old(), match);
        List<Placement> all = new ArrayList<>();
        for (int at = 0; at < index.file().size() && all.size() < MAX_PLACES; at++) {
            if (search.isAt(at)) {
                all.add(new Placement(hunk, at, 0, LineStyle.AS_SENT, ""));
            }
        }
        if (all.size() > found.size()) {
            throw ambiguous(all, hunk, name);
        }
    }

    private List<Placement> candidates(Hunk hunk, int dropped, LineMatch match, String tolerance)
            throws PatchException {
        List<Hunk.Line> old = hunk.old();
        List<String> file = index.file();
        LineIndex.Search search = index.search(old, match);
        List<Placement> found = new ArrayList<>();
        int first = hunk.endsFile() ? Math.max(0, file.size() - old.size()) : 0;
        for (int at = first; at + old.size() <= file.size() && found.size() < MAX_PLACES; at++) {
            if (search.isAt(at)) {
                Optional<LineStyle> style = match.style(file.subList(at, at + old.size()), old);
                if (style.isPresent()) {
                    Placement place = new Placement(hunk, at, dropped, style.get(), tolerance);
                    if (isFree(place)) {
                        found.add(place);
                    }
                }
            }
        }
        return found;
    }

    /** Whether no earlier hunk has taken these lines away or put others at the same point. */
    private boolean isFree(Placement place) {
        int taken = removed.nextSetBit(place.line());
        if (taken >= 0 && taken < place.end()) {
            return false;
        }
        return inserted.isEmpty()
                || place.runs().stream()
                        .noneMatch(run -> run.removed().isEmpty() && inserted.get(run.line()));
    }

    /** The only place there is; it must not be one that the hunk's own words exclude. */
    private Placement only(Placement place, Hunk hunk, List<Anchor> anchors, String name)
            throws PatchException {
        if (hunk.isNumbered() || hunk.anchors().isEmpty()) {
            return place; // a heading behind numbers is for people, and models invent it
        }
        String heading = String.join(" / ", hunk.anchors());
        if (anchors.isEmpty() && !hunk.isTelling()) {
            throw new PatchException(
                    ("%s fits at line %d, but \"%s\" of its @@ line is not in the file, so that may"
                                    + " not be the place. Add lines of context.%s")
                            .formatted(
                                    name,
                                    place.line() + 1,
                                    heading,
                                    blocks(List.of(place), hunk, List.of())));
        }
        if (!anchors.isEmpty()
                && anchors.stream().noneMatch(anchor -> belongs(place, hunk, anchor))) {
            throw new PatchException(
                    ("%s fits at line %d only, which does not belong to \"%s\" of its @@ line at"
                                    + " line %s, whose text may have changed.%s")
                            .formatted(
                                    name,
                                    place.line() + 1,
                                    heading,
                                    numbers(anchors.stream().map(Anchor::line).toList()),
                                    blocks(
                                            List.of(place),
                                            hunk,
                                            List.of(anchors.getFirst().line()))));
        }
        return place;
    }

    /**
     * The only place is below its anchor. Where another function begins between them, only several
     * lines that are exactly those of the file show that the place is meant all the same.
     */
    private static boolean belongs(Placement place, Hunk hunk, Anchor anchor) {
        boolean exact = place.tolerance().isEmpty() && hunk.tellingLines() >= TELLING;
        return anchor.holds(place) || exact && anchor.isAbove(place);
    }

    private Placement choose(List<Placement> found, Hunk hunk, List<Anchor> anchors, String name)
            throws PatchException {
        List<Placement> held =
                found.stream()
                        .filter(place -> anchors.stream().anyMatch(anchor -> anchor.holds(place)))
                        .toList();
        Set<Placement> picks = new LinkedHashSet<>();
        if (hunk.atEnd() && found.getLast().end() == index.file().size()) {
            picks.add(found.getLast());
        }
        int expected = hunk.oldStart() + moved;
        found.stream()
                .filter(place -> hunk.isNumbered() && place.number() == expected)
                .forEach(picks::add);
        if (held.size() == 1 && (anchors.size() == 1 || hunk.isTelling())) {
            picks.add(held.getFirst());
        }
        if (picks.size() == 1) {
            Placement pick = picks.iterator().next();
            if (anchors.isEmpty() || anchors.stream().anyMatch(anchor -> anchor.isAbove(pick))) {
                return pick;
            }
        }
        int after = placed.isEmpty() ? 0 : placed.getLast().runs().getLast().end();
        List<Placement> later =
                (anchors.isEmpty() ? found : held)
                        .stream().filter(place -> place.line() >= after).toList();
        if (picks.isEmpty() && !placed.isEmpty() && later.size() == 1) {
            return later.getFirst();
        }
        throw ambiguous(found, hunk, name);
    }

    /** Only new lines: they are the file's last, or nobody can tell where they belong. */
    private Placement insertion(Hunk hunk, String name) throws PatchException {
        boolean placeless = !hunk.isNumbered() && hunk.anchors().isEmpty();
        if (index.file().isEmpty() || placeless || hunk.atEnd()) {
            return new Placement(hunk, index.file().size(), 0, LineStyle.AS_SENT, "");
        }
        throw new PatchException(
                name
                        + " has only new lines; a number or a @@ line does not say for sure where they"
                        + " go. Add the lines above and below them as context.");
    }

    private Optional<Placement> withStaleContext(Hunk hunk, List<Anchor> anchors, String name)
            throws PatchException {
        StaleContext stale = new StaleContext(index, hunk);
        for (StaleContext.Rest rest : stale.rests()) {
            String words = "without " + rest.dropped() + " stale lines of context";
            List<Placement> found =
                    candidates(rest.hunk(), rest.head(), LineMatch.TRAILING_BLANKS, words);
            if (found.size() > 1) {
                throw ambiguous(found, hunk, name);
            }
            if (found.size() == 1) {
                Placement place = found.getFirst();
                boolean held = anchors.stream().anyMatch(anchor -> anchor.holds(place));
                boolean allowed = hunk.anchors().isEmpty() || hunk.isNumbered() || held;
                return allowed && stale.isNearest(place) ? Optional.of(place) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private NotFound notFound(Hunk hunk, List<Anchor> anchors, String name) {
        String old = hunk.old().stream().map(Hunk.Line::text).collect(Collectors.joining("\n"));
        return new NotFound(
                name
                        + " does not fit. "
                        + belowAnchor(hunk, anchors, old)
                                .or(() -> NearMiss.find(text, old, "patch"))
                                .orElse("Nothing in the file resembles it. ")
                        + "Write the patch for what the file holds now.");
    }

    /** What the hunk resembles below the one line that its own @@ line names, if anything. */
    private Optional<String> belowAnchor(Hunk hunk, List<Anchor> anchors, String old) {
        if (hunk.isNumbered() || anchors.size() != 1) {
            return Optional.empty();
        }
        Anchor anchor = anchors.getFirst();
        return NearMiss.find(text, new FileBlocks.Span(anchor.line(), anchor.end()), old, "patch");
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
                                        + " context.")
                        + blocks(found, hunk, List.of()));
    }

    /**
     * @param more lines, from 0, where the hunk may have been meant to fit
     */
    private String blocks(List<Placement> places, Hunk hunk, List<Integer> more) {
        return FileBlocks.places(
                index.file(),
                Stream.concat(places.stream().map(Placement::line), more.stream())
                        .distinct()
                        .limit(MAX_NAMED)
                        .map(line -> span(line, hunk))
                        .toList());
    }

    private FileBlocks.Span span(int line, Hunk hunk) {
        return new FileBlocks.Span(line, Math.min(index.file().size(), line + hunk.old().size()));
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
