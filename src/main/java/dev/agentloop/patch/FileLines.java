package dev.agentloop.patch;

import dev.agentloop.edit.LineEnds;
import java.util.List;

/** A text by its lines, with the place and the end of each. */
final class FileLines {
    private final String text;
    private final List<String> lines;
    private final int[] starts;

    FileLines(String text) {
        this.text = text;
        this.lines = LineEnds.lines(text);
        this.starts = new int[lines.size() + 1];
        int at = 0;
        for (int i = 0; i < lines.size(); i++) {
            starts[i] = at;
            int feed = text.indexOf('\n', at);
            at = feed < 0 ? text.length() : feed + 1;
        }
        starts[lines.size()] = text.length();
    }

    /** The lines of the file without their line ends. */
    List<String> lines() {
        return lines;
    }

    int size() {
        return lines.size();
    }

    /** First character of a line; that behind the text for the line after the last. */
    int start(int line) {
        return starts[line];
    }

    boolean endsWithoutNewline() {
        return !text.isEmpty() && !text.endsWith("\n");
    }

    /** How the line ends; empty for a last one without an end. */
    String end(int line) {
        return text.substring(starts[line] + lines.get(line).length(), starts[line + 1]);
    }

    /** How lines end around this one; a line feed in a text that has no line end. */
    String usualEnd(int line) {
        for (int near : new int[] {line - 1, line, line + 1}) {
            if (near >= 0 && near < lines.size() && !end(near).isEmpty()) {
                return end(near);
            }
        }
        return "\n";
    }
}
