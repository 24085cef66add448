package dev.agentloop.replay.view;

import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a recorded run, for whoever looks at it.
 *
 * @param number from 1; 0 for what came before the first
 * @param closing whether it is the summary of a run that was ended
 * @param said messages of the person, or of the program in the person's place
 * @param text what the model said
 * @param notices retries, limits, warnings and the like, one line each
 * @param tokens of the run up to here; 0 where they are not kept for each step
 * @param usd cost of the run up to here; null when it is unknown
 */
public record StepView(
        int number,
        boolean closing,
        List<String> said,
        String text,
        List<Call> calls,
        List<Hook> hooks,
        List<String> notices,
        long tokens,
        @Nullable BigDecimal usd) {
    public StepView {
        said = List.copyOf(said);
        calls = List.copyOf(calls);
        hooks = List.copyOf(hooks);
        notices = List.copyOf(notices);
    }

    /**
     * A tool call.
     *
     * @param verdict what was decided, by which rule and by whom; empty if nobody had to
     * @param result null if there is none
     * @param took null where it is not kept
     */
    public record Call(
            ToolCall call,
            String verdict,
            @Nullable ToolResult result,
            @Nullable Duration took,
            List<FileChange> changes) {}

    /** A hook that ran. */
    public record Hook(String name, String event, int exitCode, String output) {}
}
