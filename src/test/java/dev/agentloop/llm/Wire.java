package dev.agentloop.llm;

import dev.agentloop.json.JsonValue;
import dev.agentloop.message.Usage;
import dev.agentloop.testing.RawServer;

/** Writes the answers of one protocol as its servers do, so that one contract tests them all. */
public interface Wire {
    /** What a stream begins with. */
    String start();

    /** A block of text in pieces. */
    String text(String... deltas);

    /** A block of reasoning in pieces. */
    String reasoning(String... deltas);

    /** A tool call whose arguments come in pieces. */
    String call(int index, String id, String name, String... pieces);

    /** Two calls whose pieces alternate. */
    String twoCalls(String first, String second, int pieceLength);

    /** Says why the reply ended, and the usage. */
    String finish(String reason, Usage usage);

    /** The marker behind the last event. */
    String end();

    /** An error inside the stream. */
    String error(String type, String message);

    /** Events and fields that a reader must not mind. */
    String oddities();

    /** An answer in one piece, with a text and perhaps a call. */
    String whole(String text, String callId, String callName, String arguments, Usage usage);

    /** An error body. */
    String errorBody(String type, String message);

    String natural();

    String toolUse();

    String length();

    String refusal();

    /** Where the messages begin in a request. */
    String messagesStart();

    /** Whether arguments travel as text, which may be anything; otherwise they are JSON. */
    default boolean argumentsAreText() {
        return true;
    }

    /** Whether a request says that it wants a stream, or that it wants none. */
    default boolean asks(RawServer.Request request, boolean stream) {
        return request.text().contains("\"stream\":" + stream);
    }

    /** What a request says about calling tools, in small letters; empty if nothing. */
    default String toolChoice(JsonValue request) {
        JsonValue choice = request.at("tool_choice");
        return choice.isText() ? choice.text() : choice.at("type").text();
    }

    /** A request without marks that may move from request to request. */
    default String withoutMarks(String request) {
        return request;
    }
}
