package dev.agentloop.tool.builtin;

import dev.agentloop.message.ToolResult;
import dev.agentloop.search.Deadline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The matches of one search, as text for the model: a file's name, then its lines. */
final class GrepMatches {
    private static final int MAX_LINE = 400; // characters shown of a line
    private static final int MAX_CHARS = 64 * 1024; // of the whole answer

    private final Pattern pattern;
    private final int around;
    private final int maxResults;
    private final Deadline deadline;
    private final StringBuilder text = new StringBuilder();
    private final List<String> notes = new ArrayList<>();
    private int results;
    private int files;
    private int tooLarge;
    private int unreadable;
    private boolean cut;

    GrepMatches(Pattern pattern, int around, int maxResults, Deadline deadline) {
        this.pattern = pattern;
        this.around = around;
        this.maxResults = maxResults;
        this.deadline = deadline;
    }

    /** Returns whether there is room for more. */
    boolean search(String file, String content) {
        files++;
        Lines lines = new Lines(content);
        Matcher matcher = pattern.matcher(deadline.guard(content));
        int shownUpTo = -1; // last line shown of this file
        for (int line = 0; line < lines.count(); line++) {
            matcher.region(lines.start(line), lines.end(line));
            if (!matcher.find()) {
                continue;
            }
            if (results == maxResults || text.length() > MAX_CHARS) {
                full();
                return false;
            }
            results++;
            if (shownUpTo < 0) {
                text.append(text.isEmpty() ? "" : "\n").append(file).append('\n');
            }
            shownUpTo = show(lines, line, matcher.start() - lines.start(line), shownUpTo);
        }
        return true;
    }

    void skipped(boolean large) {
        tooLarge += large ? 1 : 0; // binary files are no news
    }

    void unreadable() {
        unreadable++;
    }

    void stopped() {
        cut = true;
        notes.add("stopped when the time was up; narrow the path or simplify the pattern");
    }

    ToolResult result(String wanted) {
        if (tooLarge > 0) {
            notes.add(tooLarge + " files over 10 MB were not searched");
        }
        if (unreadable > 0) {
            notes.add(unreadable + " files could not be read");
        }
        if (results == 0) {
            text.append("No match for %s in %d files.".formatted(wanted, files));
        }
        for (String note : notes) {
            text.append("\n[").append(note).append(']');
        }
        return ToolResult.ok(text.toString()).withText(text.toString(), cut);
    }

    private void full() {
        cut = true;
        notes.add("first %d matches only; narrow the path or the pattern".formatted(results));
    }

    /** Shows a match with its context and returns the last line shown. */
    private int show(Lines lines, int line, int column, int shownUpTo) {
        int from = Math.max(shownUpTo + 1, line - around);
        if (shownUpTo >= 0 && around > 0 && from > shownUpTo + 1) {
            text.append("--\n");
        }
        int to = Math.min(lines.count() - 1, line + around);
        for (int i = from; i <= to; i++) {
            boolean isMatch = i == line || pattern.matcher(deadline.guard(lines.text(i))).find();
            if (i > line && isMatch) {
                return i - 1; // counted and shown on its own turn
            }
            text.append(i + 1).append(isMatch ? ": " : "- ");
            text.append(part(lines.text(i), i == line ? column : 0)).append('\n');
        }
        return Math.max(to, shownUpTo);
    }

    /** The part of a long line that has the match in it. */
    private static String part(String line, int column) {
        if (line.length() <= MAX_LINE) {
            return line;
        }
        int start = Math.max(0, Math.min(column - MAX_LINE / 4, line.length() - MAX_LINE));
        int end = Math.min(line.length(), start + MAX_LINE);
        return (start > 0 ? "…" : "")
                + line.substring(start, end)
                + (end < line.length() ? "…" : "");
    }

    /** Where each line of a text starts and ends. */
    private static final class Lines {
        private final String content;
        private int[] starts = new int[64];
        private int count;

        Lines(String content) {
            this.content = content;
            int start = 0;
            while (start < content.length()) {
                if (count + 1 >= starts.length) {
                    starts = Arrays.copyOf(starts, starts.length * 2);
                }
                starts[count++] = start;
                int feed = content.indexOf('\n', start);
                start = feed < 0 ? content.length() : feed + 1;
            }
            starts[count] = content.length();
        }

        int count() {
            return count;
        }

        int start(int line) {
            return starts[line];
        }

        int end(int line) {
            int end = starts[line + 1];
            while (end > starts[line]
                    && (content.charAt(end - 1) == '\n' || content.charAt(end - 1) == '\r')) {
                end--;
            }
            return end;
        }

        String text(int line) {
            return content.substring(start(line), end(line));
        }
    }
}
