package dev.agentloop.subagent;

import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.session.ForwardingJournal;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.Waiting;
import dev.agentloop.tool.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the session of a run keeps of an agent that works for it: what it cost, what it was allowed,
 * and what it did to files, so that an undo takes that back as well. Its messages are not part of
 * the session's history. As soon as it has asked its model, which costs money, or does more than
 * read, the call that started it counts as one that must not be repeated blindly.
 */
public final class ChildJournal extends ForwardingJournal {
    private static final String SOURCE = "subagent";
    private static final String RETRY = "retry";

    private final Journal above;
    private final String callId;
    private final AtomicBoolean acts = new AtomicBoolean();

    /**
     * @param callId of the call that started the agent
     */
    public ChildJournal(Journal above, String callId) {
        super(above);
        this.above = above;
        this.callId = callId;
    }

    @Override
    public void append(List<JournalRecord> records, boolean force) {
        List<JournalRecord> kept = kept(records);
        if (!kept.isEmpty()) {
            above.append(kept, force);
        }
    }

    @Override
    public void append(List<JournalRecord> records, Runnable written) {
        List<JournalRecord> kept = kept(records);
        if (kept.isEmpty()) {
            written.run();
        } else {
            above.append(kept, written);
        }
    }

    private List<JournalRecord> kept(List<JournalRecord> records) {
        List<JournalRecord> kept = new ArrayList<>();
        for (JournalRecord record : records) {
            if (isMoreThanReading(record) && !acts.getAndSet(true)) {
                kept.add(
                        new JournalRecord.Intended(
                                callId, DispatchTool.NAME, Effect.OPAQUE.name()));
            }
            kept(record).ifPresent(kept::add);
        }
        return kept;
    }

    private static boolean isMoreThanReading(JournalRecord record) {
        return record instanceof JournalRecord.RequestSent
                || record instanceof JournalRecord.Intended intended
                        && !intended.effect().equals(Effect.PURE.name());
    }

    private Optional<JournalRecord> kept(JournalRecord record) {
        JournalRecord kept =
                switch (record) {
                    case JournalRecord.RequestSent it -> sent(it);
                    case JournalRecord.RequestFailed it -> failed(it);
                    case JournalRecord.Replied it -> replied(it);
                    case JournalRecord.Decided it ->
                            new JournalRecord.Decided(
                                    id(it.callId()), it.verdict(), it.rule(), it.by());
                    case JournalRecord.Intended it ->
                            new JournalRecord.Intended(id(it.callId()), it.tool(), it.effect());
                    case JournalRecord.Touched it ->
                            new JournalRecord.Touched(id(it.callId()), it.files());
                    case JournalRecord.Left it ->
                            new JournalRecord.Left(id(it.callId()), it.files());
                    case JournalRecord.HookRan it -> it;
                    default -> null; // of its history, which is its own
                };
        return Optional.ofNullable(kept);
    }

    private JournalRecord sent(JournalRecord.RequestSent it) {
        return new JournalRecord.RequestSent(
                0, it.estimatedTokens(), it.estimatedUsd(), it.reserved(), by(it.by()));
    }

    private JournalRecord failed(JournalRecord.RequestFailed it) {
        return new JournalRecord.RequestFailed(
                it.code(),
                it.message(),
                it.willRetry(),
                it.lostTokens(),
                it.usage(),
                it.usd(),
                it.source().equals(RETRY) ? RETRY : SOURCE,
                by(it.by()));
    }

    private JournalRecord replied(JournalRecord.Replied it) {
        return new JournalRecord.Replied(
                said(it.message()),
                it.finish(),
                it.usage(),
                it.usd(),
                SOURCE,
                it.requestId(),
                by(it.by()));
    }

    /** A call in a session has its result there, which these have not. */
    private static Message.Assistant said(Message.Assistant message) {
        return new Message.Assistant(
                message.blocks().stream().filter(Block.Text.class::isInstance).toList());
    }

    /** Ids of several agents may be the same. */
    private String id(String inner) {
        return callId + "/" + inner;
    }

    /** Of an agent that works for this one, the calls that led to it. */
    private String by(String inner) {
        return inner.isEmpty() ? callId : id(inner);
    }

    /** Waits are for the agent of the run. */
    @Override
    public Optional<Waiting> waiting() {
        return Optional.empty();
    }

    /** The session goes on. */
    @Override
    public void close() {}
}
