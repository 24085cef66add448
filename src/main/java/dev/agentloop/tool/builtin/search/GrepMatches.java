package dev.agentloop.tool.builtin.search;

import dev.agentloop.message.ToolResult;
import dev.agentloop.search.FileMatches;
import dev.agentloop.search.TreeWalk;
import java.util.ArrayList;
import java.util.List;

/** The matches of one search, as text for the model: a file's name, then its lines. */
final class GrepMatches {
    private static final int FOR_NOTES = 500; // characters, of what stands below the matches

    private final int around;
    private final int maxResults;
    private final int room;
    private final String prefix;
    private final StringBuilder text = new StringBuilder();
    private int results;
    private int tooDeep;
    private int unreadable;
    private int secrets;
    private boolean full;
    private boolean stopped;

    /**
     * @param prefix of the names of files
     * @param resultChars characters that the whole result may have
     */
    GrepMatches(GrepTool.Args args, String prefix, int resultChars) {
        this.room = resultChars - FOR_NOTES;
        this.around = args.around();
        this.maxResults = args.most();
        this.prefix = prefix;
    }

    /** Characters of lines that the result has room for. */
    int room() {
        return room;
    }

    /** Takes what was found in the next file; returns whether there is room for more. */
    boolean take(TreeWalk.Entry file, FileMatches found) {
        switch (found.state()) {
            case SEARCHED, BINARY -> {} // no news
            case TOO_DEEP -> tooDeep++;
            case STOPPED -> stopped = true;
            case UNREADABLE -> unreadable++;
        }
        if (!found.lines().isEmpty()) {
            show(TreeWalk.shown(prefix + file.relative()), found);
        }
        return !full;
    }

    void stopped() {
        stopped = true;
    }

    /**
     * A file was left out because of its name.
     *
     * @param matches whether it is only here because something in it matches, which nobody may
     *     know: it is not counted
     */
    void secret(boolean matches) {
        secrets += matches ? 0 : 1;
    }

    /**
     * @param ignored whether ignored files were left out
     */
    ToolResult result(String wanted, boolean ignored) {
        if (results == 0 && full) {
            text.append("There are matches, but not even the first has room in this result.");
        } else if (results == 0) {
            text.append(stopped ? "No match so far for " : "No match for ");
            text.append(wanted).append('.');
            text.append(ignored ? " Ignored files were left out." : "");
        }
        for (String note : notes()) {
            text.append("\n[").append(note).append(']');
        }
        return ToolResult.ok(text.toString()).withText(text.toString(), full || stopped);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (secrets > 0) {
            notes.add(
                    "%d %s not searched: by the name, secrets; name a file to search it"
                            .formatted(secrets, secrets == 1 ? "file" : "files"));
        }
        if (full) {
            notes.add("first %d matches only; narrow the path or the pattern".formatted(results));
        }
        if (stopped) {
            notes.add("stopped when the time was up; narrow the path or simplify the pattern");
        }
        if (tooDeep > 0) {
            notes.add(
                    "%d files have lines too long for this pattern; simplify it"
                            .formatted(tooDeep));
        }
        if (unreadable > 0) {
            notes.add(unreadable + " files could not be read");
        }
        return notes;
    }

    private void show(String name, FileMatches found) {
        if (results == maxResults || text.length() + name.length() + 2 > room) {
            full = true;
            return;
        }
        int before = text.length();
        text.append(text.isEmpty() ? "" : "\n").append(name).append('\n');
        int shown = text.length();
        int last = 0;
        int lastMatch = 0;
        for (FileMatches.Line line : found.lines()) {
            boolean fits = results < maxResults && text.length() + line.text().length() < room;
            if (!fits && (line.isMatch() || line.number() > lastMatch + around)) {
                full = true; // it is a match too many, or stands before one
                break;
            }
            if (last > 0 && around > 0 && line.number() > last + 1) {
                text.append("--\n");
            }
            results += line.isMatch() ? 1 : 0;
            last = line.number();
            lastMatch = line.isMatch() ? last : lastMatch;
            text.append(last).append(line.isMatch() ? ": " : "- ");
            text.append(line.text()).append('\n');
        }
        if (text.length() == shown) {
            text.setLength(before); // no line of it had room
        }
        full |= !found.isComplete();
    }
}
