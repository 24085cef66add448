package dev.agentloop.blackbox;

import java.io.IOException;

/** What a {@link ScriptedServer} does with one request. */
@FunctionalInterface
public interface Script {
    void play(Exchange exchange) throws IOException;

    /**
     * Whether the next request may begin otherwise: this one was refused as too long, or is
     * answered with a summary.
     */
    default boolean mayShorten() {
        return false;
    }

    /** The same, after which the next request may begin otherwise. */
    static Script shortening(Script script) {
        return new Script() {
            @Override
            public void play(Exchange exchange) throws IOException {
                script.play(exchange);
            }

            @Override
            public boolean mayShorten() {
                return true;
            }
        };
    }
}
