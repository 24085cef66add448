package dev.agentloop.loop;

import dev.agentloop.llm.LlmException;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunListener;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run with everything in place: its state, the loop that drives it, what is done with the
 * loop's result, and who accompanies it.
 *
 * @param work whether the loop works on the task, or only sums up the session's old steps
 * @param followUps in this order
 * @param listeners hear of the beginning in this order, of the end in the opposite one
 * @param remaining what is left of the run's time; gives null without a limit
 */
public record AgentRun(
        Run run,
        AgentLoop loop,
        Work work,
        List<FollowUp> followUps,
        List<RunListener> listeners,
        Supplier<@Nullable Duration> remaining) {

    /** What a run is for. */
    public enum Work {
        /** The task. */
        TASK,
        /** A shorter history; the model is asked for nothing else. */
        COMPACTION
    }

    public AgentRun {
        followUps = List.copyOf(followUps);
        listeners = List.copyOf(listeners);
    }

    /** Runs to the result; once. Of work that throws the listeners hear an internal error. */
    public RunResult execute() {
        RunResult result = new RunResult(StopReason.INTERNAL_ERROR, "", run.steps());
        int heard = 0;
        try {
            try {
                for (RunListener listener : listeners) {
                    heard++;
                    listener.begins(run);
                }
                RunResult now =
                        switch (work) {
                            case TASK -> loop.run(run, remaining.get());
                            case COMPACTION -> loop.compact(run);
                        };
                for (FollowUp next : followUps) {
                    now = next.after(run, now);
                }
                result = now;
            } finally {
                end(heard, result);
            }
        } catch (LlmException.Unrecorded e) { // a replay in which a hook or a check asks for more
            return new RunResult(StopReason.LLM_ERROR, "", 0);
        }
        return result;
    }

    /** Each listener hears of the end, also when a later one throws. */
    private void end(int heard, RunResult result) {
        if (heard > 0) {
            try {
                listeners.get(heard - 1).ended(run, result);
            } finally {
                end(heard - 1, result);
            }
        }
    }
}
