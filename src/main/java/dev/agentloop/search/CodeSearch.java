package dev.agentloop.search;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the places of a code base that words speak about: what is defined under such a name first,
 * then lines with the words, then files that are called so.
 */
public final class CodeSearch {
    private static final int MAX_LINES = 500; // of one file
    private static final int MAX_CHARS = 256 * 1024; // of one file
    private static final int REFERENCES_IN_FILE = 5; // so that one file does not fill the answer
    private static final int KEPT = 4; // times what is wanted, before the rest is dropped
    private static final int VERY_NAME = 1_000; // score of a definition with the name asked for
    private static final int OF_OWNER = 2;
    private static final int MOST_LINES = 60_000; // about a second; then what there is will do

    /** Words of a question that say nothing about code. */
    private static final Set<String> FILLERS =
            Set.of(
                    "a", "an", "the", "of", "is", "are", "in", "on", "to", "for", "where", "how",
                    "what", "which", "does", "do", "and", "or", "with", "by", "we", "it");

    /** Before a name they say what it is: "struct device" asks for what is called device. */
    private static final Set<String> KINDS =
            Set.of(
                    "class",
                    "struct",
                    "enum",
                    "interface",
                    "union",
                    "trait",
                    "record",
                    "def",
                    "func",
                    "fn",
                    "fun",
                    "function",
                    "typedef",
                    "define",
                    "macro");

    private final List<String> words;
    private final String whole; // in lower case without what parts the words
    private final String named; // the same without the word for its kind
    private final String owner; // of what is asked for, in lower case; may be empty
    private final int wanted;
    private final Predicate<String> leftOut;
    private final FileSource source;
    private final SearchDeadline deadline;
    private final Map<Rank, List<Hit>> hits = new EnumMap<>(Rank.class);
    private boolean dropped;
    private volatile boolean stopped;
    private int lines;
    private int files;
    private boolean isDefined; // what has the very name
    private boolean cut;

    /** What a hit is; hits are listed in this order. */
    public enum Rank {
        DEFINITION,
        REFERENCE,
        FILE
    }

    /**
     * A place.
     *
     * @param line counted from 1; 0 for a file as a whole
     * @param kind what is defined there, or what else the place is
     * @param text the line
     */
    public record Hit(Rank rank, String file, int line, String kind, String text, int score) {}

    /**
     * @param wanted how many places are enough
     * @param source of the files of the tree
     * @param leftOut files below a folder that are not looked at, by their path
     */
    public CodeSearch(
            String query,
            int wanted,
            FileSource source,
            Predicate<String> leftOut,
            SearchDeadline deadline) {
        this.source = source;
        this.leftOut = leftOut;
        Qualified asked = Qualified.of(query);
        this.owner = asked.owner().toLowerCase(Locale.ROOT);
        this.words = telling(withoutKind(asked.name()));
        this.whole = String.join("", telling(asked.name()));
        this.named = String.join("", words);
        this.wanted = wanted;
        this.deadline = deadline;
        for (Rank rank : Rank.values()) {
            hits.put(rank, new ArrayList<>());
        }
    }

    /**
     * A name behind the one of its class or module: {@code Painter::draw}, {@code Painter.draw},
     * {@code Painter#draw}.
     *
     * @param owner the nearest name before it; empty if there is none
     */
    private record Qualified(String owner, String name) {
        private static final Pattern PARTED =
                Pattern.compile(
                        "(?:.*?[^\\p{L}\\p{N}_$])?([\\p{L}\\p{N}_$]+)(?:::|->|#)(~?[\\p{L}\\p{N}_$]+)");

        /** A short word behind a dot in small letters is more likely the suffix of a file. */
        private static final Pattern DOTTED =
                Pattern.compile(
                        "(?:.*?[^\\p{L}\\p{N}_$])?([\\p{L}\\p{N}_$]+)\\.(?![a-z]{1,4}$)([\\p{L}\\p{N}_$]+)");

        /** A query that is anything else has no owner. */
        static Qualified of(String query) {
            String text = query.strip();
            if (text.chars().noneMatch(Character::isWhitespace)) {
                for (Pattern pattern : new Pattern[] {PARTED, DOTTED}) {
                    Matcher matcher = pattern.matcher(text);
                    if (matcher.matches()) {
                        return new Qualified(matcher.group(1), matcher.group(2));
                    }
                }
            }
            return new Qualified("", query);
        }
    }

