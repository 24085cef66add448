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

    /** Texts without which no line matches. */
    Optional<RequiredLiterals> literals() {
        boolean ignoreCase = (pattern.flags() & Pattern.CASE_INSENSITIVE) != 0;
        return RequiredLiterals.of(pattern.pattern(), ignoreCase);
    }

    List<ByteSearch> searches() {
        return literals().stream()
                .flatMap(found ->
                        found.anyOf().stream()
                                .map(text -> new ByteSearch(text, found.ignoreCase())))
                .toList();
    }
}
