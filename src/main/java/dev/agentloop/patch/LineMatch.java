package dev.agentloop.patch;

import dev.agentloop.edit.Indentation;
import dev.agentloop.edit.LineStyle;
import dev.agentloop.edit.Typography;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether the old lines of a hunk are those at a place of a file, with growing tolerance. */
enum LineMatch {
    EXACT(""),
    TRAILING_BLANKS("ignoring blanks at line ends"),
    INDENTATION("with another indentation, to which the new lines were fitted"),
    TYPOGRAPHY("ignoring the kind of quotes, dashes and blanks");

    private final String words;

    LineMatch(String words) {
        this.words = words;
    }

    /** For the result; empty if nothing was ignored. */
    String words() {
        return words;
    }

    /** How new lines are written at this place; empty if it is not the place. */
    Optional<LineStyle> at(List<String> file, List<Hunk.Line> old) {
        return switch (this) {
            case EXACT -> all(file, old, LineStyle.AS_SENT);
            case TRAILING_BLANKS -> all(file, old, LineStyle.AS_SENT);
            case TYPOGRAPHY -> all(file, old, LineStyle.SIGNS_KEPT);
            case INDENTATION ->
                    Indentation.between(file, texts(old, false))
                            .or(() -> Indentation.between(file, texts(old, true)));
        };
    }

    /** Quickly, whether the first old line of a hunk may be this one. */
    boolean mayStart(String file, Hunk.Line first) {
        if (this != INDENTATION) {
            return same(file, first);
        }
        return bareEquals(file, first.text())
                || first.kind() == Hunk.Kind.CONTEXT && bareEquals(file, first.asWritten());
    }

    /** Without copying: this is asked of every line of a file. */
    private static boolean bareEquals(String one, String other) {
        int start = textStart(one);
        int from = textStart(other);
        int length = Math.max(0, textEnd(one) - start);
        return length == Math.max(0, textEnd(other) - from)
                && one.regionMatches(start, other, from, length);
    }

    private static int textStart(String line) {
        int start = 0;
        while (start < line.length() && (line.charAt(start) == ' ' || line.charAt(start) == '\t')) {
            start++;
        }
        return start;
    }

    private static int textEnd(String line) {
        int end = line.length();
        while (end > 0 && (line.charAt(end - 1) == ' ' || line.charAt(end - 1) == '\t')) {
            end--;
        }
        return end;
    }

    private Optional<LineStyle> all(List<String> file, List<Hunk.Line> old, LineStyle style) {
        for (int i = 0; i < old.size(); i++) {
            if (!same(file.get(i), old.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(style);
    }

    /** A context line may have been written without its leading blank. */
    private boolean same(String file, Hunk.Line line) {
        return same(file, line.text())
                || line.kind() == Hunk.Kind.CONTEXT && same(file, line.asWritten());
    }

    private boolean same(String file, String sent) {
        return switch (this) {
            case EXACT -> file.equals(sent);
            case TRAILING_BLANKS, INDENTATION -> trimmed(file).equals(trimmed(sent));
            case TYPOGRAPHY ->
                    Typography.plain(trimmed(file)).equals(Typography.plain(trimmed(sent)));
        };
    }

    private static List<String> texts(List<Hunk.Line> old, boolean asWritten) {
        List<String> texts = new ArrayList<>();
        for (Hunk.Line line : old) {
            boolean whole = asWritten && line.kind() == Hunk.Kind.CONTEXT;
            texts.add(whole ? line.asWritten() : line.text());
        }
        return texts;
    }

    private static String trimmed(String line) {
        return line.substring(0, textEnd(line));
    }
}
