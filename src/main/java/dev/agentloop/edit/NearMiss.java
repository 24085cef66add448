package dev.agentloop.edit;

import dev.agentloop.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Finds what the model probably meant when its text is not in the file. */
public final class NearMiss {
    private static final int EXACT = 4; // votes of an equal line
    private static final int BUT_BLANKS = 3; // likewise if it is equal but for blanks around it
    private static final double MUCH = 0.4; // of the lines, of which each could be equal
    private static final int MAX_EQUAL = 20; // lines; what stands everywhere says nothing
    private static final int MAX_SHOWN = 160; // characters of a line
    private static final int MOST_NAMED = 10; // places that are as near

    private final List<String> file;
    private final List<String> searched; // the file, with empty lines where nothing is looked for
    private final List<String> wanted;

    private final boolean endIsMissing; // of the file's last line, which the old text has
    private boolean isMuchEqual;
    private final List<Integer> asNear = new ArrayList<>(); // places besides the nearest

    private NearMiss(
            List<String> file, List<String> searched, List<String> wanted, boolean endIsMissing) {
        this.file = file;
        this.searched = searched;
        this.wanted = wanted;
        this.endIsMissing = endIsMissing;
    }

    /**
     * Where the text most like {@code old} is, how it differs, and the lines themselves, so that
     * the next call can copy them; empty if nothing is like it.
     *
     * @param name of the old text, for the lines that show both
     */
    public static Optional<String> find(String text, String old, String name) {
        List<String> file = LineEnds.lines(text);
        return find(text, file, file, old, name);
    }

    /** The same, looked for in these lines only. */
    public static Optional<String> find(
            String text, FileBlocks.Span within, String old, String name) {
        List<String> file = LineEnds.lines(text);
        List<String> searched = new ArrayList<>(file);
        for (int i = 0; i < searched.size(); i++) {
            if (i < within.from() || i >= within.to()) {
                searched.set(i, "");
            }
        }
        return find(text, file, searched, old, name);
    }

    private static Optional<String> find(
            String text, List<String> file, List<String> searched, String old, String name) {
        List<String> wanted = LineEnds.lines(old);
        boolean endIsMissing = old.endsWith("\n") && !text.endsWith("\n");
        NearMiss search = new NearMiss(file, searched, wanted, endIsMissing);
        Optional<FileBlocks.Span> equal = search.byEqualLines();
        if (equal.isPresent() && search.isMuchEqual) {
            return Optional.of(search.report(equal.get(), name));
        }
        if (wanted.size() == 1) {
            Optional<String> inside = NearPart.find(searched, wanted.getFirst(), name);
            if (inside.isPresent()) {
                return inside;
            }
        }
        Optional<FileBlocks.Span> alike = NearText.find(searched, old);
        if (alike.isPresent()) {
            search.asNear.clear();
        }
        return alike.or(() -> equal).map(span -> search.report(span, name));
    }

    /**
     * The place at which most lines are equal, or equal but for blanks around them. Lines that the
     * old text repeats again and again are not counted: they would fit everywhere.
     */
    private Optional<FileBlocks.Span> byEqualLines() {
        Map<String, Set<Integer>> places = new HashMap<>();
        for (int j = 0; j < wanted.size(); j++) {
            if (wanted.get(j).strip().length() > 2) { // a lone brace says nothing
                places.computeIfAbsent(wanted.get(j).strip(), _ -> new HashSet<>()).add(j);
            }
        }
        int telling = places.size();
        places.values().removeIf(equal -> equal.size() > MAX_EQUAL);
        Map<Integer, Integer> votes = new TreeMap<>();
        int most = 0;
        for (int i = 0; i < searched.size(); i++) {
            for (int j : places.getOrDefault(searched.get(i).strip(), Set.of())) {
                boolean same = searched.get(i).equals(wanted.get(j));
                int start = i - j; // negative where the file begins inside the old text
                most = Math.max(most, votes.merge(start, same ? EXACT : BUT_BLANKS, Integer::sum));
            }
        }
        if (most == 0) {
            return Optional.empty();
        }
        isMuchEqual = most >= telling * BUT_BLANKS * MUCH;
        return Optional.of(nearest(votes, most));
    }

    /**
     * The first place with most votes; a part of the text that has moved a little belongs to it.
     */
    private FileBlocks.Span nearest(Map<Integer, Integer> votes, int most) {
        int from = -1;
        int to = 0;
        for (Map.Entry<Integer, Integer> each : votes.entrySet()) {
            int start = Math.max(0, each.getKey());
            boolean best = each.getValue() == most;
            if (from < 0) {
                from = best ? start : from;
                to = best ? start + wanted.size() : to;
            } else if (start - from <= FileBlocks.MOST_LINES - wanted.size()
                    && each.getValue() >= 2 * BUT_BLANKS) {
                to = start + wanted.size();
            } else if (best && start != from) {
                asNear.add(start);
            }
        }
        return new FileBlocks.Span(from, Math.min(to, file.size()));
    }

    private String report(FileBlocks.Span nearest, String name) {
        int start = nearest.from();
        for (int j = 0; j < wanted.size(); j++) {
            String here = start + j < file.size() ? file.get(start + j) : "";
            String sent = wanted.get(j);
            if (!fits(here, sent, j)) {
                return ("The nearest text starts at line %d; the first difference is at line %d,"
                                + " column %d:\n"
                                + "%-"
                                + (name.length() + 1)
                                + "s %s\n"
                                + "%s: %s\n%s%s")
                        .formatted(
                                start + 1,
                                start + j + 1,
                                column(here, sent),
                                "file:",
                                shown(here),
                                name,
                                shown(sent),
                                others(),
                                FileBlocks.around(file, nearest, start + j));
            }
        }
        boolean end =
                endIsMissing
                        && nearest.to() == file.size()
                        && file.subList(start, file.size()).equals(wanted);
        return "The nearest text starts at line %d%s.\n%s%s"
                .formatted(
                        start + 1,
                        end
                                ? "; the only difference is its end: the file's last line has no"
                                        + " line end, the %s has one".formatted(name)
                                : "",
                        others(),
                        FileBlocks.around(file, nearest, start));
    }

    private String others() {
        if (asNear.isEmpty()) {
            return "";
        }
        String lines =
                asNear.stream()
                        .limit(MOST_NAMED)
                        .map(start -> String.valueOf(start + 1))
                        .collect(Collectors.joining(", "));
        String places = asNear.size() == 1 ? "Another place is" : asNear.size() + " others are";
        return "%s as near: line %s%s. Lines that stand once tell them apart.\n"
                .formatted(places, lines, asNear.size() > MOST_NAMED ? ", …" : "");
    }

    /** The first line may begin, and the last may end, inside a line of the file. */
    private boolean fits(String here, String sent, int index) {
        boolean first = index == 0;
        boolean last = index == wanted.size() - 1;
        if (first && last) {
            return here.contains(sent);
        }
        return first ? here.endsWith(sent) : last ? here.startsWith(sent) : here.equals(sent);
    }

    static int column(String one, String other) {
        int at = 0;
        while (at < one.length() && at < other.length() && one.charAt(at) == other.charAt(at)) {
            at++;
        }
        return at + 1;
    }

    static String shown(String line) {
        boolean fits = line.length() <= MAX_SHOWN;
        return Json.quote(
                fits ? line : line.substring(0, FileBlocks.wordEnd(line, MAX_SHOWN)) + "…");
    }
}
