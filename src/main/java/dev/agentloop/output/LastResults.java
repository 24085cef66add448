package dev.agentloop.output;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * What the last calls of a chat have brought, in full: the log shows outputs and long diffs only in
 * part.
 *
 * <p><b>Contract.</b> Safe from any thread.
 */
public final class LastResults implements EventSink {
    private static final int MOST = 20; // calls
    private static final int LONGEST = 200_000; // characters of one; more than a result has

    private final Deque<String> texts = new ArrayDeque<>(); // the last one first
    private final StringBuilder diffs = new StringBuilder(); // of the call that is at work

    @Override
    public synchronized void emit(AgentEvent event) {
        switch (event) {
            case AgentEvent.EditApplied edit when edit.diff() != null -> diffs.append(edit.diff());
            case AgentEvent.ToolFinished end -> {
                String text = diffs.isEmpty() ? end.result().text() : diffs.toString();
                diffs.setLength(0);
                add(CallWords.of(end.call()) + "\n" + SafeText.block(text).strip() + "\n");
            }
            default -> {} // brings no result
        }
    }

    private void add(String text) {
        boolean cut = text.length() > LONGEST;
        texts.addFirst(cut ? text.substring(0, LONGEST) + "\n[cut]\n" : text);
        if (texts.size() > MOST) {
            texts.removeLast();
        }
    }

    /**
     * What the chat shows when the person asks for a result in full: the call in words, then all
     * that it brought.
     *
     * @param back 1 for the last one
     * @return empty if there were not so many, or it is too long ago
     */
    public synchronized String text(int back) {
        Iterator<String> each = texts.iterator();
        for (int i = 1; i < back && each.hasNext(); i++) {
            each.next();
        }
        return each.hasNext() ? each.next() : "";
    }
}
