package dev.agentloop.loop.call;

import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Touch;
import dev.agentloop.undo.ChangeRecorder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Waits until a change that is about to happen is on the disk, with what it takes to undo it. The
 * intent itself was written before, so one wait for the disk is enough for both; a tool that says
 * early what it will change gets its new content ready meanwhile.
 */
final class Intent implements ToolContext.Barrier, AutoCloseable {
    private final Journal journal;
    private final ChangeRecorder changes;
    private final String callId;
    private final UnaryOperator<String> hide;
    private @Nullable CompletableFuture<Optional<ToolException>> begun;
    private volatile boolean refused;

    /**
     * @param hide takes secrets out of what commands print
     */
    Intent(Journal journal, ChangeRecorder changes, String callId, UnaryOperator<String> hide) {
        this.journal = journal;
        this.changes = changes;
        this.callId = callId;
        this.hide = hide;
    }

    @Override
    public void soFar(String output) {
        journal.append(List.of(new JournalRecord.OutputSoFar(callId, hide.apply(output))), false);
    }

    @Override
    public void prepare(List<Touch> touched) {
        begun = changes.begin(callId, touched);
    }

    @Override
    public void await(List<Touch> touched) throws ToolException {
        refused = true; // unless it comes to the end
        if (begun == null) {
            changes.before(callId, touched);
        } else {
            Optional<ToolException> why = begun.join();
            if (why.isPresent()) {
                throw why.get();
            }
        }
        if (!journal.isDurable()) {
            throw ToolException.denied(refusal(journal));
        }
        refused = false;
    }

    /** Whether the change was not made because it could not be put on record. */
    boolean isRefused() {
        return refused;
    }

    /** Whatever became of the tool: its result must not overtake its intent in the journal. */
    @Override
    public void close() {
        if (begun != null) {
            begun.join();
        }
    }

    static String refusal(Journal journal) {
        return "Not allowed: the session cannot be saved ("
                + journal.failure()
                + "), so nothing is changed any more. Reading still works.";
    }
}