    /** The words without those that say nothing; all of a single name, or if none says anything. */
    private static List<String> telling(String query) {
        List<String> all = Words.of(query);
        if (query.strip().chars().noneMatch(Character::isWhitespace)) {
            return all; // isEmpty is another name than empty
        }
        List<String> telling = all.stream().filter(word -> !FILLERS.contains(word)).toList();
        return telling.isEmpty() ? all : telling;
    }

    /** The name may have the word for its kind in it once more: "struct task_struct". */
    private static String withoutKind(String query) {
        String[] parts = query.strip().split("\\s+", 2);
        boolean saysKind =
                parts.length == 2
                        && KINDS.contains(parts[0].toLowerCase(Locale.ROOT))
                        && !Words.of(parts[1]).isEmpty();
        return saysKind ? parts[1] : query;
    }

    /** Whether there is nothing in the query to look for. */
    public boolean isEmpty() {
        return words.isEmpty();
    }

    /** The best places below {@code start}, the best first. */
    public List<Hit> below(Path root, Path start) throws IOException {
        pass(root, start, List.of(rarest()), words.size());
        if (words.size() > 1 && !stopped && hits.values().stream().allMatch(List::isEmpty)) {
            pass(root, start, words, (words.size() + 1) / 2);
        }
        List<Hit> best = new ArrayList<>();
        for (Rank rank : Rank.values()) {
            List<Hit> ranked = sorted(rank);
            int room = Math.min(ranked.size(), wanted - best.size());
            best.addAll(ranked.subList(0, room));
            dropped |= room < ranked.size();
        }
        return best;
    }

    /** The word that is likely to be in the fewest lines. */
    private String rarest() {
        return words.stream()
                .max(
                        Comparator.comparing((String word) -> !KINDS.contains(word))
                                .thenComparing(word -> word.chars().anyMatch(Character::isDigit))
                                .thenComparingInt(String::length))
                .orElseThrow();
    }

    /** Whether there were more places than wanted. */
    public boolean hasMore() {
        return dropped;
    }

    /** How many files were enough, because the words are in so many lines; 0 if all were seen. */
    public int filesBeforeCut() {
        return cut ? files : 0;
    }

    /** Whether the time was up before all was seen. */
    public boolean isStopped() {
        return stopped;
    }

    /**
     * @param any a line or a name has one of these words
     * @param needed how many of all words must be there
     */
    private void pass(Path root, Path start, List<String> any, int needed) throws IOException {
        FileSource.Names names =
                file -> {
                    if (!leftOut.test(file)) {
                        takeName(file, needed);
                    }
                };
        int flags = Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
        Pattern pattern = Pattern.compile(String.join("|", any), flags);
        LineQuery query = new LineQuery(pattern, 0, MAX_LINES, MAX_CHARS);
        ParallelScan.Reader<Places> reader = (file, found) -> places(file, found, needed);
        try (ParallelScan<Places> scan =
                new ParallelScan<>(root, query, deadline, reader, (_, places) -> addAll(places))) {
            try {
                source.visit(
                        start,
                        query,
                        any,
                        names,
                        file -> leftOut.test(file.relative()) || scan.add(file));
            } catch (SearchDeadline.Passed e) {
                stopped = true;
            }
            scan.finish();
        } catch (SearchDeadline.Passed e) {
            stopped = true;
        }
    }

    private void takeName(String file, int needed) {
        String name = file.substring(file.lastIndexOf('/') + 1);
        if (wordsIn(name.toLowerCase(Locale.ROOT)) >= needed) {
            int dot = name.lastIndexOf('.');
            int score = score(dot < 0 ? name : name.substring(0, dot));
            add(new Hit(Rank.FILE, TreeWalk.shown(file), 0, "file", "", score));
        }
    }

    /** What lines of a file are about, and how many lines had to be looked at. */
    private record Places(List<Hit> hits, int lines) {}

