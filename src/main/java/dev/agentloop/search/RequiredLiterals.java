package dev.agentloop.search;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Texts that every match of a regular expression must have in it, so that most lines need not be
 * looked at with the expression. What is not understood for sure has no such texts.
 *
 * @param branches one for each way to match
 * @param ignoreCase whether letters may be upper or lower case
 */
record RequiredLiterals(List<Branch> branches, boolean ignoreCase) {
    private static final int LIGHTEST = 4; // two letters; a single one is in nearly every line
    private static final int MOST = 32; // texts to look for; with more the expression is as quick

    /** What must be there, in this order. */
    record Branch(List<Part> parts) {
        private List<ByteRun> best() {
            return parts.stream()
                    .max(Comparator.comparingInt(Part::lightest))
                    .map(Part::choices)
                    .orElse(List.of());
        }
    }

    /** One of these texts. */
    record Part(List<ByteRun> choices) {
        private int lightest() {
            return choices.stream().mapToInt(ByteRun::weight).min().orElse(0);
        }
    }

    /** Empty if a match need not have any text in it that could be named. */
    static Optional<RequiredLiterals> of(String regex, boolean ignoreCase) {
        Parser parser = new Parser(regex, ignoreCase);
        try {
            List<Branch> branches = parser.alternatives(0);
            if (parser.at < regex.length()) {
                return Optional.empty();
            }
            RequiredLiterals all = new RequiredLiterals(branches, parser.ignoreCase);
            boolean useful = all.lightest() >= LIGHTEST && all.anyOf().size() <= MOST;
            return useful ? Optional.of(all) : Optional.empty();
        } catch (Unknown e) {
            return Optional.empty();
        }
    }

    /**
     * Whether what matches a line alone also matches it within a text, so that a text without a
     * match has no line with one. Not so if the expression looks around or never gives back.
     */
    static boolean holdsInText(String regex) {
        Parser parser = new Parser(regex, false);
        try {
            parser.alternatives(0);
            return parser.at == regex.length() && parser.holdsInText;
        } catch (Unknown e) {
            return false;
        }
    }

    /**
     * An expression for ripgrep that matches every line which this one matches, and perhaps others;
     * empty if there is none.
     */
    static Optional<String> relaxed(String regex, boolean ignoreCase) {
        Parser parser = new Parser(regex, ignoreCase);
        try {
            parser.alternatives(0);
            String all = (parser.ignoreCase ? "(?i)" : "") + parser.relaxed;
            return parser.at < regex.length() ? Optional.empty() : Optional.of(all);
        } catch (Unknown e) {
            return Optional.empty();
        }
    }

    /** One of these must be in every line that matches. */
    List<ByteRun> anyOf() {
        return branches.stream().flatMap(branch -> branch.best().stream()).distinct().toList();
    }

    /** The same as texts; empty if a place of one of them may be one of several bytes. */
    Optional<List<String>> texts() {
        return ignoreCase || anyOf().stream().anyMatch(run -> !run.isText())
                ? Optional.empty()
                : Optional.of(anyOf().stream().map(ByteRun::text).toList());
    }

    /** The weight of the lightest of {@link #anyOf}; 0 if a branch has none. */
    private int lightest() {
        return branches.stream().mapToInt(b -> new Part(b.best()).lightest()).min().orElse(0);
    }

    /** The expression has something in it that is not understood. */
    private static final class Unknown extends Exception {
        private static final long serialVersionUID = 1L;

        Unknown() {
            super("", null, false, false);
        }
    }

    /** Reads the syntax of {@link java.util.regex.Pattern}, as far as models write it. */
    private static final class Parser {
        private static final int MAX_DEPTH = 50;
        private static final String ONE_CHARACTER = "wWdDsShHvVRX";
        private static final String CONTROL = "tnrfae";
        private static final Pattern WORD_BEFORE =
                Pattern.compile("(?:(?:^|[^\\\\\\w])\\w+|(?<!\\\\)\\[[\\w-]+\\])$");
        private static final Pattern WORD_BEHIND = Pattern.compile("\\w(?![*?{])");
        private static final String BOUNDARY = "bBAzZG";
        private static final String SAME_OR_MORE = "wds"; // ripgrep asks Unicode, Java ASCII
        private static final String END = // our lines have no \r; Java has more line ends
                "(?:\\r|(?-u:[\\x80-\\xff]))*$";
        private static final String ANYTHING = "(?:(?-u:[^\\n])+)"; // bytes: also what is not UTF-8

