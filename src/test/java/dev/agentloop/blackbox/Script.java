package dev.agentloop.blackbox;

import java.io.IOException;

/** What a {@link ScriptedServer} does with one request. */
@FunctionalInterface
public interface Script {
    void play(Exchange exchange) throws IOException;
}
