package dev.agentloop.search.ignore;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Tells ignore files that ripgrep reads as git does. ripgrep also knows choices in braces, other
 * brackets and escapes; what is not known to mean the same counts as different.
 */
public final class CommonIgnores {
    private static final int MAX_BYTES = 64 * 1024;
    private static final String SET = "\\[(?:0-9|a-z|A-Z|[A-Za-z0-9])+\\]";
    private static final String NAME =
            "(?:[A-Za-z0-9_.~+@=?-]|" + SET + "|\\\\?#|(?<!\\*)\\*(?!\\*))+";
    private static final Pattern LINE =
            Pattern.compile("#.*|!?(?:\\*\\*/|/)?" + NAME + "(?:/" + NAME + ")*(?:/|/\\*\\*)?|");

    private static final List<String> PACKAGES = List.of("node_modules", "target", "__pycache__");

    private CommonIgnores() {}

    /**
     * Whether the rules of the folders above {@code start}, or of its repository, may bring back
     * what we leave out by ourselves. ripgrep is not told of them: all else in them is left to us.
     */
    public static boolean returnAround(Path start) throws IOException {
        for (Path file : around(start)) {
            if (bringsBack(file)) {
                return true;
            }
        }
        return false;
    }

    /** Files with rules above the folder; ripgrep reads and lists the one inside. */
    private static List<Path> around(Path start) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (!folder.equals(start)) {
                files.add(folder.resolve(".gitignore"));
            }
            if (IgnoreRules.isRepository(folder)) {
                files.add(RepositoryFiles.of(folder).resolve("info/exclude"));
                break;
            }
        }
        files.removeIf(file -> !Files.exists(file, LinkOption.NOFOLLOW_LINKS));
        return files;
    }

    /**
     * Whether the file means the same to both; a link is not read by us.
     *
     * @param allAscii whether all names in the tree are ASCII: a question mark stands for a byte in
     *     git and for a character in ripgrep
     */
    public static boolean isCommon(Path file, boolean allAscii) throws IOException {
        Optional<String> text = text(file);
        return text.isPresent()
                && text.get()
                        .lines()
                        .allMatch(line ->
                                LINE.matcher(line).matches()
                                        && (allAscii || line.indexOf('?') < 0)
                                        && !mayReturn(line));
    }

    /** Whether the file may bring back what we leave out by ourselves. */
    public static boolean bringsBack(Path file) throws IOException {
        Optional<String> text = text(file);
        return text.isEmpty() || text.get().lines().anyMatch(CommonIgnores::mayReturn);
    }

    private static boolean mayReturn(String line) {
        if (!line.startsWith("!")) {
            return false;
        }
        String pattern = line.substring(1).strip();
        String name = pattern.endsWith("/") ? pattern.substring(0, pattern.length() - 1) : pattern;
        boolean wild = name.chars().anyMatch(c -> "*?[\\".indexOf(c) >= 0);
        return PACKAGES.stream().anyMatch(name::contains)
                || wild && name.indexOf('/') >= 0 // wherever that leads
                || wild && PACKAGES.stream().anyMatch(each -> Wildmatch.of(name).matches(each));
    }

    private static Optional<String> text(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MAX_BYTES) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES);
            return Optional.of(new String(bytes, StandardCharsets.ISO_8859_1));
        }
    }
}