        private final String regex;
        private boolean ignoreCase;
        private boolean holdsInText = true;
        private final StringBuilder relaxed = new StringBuilder();
        private int at;
        private int times; // what stands before the place is there, at least

        Parser(String regex, boolean ignoreCase) {
            this.regex = regex;
            this.ignoreCase = ignoreCase;
            int end = regex.startsWith("(?") ? regex.indexOf(')') : -1;
            if (end > 2 && regex.substring(2, end).chars().allMatch(c -> "ims".indexOf(c) >= 0)) {
                this.ignoreCase |= regex.substring(2, end).indexOf('i') >= 0;
                this.at = end + 1;
            }
        }

        List<Branch> alternatives(int depth) throws Unknown {
            if (depth > MAX_DEPTH) {
                throw new Unknown();
            }
            List<Branch> all = new ArrayList<>();
            all.add(new Branch(new Sequence().read(depth)));
            while (isNext('|')) {
                relaxed.append('|');
                all.add(new Branch(new Sequence().read(depth)));
            }
            return all;
        }

        /**
         * Whether the boundary just read has a letter or digit of ASCII beside it. Then ripgrep
         * sees one wherever Java does, which takes a letter with its accents for one character.
         */
        private boolean isBesideWord() {
            return WORD_BEFORE.matcher(regex.substring(0, at - 2)).find()
                    || WORD_BEHIND.matcher(regex.substring(at)).lookingAt();
        }

        private boolean isNext(char c) {
            boolean is = at < regex.length() && regex.charAt(at) == c;
            at += is ? 1 : 0;
            return is;
        }

        private char next() throws Unknown {
            if (at >= regex.length()) {
                throw new Unknown();
            }
            return regex.charAt(at++);
        }

        /** One alternative of the expression, part by part. */
        private final class Sequence {
            private final List<Part> parts = new ArrayList<>();
            private final List<BitSet> run = new ArrayList<>();

            List<Part> read(int depth) throws Unknown {
                while (at < regex.length() && "|)".indexOf(regex.charAt(at)) < 0) {
                    char c = next();
                    switch (c) {
                        case '\\' -> escape(next());
                        case '[' -> skipClass();
                        case '(' -> group(depth);
                        case '^', '$' -> {
                            relaxed.append(c == '^' ? "^" : END);
                            flush();
                        }
                        case '.' -> gap(ANYTHING);
                        case '*', '+', '?', '{' -> throw new Unknown();
                        default -> literal(c);
                    }
                }
                flush();
                return parts;
            }

            private void literal(char c) throws Unknown {
                if (c > 126 || c < ' ') {
                    gap(ANYTHING); // not the same bytes in all encodings, or not in a line
                    return;
                }
                relaxed.append(
                        ignoreCase && (c == 'i' || c == 'I') ? "[i\u0131\u0130]" : quoted(c));
                oneOf(ByteRun.one(c));
            }

            /** One byte of a set stands here, or several. */
            private void oneOf(BitSet set) throws Unknown {
                Repeat repeat = repeat();
                int sure = repeat == Repeat.MAYBE_NONE ? 0 : Math.min(times, ByteRun.LONGEST);
                for (int i = 0; i < sure; i++) {
                    run.add(set);
                }
                if (repeat != Repeat.EXACTLY || sure < times) {
                    flush();
                }
            }

            private void escape(char c) throws Unknown {
                if (BOUNDARY.indexOf(c) >= 0) {
                    holdsInText &= c == 'b' || c == 'B';
                    flush();
                    relaxed.append(c == 'b' && isBesideWord() ? "(?-u:\\b)" : "");
                } else if (ONE_CHARACTER.indexOf(c) >= 0 || CONTROL.indexOf(c) >= 0) {
                    if (c == 'd') {
                        relaxed.append("\\d");
                        oneOf(ByteRun.range('0', '9'));
                    } else {
                        gap(SAME_OR_MORE.indexOf(c) >= 0 ? "\\" + c : ANYTHING);
                    }
                } else if (c == 'p' || c == 'P') {
                    if (next() == '{') {
                        at = regex.indexOf('}', at) + 1;
                    }
                    gap(ANYTHING);
                } else if (c > 126 || Character.isLetterOrDigit(c)) {
                    throw new Unknown();
                } else {
                    literal(c);
                }
            }

