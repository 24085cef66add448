package dev.agentloop.loop;

import dev.agentloop.context.ContextManager;
import dev.agentloop.context.Prompt;
import dev.agentloop.context.Summarizer;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.message.Compaction;
import dev.agentloop.message.Message;
import dev.agentloop.session.JournalRecord;
import java.util.List;

/**
 * Makes the history of a run shorter, on record: a resumed session sends the same. What is cut off
 * while it is done has changed nothing.
 */
final class Compacting {
    private final ContextManager context;
    private final AgentLoop.LoopPorts ports;

    Compacting(ContextManager context, AgentLoop.LoopPorts ports) {
        this.context = context;
        this.ports = ports;
    }

    /** If it is time to. */
    void fit(Run run, Prompt prompt, Summarizer model) {
        take(run, context.fit(prompt, model));
    }

    /** In any case; false if nothing more can be given up. */
    boolean makeRoom(Run run, Prompt prompt, Summarizer model) {
        return take(run, context.makeRoom(prompt, model));
    }

    /** Because somebody wants it so; false if there is nothing to sum up. */
    boolean compact(Run run, Prompt prompt, Summarizer model) {
        return take(run, context.compact(prompt, model));
    }

    /** The model's server has done it, and its newest reply stands for all before it. */
    void byServer(Run run, Prompt prompt) {
        List<Message> said =
                run.history().stream().filter(it -> it instanceof Message.User).toList();
        Compaction done = Compaction.byServer(said.size());
        List<Message> shorter = done.applyTo(run.history());
        Prompt after = new Prompt(shorter, prompt.besides(), prompt.model());
        long before = context.tokens(prompt);
        ContextManager.Done gain = new ContextManager.Done(done, before, context.tokens(after));
        take(run, new ContextManager.Fitted(shorter, List.of(gain)));
    }

    private boolean take(Run run, ContextManager.Fitted fitted) {
        for (ContextManager.Done done : fitted.done()) {
            Compaction what = done.compaction();
            ports.journal().append(List.of(new JournalRecord.Compacted(what)), true);
            ports.events()
                    .emit(
                            new AgentEvent.ContextCompacted(
                                    done.before(), done.after(), what.by().wireName()));
        }
        if (!fitted.done().isEmpty()) {
            run.history(fitted.history());
        }
        return !fitted.done().isEmpty();
    }
}
