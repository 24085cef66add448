package dev.agentloop.durable.gate;

import dev.agentloop.durable.engine.ObjectLogic;
import dev.agentloop.json.JsonValue;
import dev.agentloop.session.ForwardingJournal;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A journal whose worker has stored what is intended before it may happen. */
final class GatedJournal extends ForwardingJournal {
    private static final String PURE = "PURE";

    private final Journal journal;
    private final Gate gate;

    GatedJournal(Journal journal, Gate gate) {
        super(journal);
        this.journal = journal;
        this.gate = gate;
        gate.tell("SESSION " + journal.location());
    }

    /**
     * What is told after the worker's end is how its process is taken down, such as commands that
     * are killed with it: it would stand there as their result.
     */
    @Override
    public void append(List<JournalRecord> records, boolean force) {
        gate.pass();
        if (records.stream().anyMatch(JournalRecord.RequestSent.class::isInstance)) {
            gate.ask("ASKS");
        }
        journal.append(records, force);
        if (records.stream().anyMatch(GatedJournal::acts)) {
            gate.ask("ACTS");
        } else {
            gate.tell("WROTE");
        }
    }

    private static boolean acts(JournalRecord record) {
        return record instanceof JournalRecord.Touched
                || record instanceof JournalRecord.Intended it && !it.effect().equals(PURE);
    }

    @Override
    public Optional<Waiting> waiting() {
        return Optional.of(this::await);
    }

    private Waiting.Answer await(String call, String signal, Duration most) {
        String wish = new WaitRequest(call, signal, most.toMillis()).json();
        JsonValue answer = ObjectLogic.parsed(gate.ask(WaitRequest.WORD + wish), "{}");
        return new Waiting.Answer(
                Instant.ofEpochMilli(answer.at("now").asLong()),
                answer.has("signal")
                        ? Optional.of(answer.at("signal").textOr(""))
                        : Optional.empty());
    }
}
