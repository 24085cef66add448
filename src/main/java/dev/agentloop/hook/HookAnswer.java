package dev.agentloop.hook;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One hook's answer to one event.
 *
 * @param hook its name
 * @param outcome what it said, or what its failure means
 * @param trouble why it is not what it should be, for people; empty if nothing is wrong
 * @param report of a command that ran; null for a hook of the process itself
 */
public record HookAnswer(
        String hook, HookOutcome outcome, String trouble, @Nullable HookReport report) {

    static HookAnswer failed(String hook, HookPoint point, String why) {
        return new HookAnswer(hook, point.onFailure(hook, why), why, null);
    }

    /** How it ended, for the record; empty output if it is a hook of the process that went on. */
    public HookReport reportOr(Duration took) {
        return report != null
                ? report
                : new HookReport(hook, "", trouble.isEmpty() ? 0 : -1, took, trouble);
    }
}
