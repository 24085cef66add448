package dev.agentloop.patch;

import java.util.Locale;

/** Reads the two forms of patches: Begin/End Patch, and unified diffs with git's additions. */
public final class PatchParser {
    private static final String[] DIRECTIVES = {
        "begin patch",
        "end patch",
        "add file:",
        "delete file:",
        "update file:",
        "move to:",
        "end of file"
    };

    private PatchParser() {}

    /**
     * Reads a patch, whatever its form and its line ends. Nothing of it is left out silently: a
     * line that belongs to no file is refused if it could be meant as a change.
     */
    public static Patch parse(String text) throws PatchException {
        PatchText source = PatchText.of(text);
        boolean marked =
                source.lines().stream().anyMatch(line -> directive(line).endsWith("file:"));
        Patch patch = marked ? new MarkedPatch(source).read() : new UnifiedPatch(source).read();
        if (patch.sections().isEmpty()) {
            throw new PatchException(
                    "The patch names no file. Begin with *** Begin Patch and *** Update File: PATH,"
                            + " or write a unified diff with --- and +++ lines.");
        }
        return patch;
    }

    /** The directive that a line is, in lower case; empty for any other line. */
    static String directive(String line) {
        if (!line.startsWith("***")) {
            return "";
        }
        String words = line.substring(3).strip().toLowerCase(Locale.ROOT);
        for (String directive : DIRECTIVES) {
            boolean named = directive.endsWith(":");
            if (named ? words.startsWith(directive) : words.equals(directive)) {
                return directive;
            }
        }
        return "";
    }

    /** What stands behind the colon of a directive, without quotes around it. */
    static String argument(String line) {
        String path = line.substring(line.indexOf(':') + 1).strip();
        char first = path.isEmpty() ? ' ' : path.charAt(0);
        boolean quoted =
                path.length() > 2 && (first == '"' || first == '`') && path.endsWith("" + first);
        return quoted ? path.substring(1, path.length() - 1) : path;
    }

    static PatchException stray(int at, String line) {
        return new PatchException(
                "Line %d of the patch belongs to no hunk of a file: %s. Nothing was changed."
                        .formatted(at + 1, line.strip()));
    }
}
