package dev.agentloop.loop.run;

import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Notices a model that goes round in circles: the same calls with the same results, step after step
 * or in turn with others. Somebody who waits for something to change sees other results.
 */
public final class LoopDetector {
    private static final int LONGEST = 4; // steps of one round
    private static final int WARN = 3; // rounds
    private static final int STOP = 5;

    /** How long a command took says nothing new. */
    private static final Pattern TOOK = Pattern.compile("^(exit [^\\n]*) \\(\\d+\\.\\d s\\)");

    private final List<Step> steps = new ArrayList<>();
    private boolean warned;
    private boolean due;
    private boolean stopped;

    private record Step(List<String> calls, List<String> results) {}

    /** Takes note of a step. */
    public void note(List<ToolCall> calls, List<Message.Tool> results) {
        steps.add(
                new Step(
                        calls.stream().map(call -> call.name() + " " + call.arguments()).toList(),
                        results.stream().map(result -> said(result)).toList()));
        if (steps.size() > LONGEST * STOP) {
            steps.removeFirst();
        }
        int rounds = rounds();
        stopped = rounds >= STOP;
        due = rounds >= WARN && !warned && !stopped;
        warned = rounds >= WARN;
    }

    /** Whether the model should be warned now; true once. */
    public boolean takeWarning() {
        boolean now = due;
        due = false;
        return now;
    }

    /** Whether the model did not heed the warning. */
    boolean isStopped() {
        return stopped;
    }

    public void forget() {
        steps.clear();
        warned = false;
        due = false;
        stopped = false;
    }

    private int rounds() {
        int most = 1;
        for (int length = 1; length <= LONGEST; length++) {
            int at = steps.size() - 1;
            while (at >= length && steps.get(at).equals(steps.get(at - length))) {
                at--;
            }
            most = Math.max(most, (steps.size() - 1 - at) / length + 1);
        }
        return most;
    }

    private static String said(Message.Tool result) {
        return TOOK.matcher(result.result().text()).replaceFirst("$1");
    }
}
