package dev.agentloop.search.ignore;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The patterns of one ignore file, read as git reads them. */
final class IgnoreFile {
    private static final IgnoreFile EMPTY = new IgnoreFile(List.of());
    private static final int MAX_BYTES = 1024 * 1024; // an ignore file is written by people
    private static final char ANY = '/'; // no name ends with it
    private static final String MARK = "\u00EF\u00BB\u00BF"; // UTF-8's, as bytes

    /** By the last byte of a name: the rules that may match such a name, the strongest first. */
    private final Map<Character, List<Rule>> byLastByte = new HashMap<>();

    private final List<Rule> anyLastByte; // rules that may match a name with any other last byte

    /**
     * @param rules the strongest last
     */
    private IgnoreFile(List<Rule> rules) {
        List<Rule> strongestFirst = rules.reversed();
        this.anyLastByte = strongestFirst.stream().filter(rule -> rule.last() == ANY).toList();
        for (Rule rule : rules) {
            if (rule.last() != ANY) {
                byLastByte.computeIfAbsent(
                        rule.last(),
                        last ->
                                strongestFirst.stream()
                                        .filter(each -> each.last() == ANY || each.last() == last)
                                        .toList());
            }
        }
    }

    /**
     * One line.
     *
     * @param last the byte that every name ends with which it matches, or {@link #ANY}
     * @param nameOnly whether it speaks about the last part of a path
     */
    private record Rule(
            Wildmatch pattern,
            char last,
            String suffix,
            boolean negated,
            boolean folderOnly,
            boolean nameOnly) {

        boolean matches(String path, int skipped, String name, boolean folder) {
            if (folderOnly && !folder) {
                return false;
            }
            if (nameOnly) {
                return suffix.isEmpty() ? pattern.matches(name) : name.endsWith(suffix);
            }
            return pattern.matches(path.substring(skipped));
        }
    }

    /** Empty if there is no such file; a link or a device is none. */
    static IgnoreFile read(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || !Files.isReadable(file)) {
            return EMPTY;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return of(FileBytes.ofBytes(in.readNBytes(MAX_BYTES)));
        }
    }

    /**
     * @param text as bytes
     */
    static IgnoreFile of(String text) {
        List<Rule> rules = new ArrayList<>();
        int from = text.startsWith(MARK) ? MARK.length() : 0;
        while (from < text.length()) {
            int feed = text.indexOf('\n', from);
            int end = feed < 0 ? text.length() : feed;
            String line = text.substring(from, end);
            if (!line.startsWith("#")) {
                add(rules, line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
            }
            from = end + 1;
        }
        return rules.isEmpty() ? EMPTY : new IgnoreFile(rules);
    }

    boolean isEmpty() {
        return anyLastByte.isEmpty() && byLastByte.isEmpty();
    }

    /**
     * Whether the path is ignored; null if no rule speaks about it. The last one that does wins.
     *
     * @param skipped how much of the path leads to the file's folder
     * @param name the last part of the path
     */
    @Nullable Boolean verdict(String path, int skipped, String name, boolean folder) {
        for (Rule rule : byLastByte.getOrDefault(name.charAt(name.length() - 1), anyLastByte)) {
            if (rule.matches(path, skipped, name, folder)) {
                return !rule.negated();
            }
        }
        return null;
    }

    private static void add(List<Rule> rules, String line) {
        int nul = line.indexOf('\0'); // the end of a text for git
        String glob = withoutBlanksAtTheEnd(nul < 0 ? line : line.substring(0, nul));
        boolean negated = glob.startsWith("!");
        glob = negated ? glob.substring(1) : glob;
        boolean folderOnly = glob.endsWith("/");
        glob = folderOnly ? glob.substring(0, glob.length() - 1) : glob;
        boolean nameOnly = glob.indexOf('/') < 0;
        glob = glob.startsWith("/") ? glob.substring(1) : glob;
        if (!glob.isEmpty()) {
            Wildmatch pattern = Wildmatch.of(glob);
            rules.add(new Rule(pattern, last(glob), suffix(glob), negated, folderOnly, nameOnly));
        }
    }

    /** The byte that the pattern ends with, if it stands for itself. */
    private static char last(String glob) {
        char last = glob.charAt(glob.length() - 1);
        return last != ']' && Wildmatch.isPlain(String.valueOf(last)) ? last : ANY;
    }

    /** What follows the star if that is all; most patterns are of this kind. */
    private static String suffix(String glob) {
        boolean simple = glob.startsWith("*") && Wildmatch.isPlain(glob.substring(1));
        return simple ? glob.substring(1) : "";
    }

    /** Blanks behind a backslash stay. */
    private static String withoutBlanksAtTheEnd(String line) {
        int end = -1; // the first of the blanks so far
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) != ' ') {
                end = -1;
                i += line.charAt(i) == '\\' ? 1 : 0;
            } else if (end < 0) {
                end = i;
            }
        }
        return end < 0 ? line : line.substring(0, end);
    }
}
