package dev.agentloop.patch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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

    /** Reads a patch, whatever its form and its line ends; fences around it are left out. */
    public static Patch parse(String text) throws PatchException {
        List<String> lines = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            lines.add(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
        }
        if (!lines.isEmpty() && lines.getLast().isEmpty()) {
            lines.removeLast();
        }
        boolean marked = lines.stream().anyMatch(line -> isSection(directive(line)));
        Patch patch = marked ? new MarkedPatch(lines).read() : new UnifiedPatch(lines).read();
        if (patch.sections().isEmpty()) {
            throw new PatchException(
                    "The patch names no file. Begin with *** Begin Patch and *** Update File: PATH,"
                            + " or write a unified diff with --- and +++ lines.");
        }
        return patch;
    }

    private static boolean isSection(String directive) {
        return directive.endsWith("file:");
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

    /** What stands behind the colon of a directive. */
    static String argument(String line) {
        return line.substring(line.indexOf(':') + 1).strip();
    }

    /** The heading of a {@code @@} line, its numbers left out; empty if it has none. */
    static String heading(String line) {
        String rest = line.substring(2);
        Optional<HunkNumbers> numbers = HunkNumbers.of(line);
        if (numbers.isPresent()) {
            rest = rest.substring(rest.indexOf("@@") + 2);
        }
        String heading = rest.strip();
        return heading.endsWith("@@")
                ? heading.substring(0, heading.length() - 2).strip()
                : heading;
    }

    /** A line of a hunk by its sign; one without a sign is taken for context. */
    static Hunk.Line line(String written) {
        char sign = written.isEmpty() ? '\0' : written.charAt(0);
        return switch (sign) {
            case '+' -> new Hunk.Line(Hunk.Kind.ADDED, written.substring(1), written, false);
            case '-' -> new Hunk.Line(Hunk.Kind.REMOVED, written.substring(1), written, false);
            case ' ' -> new Hunk.Line(Hunk.Kind.CONTEXT, written.substring(1), written, false);
            default -> new Hunk.Line(Hunk.Kind.CONTEXT, written, written, false);
        };
    }

    /** {@code \ No newline at end of file}: the line before has no end. */
    static boolean markNoNewline(List<Hunk.Line> lines, String written) {
        if (!written.startsWith("\\ ") || lines.isEmpty()) {
            return false;
        }
        lines.set(lines.size() - 1, lines.getLast().withoutNewline());
        return true;
    }
}
