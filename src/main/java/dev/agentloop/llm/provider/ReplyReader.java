package dev.agentloop.llm.provider;

import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.PartialReply;

/**
 * Understands the answer of one protocol, piece by piece. Made for one call.
 *
 * <p><b>Contract.</b> Gets either events or one whole answer, then {@link #end}. May throw {@code
 * LlmException}; errors that the provider reports inside the answer never get here.
 */
public interface ReplyReader {
    /** How far the answer is. */
    enum Progress {
        /** Without more, the answer is cut. */
        MORE,
        /** Enough for a whole answer; facts such as the usage may follow. */
        WHOLE,
        /** The answer is whole, and no event that says anything follows. */
        OVER
    }

    /** Where in an event or answer the member {@code error} of a failure would stand. */
    default JsonValue placeOfError(JsonValue event) {
        return event;
    }

    /** Takes one event of a stream. */
    Progress event(JsonValue event);

    /** Takes the {@code [DONE]} that ends streams of OpenAI's manner. */
    default void done() {}

    /** Looks at the data of an event that came although the answer was over. */
    default void afterEnd(String data) {}

    /** Takes an answer that came in one piece. */
    void document(JsonValue answer);

    /**
     * The reply; throws {@code BrokenReply} when the answer is not whole.
     *
     * @param requestId the provider's id of the request as its headers told, may be empty
     * @param requestBytes size of the request, for an estimate of its tokens
     */
    LlmResponse end(String requestId, long requestBytes);

    /** What has come so far. */
    PartialReply partial();

    /** Something odd that does not spoil the answer. */
    void warning(String message);
}
