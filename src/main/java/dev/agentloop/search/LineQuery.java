package dev.agentloop.search;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What lines to look for, and how much of a file to bring back.
 *
 * @param context lines around a match
 * @param maxMatches of one file; a file is given up when it has more
 * @param maxChars of one file; no more matches are taken behind it
 */
public record LineQuery(Pattern pattern, int context, int maxMatches, int maxChars) {
    /** {@code (?m)}, which knows more line ends here, and repetitions that take it long to read. */
    private static final Pattern MANY_LINES_OR_TIMES =
            Pattern.compile("\\(\\?[a-zA-Z]*m|\\{\\d*,?\\d{3,}");

    private static final Pattern TEXTS =
            Pattern.compile("[A-Za-z0-9_ ]{1,60}(?:\\|[A-Za-z0-9_ ]{1,60})*");

    /** Whether the expression is a text, or one of several, and a line with it matches. */
    boolean isText() {
        return TEXTS.matcher(pattern.pattern()).matches();
    }

    /** Runs of bytes without which no line matches. */
    Optional<RequiredLiterals> literals() {
        boolean ignoreCase = (pattern.flags() & Pattern.CASE_INSENSITIVE) != 0;
        return RequiredLiterals.of(pattern.pattern(), ignoreCase);
    }

    /**
     * An expression for ripgrep, whose lines have all of ours among them; empty if there is none.
     */
    public Optional<String> forRipgrep() {
        boolean ignoreCase = (pattern.flags() & Pattern.CASE_INSENSITIVE) != 0;
        boolean otherMeaning = MANY_LINES_OR_TIMES.matcher(pattern.pattern()).find();
        return pattern.matcher("").find() || otherMeaning // or it would bring back every file
                ? Optional.empty()
                : RequiredLiterals.relaxed(pattern.pattern(), ignoreCase);
    }

    /** Matches in any text that has a line which matches; empty if there is no such expression. */
    Optional<Pattern> inText() {
        return RequiredLiterals.holdsInText(pattern.pattern())
                ? Optional.of(
                        Pattern.compile(pattern.pattern(), pattern.flags() | Pattern.MULTILINE))
                : Optional.empty();
    }

    List<ByteSearch> searches() {
        return literals().stream()
                .flatMap(found ->
                        found.anyOf().stream().map(run -> new ByteSearch(run, found.ignoreCase())))
                .toList();
    }
}
