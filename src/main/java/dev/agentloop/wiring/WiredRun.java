package dev.agentloop.wiring;

import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.loop.AgentRun;
import java.util.List;

/**
 * A run with everything in place, and what to say of it when it begins.
 *
 * @param tools names of the tools offered
 * @param guidance files whose guidance is part of a new system prompt
 */
public record WiredRun(AgentRun agent, LlmAdapter llm, List<String> tools, List<String> guidance)
        implements AutoCloseable {

    /** Drops connections, so that the process ends at once. */
    @Override
    public void close() {
        llm.close();
    }
}
