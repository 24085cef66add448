package dev.agentloop.wiring;

import dev.agentloop.cost.CostTracker;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunResult;
import java.util.List;
import java.util.function.Supplier;

/**
 * A run with everything in place.
 *
 * @param work drives the run to its result; call it once
 * @param tools names of the tools offered
 * @param guidance files whose guidance is part of a new system prompt
 */
public record WiredRun(
        Run run,
        CostTracker costs,
        LlmAdapter llm,
        List<String> tools,
        List<String> guidance,
        Supplier<RunResult> work)
        implements AutoCloseable {

    /** Drops connections, so that the process ends at once. */
    @Override
    public void close() {
        llm.close();
    }
}
