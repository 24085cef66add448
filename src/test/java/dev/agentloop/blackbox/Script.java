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

    /**
     * An answer in a piece, in the words of its protocol, and the tokens that it is charged for.
     */
    static Script whole(String json, int input, int output) {
        return exchange -> {
            exchange.charge(Reply.says("").counting(input, output));
            exchange.status(200, "Content-Type: application/json", json);
        };
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
