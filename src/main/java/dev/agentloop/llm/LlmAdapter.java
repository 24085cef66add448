package dev.agentloop.llm;

import dev.agentloop.control.Cancellation;

/**
 * A language model that answers requests.
 *
 * <p><b>Contract.</b> {@link #complete} blocks the calling thread until the whole reply is there,
 * reports deltas to the listener on that thread, and ends at once (within 100 ms) with {@link
 * LlmException.Cancelled} when the cancellation falls. Each call sends exactly one HTTP request;
 * retries are the business of a decorator. It never returns half a reply: a cut stream is a {@link
 * LlmException}. One adapter serves one run; calls are never concurrent.
 */
public interface LlmAdapter extends AutoCloseable {
    LlmResponse complete(LlmRequest request, LlmListener listener, Cancellation cancellation);

    /** The model that answers. */
    ModelInfo model();

    /** Frees connections at once, so that the process can end without waiting for them. */
    @Override
    default void close() {}
}
