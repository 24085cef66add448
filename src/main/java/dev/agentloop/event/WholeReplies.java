package dev.agentloop.event;

/**
 * Passes the text of a reply on in one piece, when the reply has ended: for replies that are not
 * the answer, such as a plan that is carried out next. Used by one thread at a time.
 */
public final class WholeReplies implements EventSink {
    private final EventSink next;
    private final StringBuilder text = new StringBuilder();

    public WholeReplies(EventSink next) {
        this.next = next;
    }

    @Override
    public void emit(AgentEvent event) {
        if (event instanceof AgentEvent.TextDelta(String piece)) {
            text.append(piece);
        } else if (event instanceof AgentEvent.LlmRetried retry) {
            withdraw(retry);
        } else {
            if (event instanceof AgentEvent.LlmResponded) {
                passOn();
            }
            next.emit(event);
        }
    }

    /** What nobody has seen need not be taken back. */
    private void withdraw(AgentEvent.LlmRetried retry) {
        if (retry.textWithdrawn()) {
            text.setLength(0);
        }
        next.emit(
                new AgentEvent.LlmRetried(
                        retry.attempt(), retry.delay(), retry.code(), retry.message(), false));
    }

    private void passOn() {
        if (!text.isEmpty()) {
            next.emit(new AgentEvent.TextDelta(text.toString()));
            text.setLength(0);
        }
    }
}
