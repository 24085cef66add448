package dev.agentloop.context;

import dev.agentloop.message.Message;
import java.util.List;
import java.util.Optional;

/** Sums up a history, at the price of a model call. */
@FunctionalInterface
public interface Summarizer {
    /**
     * @param history as it would be sent, so that the provider's cache knows its beginning
     * @return empty when no summary of use came of it
     */
    Optional<String> summarize(List<Message> history);
}
