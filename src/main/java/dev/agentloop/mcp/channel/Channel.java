package dev.agentloop.mcp.channel;

import dev.agentloop.json.JsonValue;

/**
 * Carries JSON-RPC messages between this program and one server.
 *
 * <p><b>Contract.</b> {@link #open} is called once and first. Messages are handed to the receiver
 * one after another from threads of the channel; a receiver must not block. After {@link #close}
 * nothing of the channel is left, no process and no connection.
 */
public interface Channel extends AutoCloseable {
    /** Who is told what comes. */
    interface Receiver {
        void message(JsonValue message);

        /** This one could not be sent, or its answer could not be read; others may be. */
        default void failed(JsonValue message, String why) {
            ended(why);
        }

        /** Nothing more will come; {@code why} is for people. */
        void ended(String why);
    }

    void open(Receiver receiver) throws McpException;

    /** Sends one message; returns before it is answered. */
    void send(JsonValue message) throws McpException;

    /** Sends what has to be there before anything that follows, and waits until it is. */
    default void sendFirst(JsonValue message, RequestDeadline deadline) throws McpException {
        send(message);
    }

    /** The version of the protocol that both sides have agreed on. */
    default void agreed(String version) {}

    /** Goes on listening to what the server says by itself, where that needs a request. */
    default void listen() {}

    /** Nobody waits for the answer to this request any more. */
    default void givenUp(long id) {}

    /** The last words of the server that were no messages; empty if there are none. */
    default String lastWords() {
        return "";
    }

    @Override
    void close();
}
