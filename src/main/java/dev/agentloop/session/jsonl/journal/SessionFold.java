package dev.agentloop.session.jsonl.journal;

import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.session.Blobs;
import dev.agentloop.session.FileEffect;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.Recovery;
import dev.agentloop.session.SavedSession;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Folds the records of a journal into a {@link SavedSession}. */
public final class SessionFold {
    /** Replies that are part of the history; those of other sources only cost. */
    private static final Set<String> SPOKEN = Set.of("agent", "close");

    private final SummaryFold summary;
    private final boolean results;
    private final List<String> notes = new ArrayList<>();
    private final HistoryFold history = new HistoryFold(notes);
    private final EffectFold effects = new EffectFold();
    private final List<FileChange> changes = new ArrayList<>();
    private final List<SavedSession.Paid> paid = new ArrayList<>();
    private final List<Integer> stepEnds = new ArrayList<>(); // messages after each step; from 0
    private final List<Integer> changesBefore = new ArrayList<>(); // the calls of each step
    private final List<JournalRecord> settled = new ArrayList<>();
    private final Map<String, JournalRecord.Routed> routes = new HashMap<>();
    private JournalRecord.Capped caps = JournalRecord.Capped.NOTHING;
    private JournalRecord.Terms terms = JournalRecord.Terms.UNKNOWN;
    private String systemPrompt = "";
    private String model = "";
    private boolean copied; // from another session, and no run since
    private int steps;
    private int toolCalls;
    private Usage usage = Usage.NONE;
    private @Nullable BigDecimal usd = BigDecimal.ZERO;
    private String run = "";
    private long earlierMillis;
    private long runMillis;
    private long estimate;
    private SavedSession.Measure measure = SavedSession.Measure.NONE;
    private final OpenRequests open = new OpenRequests();

    public SessionFold(String id) {
        this(id, true);
    }

    /**
     * @param results whether what tools have said is kept
     */
    public SessionFold(String id, boolean results) {
        summary = new SummaryFold(id);
        this.results = results;
    }

    /** A completed reply of the loop itself. */
    static boolean isStep(JournalRecord.Replied reply) {
        return reply.source().equals("agent");
    }

    public void add(JournalLine line) {
        countTime(line);
        Optional<JournalRecord> record = JournalCodec.read(line.type(), line.data());
        if (record.isEmpty()) {
            notes.add(
                    "Record "
                            + line.seq()
                            + " has the type "
                            + line.type()
                            + " of a newer version; it was ignored.");
            return;
        }
        summary.add(record.get(), line.ts());
        if (record.get() instanceof JournalRecord.Touched it) {
            effects.touched(line.seq(), steps, it);
        }
        add(record.get());
    }

    public void add(JournalRecord record) {
        switch (record) {
            case JournalRecord.Opened it -> opened(it);
            case JournalRecord.Routed it -> routes.put(model, it);
            case JournalRecord.Capped it -> caps = it;
            case JournalRecord.Terms it -> terms = withEarlierFolders(it);
            case JournalRecord.UserSaid it -> said(it);
            case JournalRecord.RequestSent it -> {
                open.sent(it);
                estimate = it.by().isEmpty() ? it.estimatedTokens() : estimate;
            }
            case JournalRecord.RequestFailed it -> failed(it);
            case JournalRecord.Replied it -> replied(it);
            case JournalRecord.Left it -> effects.left(it.callId(), it.files());
            case JournalRecord.Undone it -> undone(it);
            case JournalRecord.Rewound it -> rewound(it.step());
            case JournalRecord.Compacted it -> history.compacted(it.what());
            case JournalRecord.Intended it -> history.intended(it.callId(), it.effect());
            case JournalRecord.OutputSoFar it -> history.printed(it.callId(), it.text());
            case JournalRecord.Answered it -> {
                if (history.answered(it.callId(), kept(it.result()))) {
                    changes.addAll(it.result().changes());
                }
            }
            case JournalRecord.Resumed _ -> {
                copied = false;
                countLostReply();
                history.resumed();
            }
            case JournalRecord.Ended _ -> countLostReply();
            case JournalRecord.Touched it -> history.touched(it.callId());
            case JournalRecord.Forked _ -> copied = true;
            case JournalRecord.Decided _,
                    JournalRecord.HookRan _,
                    JournalRecord.LimitReached _,
                    JournalRecord.Signalled _ -> {} // facts for reports, not for a resume
        }
    }

    private void opened(JournalRecord.Opened it) {
        systemPrompt = it.systemPrompt();
        if (!model.equals(it.model())) {
            measure = SavedSession.Measure.NONE;
        }
        model = it.model();
        history.asks(model);
    }

    private ToolResult kept(ToolResult result) {
        return results ? result : result.withText("");
    }

    private void said(JournalRecord.UserSaid it) {
        if (it.origin().equals("person")) {
            effects.prompted();
        }
        history.said(new Message.User(it.text(), it.images()));
    }

    private void undone(JournalRecord.Undone it) {
        effects.undone(it);
        history.said(new Message.User(noteOf(it)));
    }

    private void replied(JournalRecord.Replied reply) {
        open.answered(reply.by());
        cost(reply.usage(), reply.usd());
        paid.add(new SavedSession.Paid(reply.source(), reply.usage(), reply.usd()));
        if (stepEnds.isEmpty()) {
            stepEnds.add(history.size());
        }
        if (isStep(reply)) {
            steps++;
            changesBefore.add(changes.size());
        }
        if (SPOKEN.contains(reply.source())) {
            toolCalls += history.replied(reply.message(), reply.isPaused());
        }
        if (isStep(reply)) {
            stepEnds.add(history.size());
            measure(reply.usage());
        }
    }

