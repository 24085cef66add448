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

    /** What two lines must share to be taken for equal. */
    String key(String line) {
        return switch (this) {
            case EXACT -> line;
            case TRAILING_BLANKS -> line.stripTrailing();
            case INDENTATION -> line.strip();
            case TYPOGRAPHY -> Typography.plain(line).stripTrailing();
        };
    }

    /** How new lines are written where these lines of a file have the keys of the old ones. */
    Optional<LineStyle> style(List<String> file, List<Hunk.Line> old) {
        return switch (this) {
            case EXACT, TRAILING_BLANKS -> Optional.of(LineStyle.AS_SENT);
            case TYPOGRAPHY -> Optional.of(LineStyle.SIGNS_KEPT);
            case INDENTATION ->
                    Indentation.between(file, texts(old, false))
                            .or(() -> Indentation.between(file, texts(old, true)));
        };
    }

    /** A context line may have been written without its leading blank. */
    private static List<String> texts(List<Hunk.Line> old, boolean asWritten) {
        List<String> texts = new ArrayList<>();
        for (Hunk.Line line : old) {
            boolean whole = asWritten && line.kind() == Hunk.Kind.CONTEXT;
            texts.add(whole ? line.asWritten() : line.text());
        }
        return texts;
    }
}