    /** Returns whether to go on: not if the words are everywhere and enough is defined by them. */
    private boolean addAll(Places places) {
        places.hits().forEach(this::add);
        files++;
        lines += places.lines();
        int defined = hits.getOrDefault(Rank.DEFINITION, List.of()).size();
        int found = hits.values().stream().mapToInt(List::size).sum();
        isDefined |= places.hits().stream().anyMatch(hit -> hit.score() >= VERY_NAME);
        cut =
                lines > MOST_LINES && isDefined && defined >= wanted
                        || lines > 5 * MOST_LINES && found >= wanted;
        return !cut;
    }

    private Places places(TreeWalk.Entry file, FileMatches found, int needed) {
        if (found.state() == FileMatches.State.STOPPED) {
            stopped = true;
        }
        List<Hit> places = new ArrayList<>();
        try {
            rate(file, found, needed, places);
        } catch (SearchDeadline.Passed e) {
            stopped = true; // what was found until then is still good
        }
        return new Places(places, found.lines().size());
    }

    private void rate(TreeWalk.Entry file, FileMatches found, int needed, List<Hit> places) {
        Definitions definitions = Definitions.in(file.relative());
        int references = 0;
        for (FileMatches.Line line : found.lines()) {
            int present = wordsIn(line.text().toLowerCase(Locale.ROOT));
            if (present < needed) {
                continue;
            }
            Optional<Definitions.Definition> defined =
                    definitions.all(line.text(), deadline).stream()
                            .filter(d -> wordsIn(d.name().toLowerCase(Locale.ROOT)) >= needed)
                            .max(Comparator.comparingInt(d -> score(d.name())));
            if (defined.isPresent()) {
                places.add(definition(file, line, defined.get()));
            } else if (++references <= REFERENCES_IN_FILE) {
                int score = present * 10 + (holdsName(line.text()) ? 5 : 0) + ofOwner(file, line);
                String text = line.text().strip();
                places.add(
                        new Hit(
                                Rank.REFERENCE,
                                file.shown(),
                                line.number(),
                                "reference",
                                text,
                                score));
            }
        }
    }

    private Hit definition(
            TreeWalk.Entry file, FileMatches.Line line, Definitions.Definition defined) {
        return new Hit(
                Rank.DEFINITION,
                file.shown(),
                line.number(),
                defined.kind(),
                line.text().strip(),
                score(defined.name()) + ofOwner(file, line));
    }

    /** What a place is worth more because it tells the owner that was asked for. */
    private int ofOwner(TreeWalk.Entry file, FileMatches.Line line) {
        boolean told =
                !owner.isEmpty()
                        && (line.text().toLowerCase(Locale.ROOT).contains(owner)
                                || file.relative().toLowerCase(Locale.ROOT).contains(owner));
        return told ? OF_OWNER : 0;
    }

    /** How well a name fits: the very name, then one with more words in it. */
    private int score(String name) {
        List<String> parts = Words.of(name);
        String joined = String.join("", parts);
        if (joined.equals(whole)) {
            return VERY_NAME + 1; // also where a word of it could be a kind, as in "union find"
        }
        if (joined.equals(named)) {
            return VERY_NAME;
        }
        int same = (int) words.stream().filter(parts::contains).count();
        int part = wordsIn(name.toLowerCase(Locale.ROOT));
        return same * 100 + part * 50 - Math.min(parts.size(), 40);
    }

    private boolean holdsName(String line) {
        return line.replace("_", "").replace("-", "").toLowerCase(Locale.ROOT).contains(named);
    }

    private int wordsIn(String lowerCase) {
        int present = 0;
        for (String word : words) {
            present += lowerCase.contains(word) ? 1 : 0;
        }
        return present;
    }

    private void add(Hit hit) {
        List<Hit> list = hits.get(hit.rank());
        if (list == null) {
            return;
        }
        list.add(hit);
        if (list.size() > wanted * KEPT) {
            List<Hit> best = sorted(hit.rank()).subList(0, wanted);
            hits.put(hit.rank(), new ArrayList<>(best));
            dropped = true;
        }
    }

    /** Equals stay in the order of the walk. */
    private List<Hit> sorted(Rank rank) {
        return hits.getOrDefault(rank, List.of()).stream()
                .sorted(Comparator.comparingInt(Hit::score).reversed())
                .toList();
    }
}
