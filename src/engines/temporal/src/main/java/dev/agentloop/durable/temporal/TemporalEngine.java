package dev.agentloop.durable.temporal;

import dev.agentloop.durable.engine.DurableEngine;
import dev.agentloop.durable.engine.DurableObjects;

/**
 * Temporal: {@code --address} is host:port of its frontend. {@code AGENT_TEMPORAL_NAMESPACE} names
 * the namespace, {@code AGENT_TEMPORAL_QUEUE} the task queue of the workers.
 */
public final class TemporalEngine implements DurableEngine {
    @Override
    public String name() {
        return "temporal";
    }

    @Override
    public DurableObjects open(Settings settings) {
        return new TemporalObjects(
                settings.addressOr("AGENT_TEMPORAL_ADDRESS", "127.0.0.1:7233"),
                settings.environment().getOrDefault("AGENT_TEMPORAL_NAMESPACE", "default"),
                settings.environment().getOrDefault("AGENT_TEMPORAL_QUEUE", "agent"),
                settings.patience());
    }
}