            /** No certain character stands here. */
            private void gap(String forRipgrep) throws Unknown {
                flush();
                relaxed.append(forRipgrep);
                repeat();
            }

            private void flush() {
                if (!run.isEmpty()) {
                    parts.add(new Part(List.of(ByteRun.trimmed(run))));
                    run.clear();
                }
            }

            private void skipClass() throws Unknown {
                int start = at;
                isNext('^');
                if (isNext(']')) {
                    throw new Unknown(); // a member or the end, depending on what follows
                }
                for (int depth = 1; depth > 0; ) {
                    char c = next();
                    if (c == '\\' && next() == 'Q') {
                        throw new Unknown();
                    }
                    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
                }
                String inside = regex.substring(start, at - 1);
                boolean simple =
                        inside.chars().allMatch(c -> c < 127 && isWordOrBlank(c))
                                && !inside.contains("--"); // a difference of sets in Rust
                if (simple && !inside.isEmpty()) {
                    relaxed.append(ignoreCase ? ANYTHING : "[" + inside + "]");
                    oneOf(members(inside));
                } else {
                    gap(ANYTHING);
                }
            }

            /** Of a class without escapes; a dash at an end is one of them. */
            private static BitSet members(String inside) {
                BitSet set = new BitSet();
                for (int i = 0; i < inside.length(); i++) {
                    boolean range = i + 2 < inside.length() && inside.charAt(i + 1) == '-';
                    int end = range ? i + 2 : i;
                    set.set(inside.charAt(i), inside.charAt(end) + 1);
                    i = end;
                }
                return set;
            }

            private static boolean isWordOrBlank(int c) {
                return Character.isLetterOrDigit(c) || "_ -".indexOf(c) >= 0;
            }

            private static String quoted(char c) {
                return Character.isLetterOrDigit(c) || "_ -/,:;'\"=@%<>!`".indexOf(c) >= 0
                        ? String.valueOf(c)
                        : "\\" + c;
            }

            private void group(int depth) throws Unknown {
                flush();
                int before = relaxed.length();
                relaxed.append("(?:");
                boolean looksAround = false;
                if (isNext('?')) {
                    char kind = next();
                    looksAround =
                            kind == '='
                                    || kind == '!'
                                    || kind == '<' && (isNext('=') || isNext('!'));
                    if (kind == '<' && !looksAround) {
                        at = regex.indexOf('>', at) + 1;
                    } else if (":><=!".indexOf(kind) < 0) {
                        throw new Unknown();
                    }
                    holdsInText &= !looksAround && kind != '>';
                }
                List<Branch> inside = alternatives(depth + 1);
                if (next() != ')') {
                    throw new Unknown();
                }
                relaxed.append(')');
                boolean isThere = repeat() != Repeat.MAYBE_NONE;
                if (looksAround) {
                    relaxed.setLength(before);
                } else if (isThere) {
                    add(inside);
                }
            }

            private void add(List<Branch> inside) {
                if (inside.size() == 1) {
                    parts.addAll(inside.getFirst().parts());
                } else if (inside.stream().noneMatch(branch -> branch.best().isEmpty())) {
                    parts.add(new Part(inside.stream().flatMap(b -> b.best().stream()).toList()));
                }
            }

            private Repeat repeat() throws Unknown {
                int start = at;
                Repeat repeat = Repeat.EXACTLY;
                times = 1;
                if (isNext('*') || isNext('?')) {
                    repeat = Repeat.MAYBE_NONE;
                } else if (isNext('+')) {
                    repeat = Repeat.MORE;
                } else if (isNext('{')) {
                    int end = regex.indexOf('}', at);
                    String[] bounds = regex.substring(at, end).split(",", 2);
                    times = Integer.parseInt(bounds[0]);
                    boolean some = bounds.length > 1;
                    repeat = times == 0 ? Repeat.MAYBE_NONE : some ? Repeat.MORE : Repeat.EXACTLY;
                    at = end + 1;
                }
                relaxed.append(regex, start, at);
                if (at > start && !isNext('?')) {
                    holdsInText &= !isNext('+');
                }
                return repeat;
            }
        }

        private enum Repeat {
            EXACTLY,
            MORE,
            MAYBE_NONE
        }
    }
}
