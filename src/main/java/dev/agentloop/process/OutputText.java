package dev.agentloop.process;

import java.util.regex.Pattern;

/**
 * Makes the output of a program readable: no escape sequences, no control characters, progress bars
 * reduced to their last state, endless lines cut.
 */
public final class OutputText {
    private static final int MAX_LINE = 2_000; // characters; progress bars and minified code
    private static final Pattern ESCAPES =
            Pattern.compile(
                    "(?:\\x1B\\[|\\x9B)[0-?]*+[ -/]*+[@-~]" // colours, cursor
                            + "|\\x1B\\][^\\x07\\x1B]*+(?:\\x07|\\x1B\\\\)?" // titles, links
                            + "|\\x1B[PX^_][^\\x1B]*+(?:\\x1B\\\\)?"
                            + "|\\x1B[ -/]*+[0-~]?");

    private OutputText() {}

    /** The text as a person would have seen it in the end. */
    public static String clean(String raw) {
        if (isPlain(raw)) {
            return raw;
        }
        String text =
                raw.indexOf('\u001B') < 0 && raw.indexOf('\u009B') < 0
                        ? raw
                        : ESCAPES.matcher(raw).replaceAll("");
        StringBuilder clean = new StringBuilder(text.length());
        int start = 0;
        while (start <= text.length()) {
            int end = text.indexOf('\n', start);
            addLine(clean, text.substring(start, end < 0 ? text.length() : end));
            if (end < 0) {
                break;
            }
            clean.append('\n');
            start = end + 1;
        }
        return clean.toString();
    }

    /** The first line, for a list. */
    static String line(String text, int most) {
        String first = clean(text).strip().lines().findFirst().orElse("");
        boolean whole = first.length() <= most && first.length() == text.strip().length();
        return whole ? first : first.substring(0, Math.min(most, first.length())) + "…";
    }

    private static boolean isPlain(String text) {
        int lineStart = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                lineStart = i + 1;
            } else if (isControl(c) || i - lineStart >= MAX_LINE) {
                return false;
            }
        }
        return true;
    }

    private static void addLine(StringBuilder clean, String line) {
        String shown = withoutControls(lastState(line));
        if (shown.length() <= MAX_LINE) {
            clean.append(shown);
            return;
        }
        int end = Character.isHighSurrogate(shown.charAt(MAX_LINE - 1)) ? MAX_LINE - 1 : MAX_LINE;
        clean.append(shown, 0, end);
        clean.append("[… ").append(shown.length() - end).append(" characters left out]");
    }

    /** A carriage return starts the line anew; at the end of a line it says nothing. */
    private static String lastState(String line) {
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == '\r') {
            end--;
        }
        return line.substring(line.lastIndexOf('\r', end - 1) + 1, end);
    }

    private static String withoutControls(String line) {
        StringBuilder kept = null;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (isControl(c) && kept == null) {
                kept = new StringBuilder(line.length()).append(line, 0, i);
            }
            if (kept == null) {
                continue;
            }
            if (c == '\b' && !kept.isEmpty()) {
                kept.setLength(kept.length() - 1); // overstrike, as in manual pages
            } else if (!isControl(c)) {
                kept.append(c);
            }
        }
        return kept == null ? line : kept.toString();
    }

    private static boolean isControl(char c) {
        return c != '\t' && Character.isISOControl(c);
    }
}
