package dev.agentloop.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Old messages of a history replaced by less. Applied to the same history it always gives the same
 * messages, so that a resumed session sends what the interrupted one sent. Calls and their results
 * stay or go together; the system message and the first of the user's always stay.
 *
 * @param firstKept id of the first call of the oldest step that stays as it is; {@code #3} for the
 *     third reply from the end, where it calls nothing; empty for the newest reply
 * @param users how many of the user's messages before that step stay besides the first, the newest
 * @param summary what stands for the steps that go; empty for none, and when none go
 * @param least characters of the shortest result that a clearing leaves out
 */
public record Compaction(By by, String firstKept, int users, String summary, int least) {
    /** What a summary begins with, so that nobody takes it for the model's own words. */
    public static final String TITLE = "[Summary of previous steps]";

    private static final String NUMBER = "#";

    /** Characters of a result; what stands for a shorter one would hardly be shorter. */
    public static final int LEAST = 200;

    private static final int LONG_CALL = 2000; // characters of arguments
    private static final String REMINDER =
            " The call was carried out; repeat it only if it changes nothing.";

    /** What makes the history shorter. */
    public enum By {
        /** The texts of old results are left out. */
        CLEARING,
        /** The model sums up old steps. */
        SUMMARY,
        /** The program lists what old steps did. */
        MECHANICAL,
        /** Old steps are dropped. */
        WINDOW,
        /** Long arguments of calls, from the step on that stays, are left out. */
        ARGUMENTS,
        /**
         * The model's server has summed up all before its newest reply, which holds the summary.
         */
        SERVER;

        /** As it stands in files and events. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** One that clears nothing. */
    public Compaction(By by, String firstKept, int users, String summary) {
        this(by, firstKept, users, summary, LEAST);
    }

    /** The texts of the results before this step are left out. */
    public static Compaction clearing(String firstKept) {
        return clearing(firstKept, LEAST);
    }

    /** Those of them that have at least so many characters. */
    public static Compaction clearing(String firstKept, int least) {
        return new Compaction(By.CLEARING, firstKept, 0, "", least);
    }

    /** Long arguments of the calls from this step on are left out. */
    public static Compaction ofArguments(String firstKept) {
        return new Compaction(By.ARGUMENTS, firstKept, 0, "");
    }

    /** The model's server has summed up all before its newest reply. */
    public static Compaction byServer(int users) {
        return new Compaction(By.SERVER, "", users, "");
    }

    /**
     * All between the first of the user's messages and the newest reply goes.
     *
     * @param users how many of the user's newest messages stay besides the first
     */
    public static Compaction allButLastStep(List<Message> history, int users) {
        for (int i = history.size() - 1; i >= 0; i--) {
            if (history.get(i) instanceof Message.Assistant) {
                return new Compaction(By.WINDOW, nameOf(history, i), users, "");
            }
        }
        throw new IllegalArgumentException("no reply yet");
    }

    /** The shorter history; the same one if it does not hold the step. */
    public List<Message> applyTo(List<Message> history) {
        int start = startIn(history);
        if (start <= 0) {
            return history;
        }
        List<Message> old = history.subList(0, start);
        List<Message> kept = history.subList(start, history.size());
        List<Message> shorter =
                switch (by) {
                    case CLEARING -> cleared(old);
                    case ARGUMENTS -> new ArrayList<>(old);
                    case SUMMARY, MECHANICAL, WINDOW, SERVER -> beginning(old);
                };
        for (Message message : kept) {
            shorter.add(
                    by == By.ARGUMENTS && message instanceof Message.Assistant said
                            ? withoutArguments(said)
                            : message);
        }
        return shorter;
    }

    /** What the reply at this place of a history is called in {@link #firstKept}. */
    public static String nameOf(List<Message> history, int place) {
        if (history.get(place) instanceof Message.Assistant said && !said.toolCalls().isEmpty()) {
            return said.toolCalls().getFirst().id();
        }
        long behind =
                history.subList(place, history.size()).stream()
                        .filter(Message.Assistant.class::isInstance)
                        .count();
        return NUMBER + behind;
    }

    /** The newest step of that name: careless servers repeat ids. */
    private int startIn(List<Message> history) {
        int numbered = -1;
        int replies = 0;
        for (int i = history.size() - 1; i >= 0; i--) {
            if (history.get(i) instanceof Message.Assistant said) {
                replies++;
                if (isFirstKept(said)) {
                    return i;
                }
                numbered = firstKept.equals(NUMBER + replies) ? i : numbered;
            }
        }
        return numbered;
    }

    private boolean isFirstKept(Message.Assistant said) {
        return by == By.SERVER
                || said.toolCalls().stream().anyMatch(call -> call.id().equals(firstKept));
    }

    private List<Message> beginning(List<Message> old) {
        List<Message> said = old.stream().filter(it -> it instanceof Message.User).toList();
        List<Message> begin = new ArrayList<>();
        if (old.getFirst() instanceof Message.System) {
            begin.add(old.getFirst());
        }
        if (!said.isEmpty()) {
            begin.add(said.getFirst());
            begin.addAll(said.subList(Math.max(1, said.size() - users), said.size()));
        }
        if (!summary.isEmpty()) {
            begin.add(new Message.Assistant(List.of(new Block.Text(TITLE + "\n" + summary))));
        }
        return begin;
    }

    private static Message withoutArguments(Message.Assistant said) {
        List<Block> blocks = new ArrayList<>();
        for (Block block : said.blocks()) {
            blocks.add(
                    block instanceof Block.Call(ToolCall call)
                                    && call.arguments().length() > LONG_CALL
                            ? withoutArguments(call)
                            : block);
        }
        return new Message.Assistant(blocks);
    }

    private static Block withoutArguments(ToolCall call) {
        String note =
                "{\"removed\":\"%d characters of arguments were removed to make room\"}"
                        .formatted(call.arguments().length());
        return new Block.Call(new ToolCall(call.id(), call.name(), note));
    }

    /** What was cleared before stays the same object: requests go on as they began. */
    private List<Message> cleared(List<Message> old) {
        List<Message> shorter = new ArrayList<>();
        for (Message message : old) {
            shorter.add(message instanceof Message.Tool tool ? cleared(tool) : message);
        }
        return shorter;
    }

    private Message cleared(Message.Tool tool) {
        ToolResult result = tool.result();
        if (result.text().length() <= least && result.images().isEmpty()) {
            return tool;
        }
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
}
