package dev.agentloop.durable.restate;

import dev.agentloop.durable.engine.DurableEngine;
import dev.agentloop.durable.engine.DurableObjects;

/**
 * Restate: {@code --address} is the URL of its ingress. {@code AGENT_RESTATE_ADMIN} is the URL of
 * its admin API, and {@code AGENT_RESTATE_ENDPOINT} the URL under which the server reaches the
 * workers: of a load balancer, or of this machine, where all workers listen at one port.
 */
public final class RestateEngine implements DurableEngine {
    @Override
    public String name() {
        return "restate";
    }

    @Override
    public DurableObjects open(Settings settings) {
        return new RestateObjects(
                settings.addressOr("AGENT_RESTATE_INGRESS", "http://127.0.0.1:8080"),
                variable(settings, "AGENT_RESTATE_ADMIN", "http://127.0.0.1:9070"),
                variable(settings, "AGENT_RESTATE_ENDPOINT", "http://127.0.0.1:9180"),
                settings.patience());
    }

    private static String variable(Settings settings, String name, String otherwise) {
        return settings.environment().getOrDefault(name, otherwise);
    }
}
