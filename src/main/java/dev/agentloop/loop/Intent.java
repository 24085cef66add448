package dev.agentloop.loop;

import dev.agentloop.session.Journal;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Touch;
import dev.agentloop.undo.ChangeRecorder;
import java.util.List;

/**
 * Waits until a change that is about to happen is on the disk, with what it takes to undo it. The
 * intent itself was written before, so one wait for the disk is enough for both.
 */
record Intent(Journal journal, ChangeRecorder changes, String callId)
        implements ToolContext.Barrier {
    @Override
    public void await(List<Touch> touched) throws ToolException {
        changes.before(callId, touched);
        if (!journal.isDurable()) {
            throw ToolException.denied(refusal(journal));
        }
    }

    static String refusal(Journal journal) {
        return "Not allowed: the session cannot be saved ("
                + journal.failure()
                + "), so nothing is changed any more. Reading still works.";
    }
}