    private void measure(Usage used) {
        if (estimate > 0 && used.prompt() > 0 && !used.estimated()) {
            measure = new SavedSession.Measure(estimate, used.prompt());
        }
    }

    private void rewound(int step) {
        if (step < stepEnds.size()) {
            history.cut(stepEnds.get(step));
            stepEnds.subList(step + 1, stepEnds.size()).clear();
            steps = step;
            if (step < changesBefore.size()) {
                if (!copied) { // else the files are as they were
                    changes.subList(changesBefore.get(step), changes.size()).clear();
                }
                changesBefore.subList(step, changesBefore.size()).clear();
            }
        }
    }

    private void failed(JournalRecord.RequestFailed attempt) {
        if (attempt.usage().total() > 0) {
            open.failed(attempt.by(), attempt.usage(), attempt.usd());
            cost(attempt.usage(), attempt.usd());
        }
        open.answered(attempt.by());
    }

    private void cost(Usage more, @Nullable String itsUsd) {
        usage = usage.plus(more);
        usd = sum(usd, itsUsd);
    }

    private static @Nullable BigDecimal sum(@Nullable BigDecimal before, @Nullable String more) {
        if (before == null || more == null) {
            return null;
        }
        try {
            return before.add(new BigDecimal(more));
        } catch (NumberFormatException e) {
            return null; // whatever stands there, the price is unknown
        }
    }

    private void countTime(JournalLine line) {
        if (!line.run().equals(run)) {
            earlierMillis += runMillis;
            runMillis = 0;
            run = line.run();
        }
        runMillis = Math.max(runMillis, line.mono());
    }

    /**
     * Nobody knows what it has used; under a cap it counts as the most it could, and a person
     * should know that.
     */
    private String countLostReply() {
        Optional<OpenRequests.Lost> lost = open.lost();
        if (lost.isEmpty()) {
            return "";
        }
        notes.add(lost.get().note());
        if (lost.get().usage().total() == 0) {
            return "";
        }
        cost(lost.get().usage(), lost.get().usd());
        return lost.get().note();
    }

    public boolean isEmpty() {
        return summary.isEmpty();
    }

    public SummaryFold summary() {
        return summary;
    }

    /**
     * So many bytes behind the last record are lost.
     *
     * @return results that no record holds and that a copy without the lost records must have
     */
    public List<JournalRecord> endsBefore(long lost) {
        if (lost == 0) {
            return List.of();
        }
        history.endsObscurely();
        return List.copyOf(history.missing());
    }

    /** What was changed in a folder can be undone when a later run has not got it any more. */
    private JournalRecord.Terms withEarlierFolders(JournalRecord.Terms now) {
        Set<String> all = new LinkedHashSet<>(terms.added());
        all.addAll(now.added());
        return new JournalRecord.Terms(
                now.confirm(),
                now.allow(),
                now.ask(),
                now.deny(),
                now.sandbox(),
                now.network(),
                now.writable(),
                List.copyOf(all),
                now.tools());
    }

    /** What the model is told before it is asked again. */
    private static String noteOf(JournalRecord.Undone done) {
        return "[Changes of files were undone. As they were before: "
                + String.join(", ", done.restored())
                + "."
                + (done.refused().isEmpty()
                        ? ""
                        : " Left as they are: " + String.join(", ", done.refused()) + ".")
                + " Read files again before you change them.]";
    }

    /** Settles the calls that were cut off while they changed files. */
    public void settle(Recovery recovery, Blobs blobs) {
        for (FileEffect effect : effects.unsettled()) {
            Recovery.Outcome outcome =
                    recovery.settle(terms.roots(summary.summary().workspace()), effect, blobs);
            settled.add(new JournalRecord.Left(effect.callId(), outcome.after()));
            effects.left(effect.callId(), outcome.after());
            if (history.settle(effect.callId(), outcome.result())) {
                changes.addAll(outcome.result().changes());
                notes.add(outcome.result().text());
            }
        }
    }

    /** What a reopened journal must add to itself. */
    public List<JournalRecord> mending(long tornBytes) {
        List<JournalRecord> records = new ArrayList<>(settled);
        records.addAll(history.missing());
        records.add(new JournalRecord.Resumed(tornBytes, history.unresolved()));
        return records;
    }

    /**
     * @param tail what was found behind the last good line; empty if nothing
     */
    public SavedSession finish(String tail) {
        String counted = countLostReply();
        List<String> all = new ArrayList<>(notes);
        int missing = history.missing().size();
        if (missing > 0) {
            all.add(missing + (missing == 1 ? " call had" : " calls had") + " no recorded result.");
        }
        if (!tail.isEmpty()) {
            all.add(tail);
        }
        return new SavedSession(
                summary.summary(),
                history.sent(systemPrompt),
                history.messages(systemPrompt),
                steps,
                toolCalls,
                usage,
                usd,
                List.copyOf(paid),
                earlierMillis + runMillis,
                List.copyOf(changes),
                effects.all(),
                effects.prompts(),
                history.unresolved(),
                history.again(),
                List.copyOf(all),
                Map.copyOf(routes),
                caps,
                terms,
                history.speaker(),
                history.isSealed(),
                measure,
                open.held(counted));
    }
}
