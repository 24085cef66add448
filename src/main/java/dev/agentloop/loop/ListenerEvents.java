package dev.agentloop.loop;

import dev.agentloop.context.TokenEstimate;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import java.time.Duration;
import java.util.List;

/** Turns what a model call reports into events, and failed attempts into journal records. */
final class ListenerEvents implements LlmListener {
    private final EventSink events;
    private final Journal journal;
    private boolean shown;

    ListenerEvents(EventSink events, Journal journal) {
        this.events = events;
        this.journal = journal;
    }

    /** Whether text was shown that nobody has withdrawn yet; it counts no longer. */
    boolean withdraw() {
        boolean had = shown;
        shown = false;
        return had;
    }

    @Override
    public void text(String delta) {
        shown = true;
        events.emit(new AgentEvent.TextDelta(delta));
    }

    @Override
    public void thinking(String delta) {
        events.emit(new AgentEvent.ThinkingDelta(delta));
    }

    @Override
    public void retry(int attempt, Duration delay, LlmException failure, boolean textWithdrawn) {
        shown &= !textWithdrawn;
        String message = String.valueOf(failure.getMessage());
        journal.append(
                List.of(
                        new JournalRecord.RequestFailed(
                                failure.code(), message, true, lostTokens(failure))),
                false);
        events.emit(
                new AgentEvent.LlmRetried(attempt, delay, failure.code(), message, textWithdrawn));
    }

    /** What a reply that broke off has probably cost: no provider reports its usage. */
    static long lostTokens(LlmException failure) {
        return TokenEstimate.ofCharacters(failure.partialText().length());
    }

    @Override
    public void warning(String message) {
        events.emit(new AgentEvent.Warning(message));
    }
}
