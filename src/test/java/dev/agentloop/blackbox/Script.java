package dev.agentloop.blackbox;

import java.io.IOException;

/** What a {@link ScriptedServer} does with one request. */
@FunctionalInterface
public interface Script {
    void play(Exchange exchange) throws IOException;

    /** Whether the next request may begin otherwise: this one was refused as too long. */
    default boolean mayShorten() {
        return false;
    }
}
