package dev.agentloop.session.jsonl.journal;

import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.PlainText;
import dev.agentloop.session.SessionSummary;
import java.time.Instant;

/** Gathers the line of a session list from its records, all of them or only the first and last. */
public final class SummaryFold {
    private static final int MAX_TITLE = 80; // one line of a terminal

    private final String id;
    private long started = -1;
    private long updated;
    private String workspace = "";
    private String model = "";
    private String agent = "";
    private String title = "";
    private String status = "open";
    private int steps;

    public SummaryFold(String id) {
        this.id = id;
    }

    /** Goes on from an older summary. */
    public SummaryFold(SessionSummary known) {
        id = known.id();
        started = known.started().toEpochMilli();
        updated = known.updated().toEpochMilli();
        workspace = known.workspace();
        model = known.model();
        agent = known.agent();
        title = known.title();
        status = known.status();
        steps = known.steps();
    }

    /** The same under the id of a copy. */
    public SummaryFold of(String copy) {
        SessionSummary known = summary();
        return new SummaryFold(
                new SessionSummary(
                        copy,
                        known.started(),
                        known.updated(),
                        known.workspace(),
                        known.model(),
                        known.agent(),
                        known.title(),
                        known.status(),
                        known.steps()));
    }

    public void add(JournalRecord record, long ts) {
        started = started < 0 ? ts : started;
        updated = ts;
        // Not a switch over patterns: its first use costs milliseconds before the first request.
        if (record instanceof JournalRecord.Opened it) {
            workspace = it.workspace();
            model = it.model();
            agent = it.agent();
            status = "open";
        } else if (record instanceof JournalRecord.UserSaid it) {
            title = title.isEmpty() ? title(it.text()) : title;
            status = "open";
        } else if (record instanceof JournalRecord.RequestSent it) {
            steps = Math.max(steps, it.step() - 1);
            status = "open";
        } else if (record instanceof JournalRecord.Replied it) {
            steps += SessionFold.isStep(it) ? 1 : 0;
        } else if (record instanceof JournalRecord.Rewound it) {
            steps = it.step();
        } else if (record instanceof JournalRecord.Forked) {
            started = ts; // a session of its own from here on
            status = "open";
        } else if (record instanceof JournalRecord.Ended it) {
            steps = Math.max(steps, it.steps());
            status = it.status();
        }
    }

    public boolean hasTitle() {
        return !title.isEmpty();
    }

    public boolean isEmpty() {
        return started < 0;
    }

    public SessionSummary summary() {
        return new SessionSummary(
                id,
                Instant.ofEpochMilli(Math.max(started, 0)),
                Instant.ofEpochMilli(updated),
                workspace,
                model,
                agent,
                title,
                status,
                steps);
    }

    private static String title(String prompt) {
        String text = prompt.strip();
        int end = text.indexOf('\n');
        String line = end < 0 ? text : text.substring(0, end);
        return PlainText.cut(PlainText.escape(line.strip()), MAX_TITLE);
    }
}
