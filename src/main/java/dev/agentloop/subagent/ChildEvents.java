package dev.agentloop.subagent;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;

/** Tells those who listen to a run what an agent does that works for it, and which one does it. */
public final class ChildEvents implements EventSink {
    private final EventSink above;
    private final String callId;
    private final String agent;
    private final int depth;

    /**
     * @param above of the run, not of an agent between
     * @param callId ids of the calls that lead here, with slashes between them
     */
    public ChildEvents(EventSink above, String callId, String agent, int depth) {
        this.above = above;
        this.callId = callId;
        this.agent = agent;
        this.depth = depth;
    }

    @Override
    public void emit(AgentEvent event) {
        switch (event) {
            case AgentEvent.SubagentStarted _,
                    AgentEvent.SubagentDid _,
                    AgentEvent.SubagentFinished _ ->
                    above.emit(event); // of one that works for this one
            case AgentEvent.TextDelta _, AgentEvent.ThinkingDelta _ -> {} // several talk at once
            case AgentEvent.BudgetUpdated _ -> {} // its share of a cap that is the run's
            default -> above.emit(new AgentEvent.SubagentDid(callId, agent, depth, event));
        }
    }
}
