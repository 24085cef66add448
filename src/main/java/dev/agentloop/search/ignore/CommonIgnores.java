package dev.agentloop.search.ignore;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Tells ignore files that ripgrep reads as git does. ripgrep also knows choices in braces, other
 * brackets and escapes; what is not known to mean the same counts as different.
 */
public final class CommonIgnores {
    private static final int MAX_BYTES = 64 * 1024;
    private static final String NAME =
            "(?:[A-Za-z0-9_.~+@=-]|\\[[A-Za-z0-9]+\\]|(?<!\\*)\\*(?!\\*))+";
    private static final Pattern LINE =
            Pattern.compile("#.*|!?(?:\\*\\*/|/)?" + NAME + "(?:/" + NAME + ")*(?:/|/\\*\\*)?|");

    /** What brings back what we leave out by ourselves. */
    private static final Pattern RETURN =
            Pattern.compile("!.*(?:\\*|node_modules|target|__pycache__).*");

    private CommonIgnores() {}

    /**
     * Whether the rules of the folders above {@code start} and of its repository can be left to us:
     * ripgrep is not told of them, so they must not bring back what it is told to leave out.
     */
    public static boolean areCommonAround(Path start) throws IOException {
        Path exclude = null;
        for (Path folder = start; folder != null && exclude == null; folder = folder.getParent()) {
            Path file = folder.resolve(".gitignore");
            boolean above = !folder.equals(start); // ripgrep reads and lists the one inside
            if (above && Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !isCommon(file)) {
                return false;
            }
            if (IgnoreRules.isRepository(folder)) {
                exclude = RepositoryFiles.of(folder).resolve("info/exclude");
            }
        }
        return exclude == null
                || !Files.exists(exclude, LinkOption.NOFOLLOW_LINKS)
                || isCommon(exclude);
    }

    /** Whether the file means the same to both; a link is not read by us. */
    public static boolean isCommon(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MAX_BYTES) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            String text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1);
            return text.lines()
                    .allMatch(line ->
                            LINE.matcher(line).matches() && !RETURN.matcher(line).matches());
        }
    }
}
