package dev.agentloop.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Texts that every match of a regular expression must have in it, so that most lines need not be
 * looked at with the expression. What is not understood for sure has no such texts.
 *
 * @param branches one for each way to match
 * @param ignoreCase whether letters may be upper or lower case
 */
record RequiredLiterals(List<Branch> branches, boolean ignoreCase) {
    private static final int SHORTEST = 2; // a single letter is in nearly every line
    private static final int MOST = 32; // texts to look for; with more the expression is as quick

    /** What must be there, in this order. */
    record Branch(List<Part> parts) {
        private List<String> best() {
            return parts.stream()
                    .max(Comparator.comparingInt(Part::shortest))
                    .map(Part::choices)
                    .orElse(List.of());
        }
    }

    /** One of these texts. */
    record Part(List<String> choices) {
        private int shortest() {
            return choices.stream().mapToInt(String::length).min().orElse(0);
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
            boolean useful = all.shortest() >= SHORTEST && all.anyOf().size() <= MOST;
            return useful ? Optional.of(all) : Optional.empty();
        } catch (Unknown e) {
            return Optional.empty();
        }
    }

    /** One of these must be in every line that matches. */
    List<String> anyOf() {
        return branches.stream().flatMap(branch -> branch.best().stream()).distinct().toList();
    }

    /** The length of the shortest of {@link #anyOf}; 0 if a branch has none. */
    int shortest() {
        return branches.stream().mapToInt(b -> new Part(b.best()).shortest()).min().orElse(0);
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
        private static final String BOUNDARY = "bBAzZG";

        private final String regex;
        private boolean ignoreCase;
        private int at;

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
            do {
                all.add(new Branch(new Sequence().read(depth)));
            } while (isNext('|'));
            return all;
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

        /** One branch. */
        private final class Sequence {
            private final List<Part> parts = new ArrayList<>();
            private final StringBuilder run = new StringBuilder();

            List<Part> read(int depth) throws Unknown {
                while (at < regex.length() && "|)".indexOf(regex.charAt(at)) < 0) {
                    char c = next();
                    switch (c) {
                        case '\\' -> escape(next());
                        case '[' -> skipClass();
                        case '(' -> group(depth);
                        case '^', '$' -> flush();
                        case '.' -> gap();
                        case '*', '+', '?', '{' -> throw new Unknown();
                        default -> literal(c);
                    }
                }
                flush();
                return parts;
            }

            private void literal(char c) throws Unknown {
                if (c > 126 || c < ' ') {
                    gap(); // not the same bytes in all encodings, or not in a line
                    return;
                }
                Repeat repeat = repeat();
                if (repeat != Repeat.MAYBE_NONE) {
                    run.append(c);
                }
                if (repeat != Repeat.ONCE) {
                    flush();
                }
            }

            private void escape(char c) throws Unknown {
                if (BOUNDARY.indexOf(c) >= 0) {
                    flush();
                } else if (ONE_CHARACTER.indexOf(c) >= 0 || CONTROL.indexOf(c) >= 0) {
                    gap();
                } else if (c == 'p' || c == 'P') {
                    if (next() == '{') {
                        at = regex.indexOf('}', at) + 1;
                    }
                    gap();
                } else if (c > 126 || Character.isLetterOrDigit(c)) {
                    throw new Unknown();
                } else {
                    literal(c);
                }
            }

            /** Anything may stand here. */
            private void gap() throws Unknown {
                flush();
                repeat();
            }

            private void flush() {
                if (!run.isEmpty()) {
                    parts.add(new Part(List.of(run.toString())));
                    run.setLength(0);
                }
            }

            private void skipClass() throws Unknown {
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
                gap();
            }

            private void group(int depth) throws Unknown {
                flush();
                boolean looksAround = false;
                if (isNext('?')) {
                    char kind = next();
                    if (kind == '<' && (isNext('=') || isNext('!')) || kind == '=' || kind == '!') {
                        looksAround = true;
                    } else if (kind == '<') {
                        at = regex.indexOf('>', at) + 1;
                    } else if (kind != ':' && kind != '>') {
                        throw new Unknown();
                    }
                }
                List<Branch> inside = alternatives(depth + 1);
                if (next() != ')') {
                    throw new Unknown();
                }
                if (repeat() != Repeat.MAYBE_NONE && !looksAround) {
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
                Repeat repeat = Repeat.ONCE;
                if (isNext('*') || isNext('?')) {
                    repeat = Repeat.MAYBE_NONE;
                } else if (isNext('+')) {
                    repeat = Repeat.MORE;
                } else if (isNext('{')) {
                    repeat = isNext('0') ? Repeat.MAYBE_NONE : Repeat.MORE;
                    at = regex.indexOf('}', at) + 1;
                }
                if (repeat != Repeat.ONCE && !isNext('?')) {
                    isNext('+');
                }
                return repeat;
            }
        }

        private enum Repeat {
            ONCE,
            MORE,
            MAYBE_NONE
        }
    }
}
