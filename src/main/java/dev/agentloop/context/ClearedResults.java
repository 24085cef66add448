package dev.agentloop.context;

import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Leaves the text of old tool results out of what is sent, never a message: each call keeps its
 * result, and all words of the user stay. What was cleared stays cleared with the same message
 * objects, so that requests grow by appending again.
 */
final class ClearedResults {
    private static final int KEPT_STEPS = 4; // the newest, which the model works with
    private static final int LONG = 200; // characters; a placeholder is hardly shorter
    private static final String REMINDER =
            " The call was carried out; repeat it only if it changes nothing.";

    private List<Message> cleared = List.of();
    private List<Message> originals = List.of();

    /** The history with what was cleared so far. */
    List<Message> in(List<Message> history) {
        if (cleared.isEmpty() || !isContinued(history)) {
            return history;
        }
        List<Message> sent = new ArrayList<>(history.size());
        sent.add(history.getFirst());
        sent.addAll(cleared.subList(1, cleared.size()));
        sent.addAll(history.subList(cleared.size(), history.size()));
        return sent;
    }

    /** Another agent may have taken over: its instructions come first, the rest is the same. */
    private boolean isContinued(List<Message> history) {
        int last = originals.size() - 1;
        return history.size() > last
                && history.get(1) == originals.get(1)
                && history.get(last) == originals.getLast();
    }

    /**
     * Clears the results before the newest four steps; if there is nothing, those before the newest
     * step, whose results the model has not seen yet.
     *
     * @return whether anything was cleared
     */
    boolean clearMore(List<Message> history) {
        return clearBefore(startOfLast(KEPT_STEPS, history), history)
                || clearBefore(startOfLast(1, history), history);
    }

    private boolean clearBefore(int end, List<Message> history) {
        List<Message> now = in(history);
        List<Message> shorter = new ArrayList<>();
        boolean changed = false;
        for (Message message : now.subList(0, end)) {
            Message kept = withoutText(message);
            changed |= kept != message;
            shorter.add(kept);
        }
        if (changed) {
            cleared = List.copyOf(shorter);
            originals = List.copyOf(history.subList(0, end));
        }
        return changed;
    }

    private static Message withoutText(Message message) {
        if (!(message instanceof Message.Tool tool) || isShort(tool.result())) {
            return message;
        }
        ToolResult result = tool.result();
        String note =
                "[This result ("
                        + result.text().length()
                        + " characters"
                        + (result.images().isEmpty() ? "" : " and an image")
                        + ") was removed to make room."
                        + (result.isError() ? "" : REMINDER)
                        + "]";
        return new Message.Tool(tool.callId(), result.withText(note, true).withImages(List.of()));
    }

    private static boolean isShort(ToolResult result) {
        return result.text().length() <= LONG && result.images().isEmpty();
    }

    /** Index of the message that begins the {@code steps}-th step from the end. */
    private static int startOfLast(int steps, List<Message> history) {
        int left = steps;
        for (int i = history.size() - 1; i >= 0; i--) {
            boolean step =
                    history.get(i) instanceof Message.Assistant said && !said.toolCalls().isEmpty();
            if (step && --left == 0) {
                return i;
            }
        }
        return 0;
    }
}
