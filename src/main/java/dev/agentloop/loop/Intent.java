package dev.agentloop.loop;

import dev.agentloop.session.Journal;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Touch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The record of a change that is about to happen, on its way to the disk. The tool gets ready
 * meanwhile and waits only before the change itself: waiting for the disk is most of what a small
 * edit costs.
 */
final class Intent implements ToolContext.Barrier, AutoCloseable {
    private final Journal journal;
    private final CompletableFuture<Void> kept;

    /**
     * @param write puts the record on the disk, or makes the journal tell that it cannot
     */
    Intent(Journal journal, Runnable write, Executor writers) {
        this.journal = journal;
        this.kept = CompletableFuture.runAsync(write, writers);
    }

    @Override
    public void await(List<Touch> touched) throws ToolException {
        kept.join();
        if (!journal.isDurable()) {
            throw ToolException.denied(refusal(journal));
        }
    }

    /** Whatever became of the tool: its result must not overtake its intent in the journal. */
    @Override
    public void close() {
        kept.join();
    }

    static String refusal(Journal journal) {
        return "Not allowed: the session cannot be saved ("
                + journal.failure()
                + "), so nothing is changed any more. Reading still works.";
    }
}
