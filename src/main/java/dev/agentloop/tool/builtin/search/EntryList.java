package dev.agentloop.tool.builtin.search;

import dev.agentloop.message.ToolResult;
import dev.agentloop.search.TreeWalk;
import java.util.ArrayList;
import java.util.List;

/** Names of files and folders for the model, as many as it can use. */
final class EntryList {
    static final int MAX_ENTRIES = 1_000; // about 10k tokens; who needs more should narrow
    private static final int FOR_NOTES = 300; // characters, of what stands below the names

    private final List<String> names = new ArrayList<>();
    private final String prefix;
    private int room;
    private boolean full;

    /**
     * @param prefix of all names
     * @param resultChars characters that the whole result may have
     */
    EntryList(String prefix, int resultChars) {
        this.prefix = prefix;
        this.room = resultChars - FOR_NOTES;
    }

    /** Returns whether there is room for more. */
    boolean add(TreeWalk.Entry entry) {
        return add(entry.relative(), entry.isFolder());
    }

    /** The same with a file's name, as seen from the root. */
    boolean add(String file) {
        return add(file, false);
    }

    private boolean add(String relative, boolean folder) {
        String name = TreeWalk.shown(prefix + relative) + (folder ? "/" : "");
        room -= name.length() + 1;
        if (names.size() == MAX_ENTRIES || room < 0) {
            full = true;
            return false;
        }
        names.add(name);
        return true;
    }

    boolean isEmpty() {
        return names.isEmpty();
    }

    /**
     * @param stopped whether time ran out before all was seen
     */
    ToolResult result(String none, boolean stopped, int unreadable) {
        StringBuilder text = new StringBuilder();
        if (names.isEmpty()) {
            text.append(full ? "There are some, but not even the first has room here." : none);
        } else {
            text.append(String.join("\n", names));
        }
        if (full) {
            text.append(
                    "\n[first %d only; narrow the path or the pattern]".formatted(names.size()));
        }
        if (stopped) {
            text.append("\n[stopped when the time was up; narrow the path]");
        }
        if (unreadable > 0) {
            text.append("\n[%d folders could not be read whole]".formatted(unreadable));
        }
        return ToolResult.ok(text.toString()).withText(text.toString(), full || stopped);
    }
}
