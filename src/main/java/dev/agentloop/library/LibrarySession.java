package dev.agentloop.library;

import dev.agentloop.context.ContextManager;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.hook.HookBus;
import dev.agentloop.library.run.LibraryVersion;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.replay.Tape;
import dev.agentloop.secret.MaskedJournal;
import dev.agentloop.secret.Placeholders;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.NoJournal;
import dev.agentloop.session.SessionException;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.Workspace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Runs that share a history, its costs, its tools, its hooks and its record. */
final class LibrarySession implements AutoCloseable {
    private static final String AGENT = "library";
    private static final String CUT =
            "Interrupted: the run ended before this call had a result; it may have been carried"
                    + " out.";

    private final String id;
    private final Journal journal;
    private final Placeholders placeholders;
    private final HookBus hooks;
    private final Tape tape;
    private final ToolBox tools;
    private final ContextManager context;
    private final SeenFiles seen = new SeenFiles();
    private final CostTracker costs;
    private final StatsCollector stats;
    private volatile List<Message> history;

    /**
     * @param history to go on from; a call without a result gets one
     * @throws IllegalStateException if its record cannot be begun
     * @throws IllegalArgumentException for a rule about a tool that is not there
     */
    LibrarySession(Blueprint plan, Workspace workspace, List<Message> history) {
        this.context = plan.context().forSession();
        this.tape = plan.tape().get();
        tape.hide(plan.privacy().secrets()::mask);
        if (plan.llm() instanceof CatalogModel model) {
            model.tape().hide(plan.privacy().secrets()::mask); // as when it was recorded
        }
        this.hooks = new HookBus(tape);
        plan.hooks().forEach(register -> register.accept(hooks));
        List<Tool<?>> first = new ArrayList<>();
        plan.tools().forEach(made -> first.add(made.get()));
        this.tools = new ToolBox(first);
        tools.check(plan.judging().rules());
        this.costs = new CostTracker(plan.asking().price(), null, -1);
        this.stats = new StatsCollector(plan.asking().price(), costs);
        this.history = legal(history);
        this.journal = journal(plan); // behind what others make, which may throw: it holds files
        this.id =
                journal.sessionId().isEmpty() ? UUID.randomUUID().toString() : journal.sessionId();
        this.placeholders =
                plan.privacy().redacts()
                        ? Placeholders.of(plan.privacy().secrets(), journal::key)
                        : Placeholders.off();
        journal.append(
                List.of(
                        new JournalRecord.Opened(
                                LibraryVersion.text(),
                                workspace.root().toString(),
                                plan.llm().model().id(),
                                AGENT,
                                plan.config().systemPrompt())),
                true);
    }

    private static Journal journal(Blueprint plan) {
        if (plan.sessions() == null) {
            return new NoJournal();
        }
        try {
            Journal journal = plan.sessions().create();
            return plan.privacy().redacts()
                    ? new MaskedJournal(journal, plan.privacy().secrets())
                    : journal;
        } catch (SessionException e) {
            throw new IllegalStateException("no session can be begun: " + e.getMessage(), e);
        }
    }

    String id() {
        return id;
    }

    Journal journal() {
        return journal;
    }

    /** What the model sees in the place of secrets. */
    Placeholders placeholders() {
        return placeholders;
    }

    ContextManager context() {
        return context;
    }

    HookBus hooks() {
        return hooks;
    }

    Tape tape() {
        return tape;
    }

    ToolBox tools() {
        return tools;
    }

    SeenFiles seen() {
        return seen;
    }

    CostTracker costs() {
        return costs;
    }

    StatsCollector stats() {
        return stats;
    }

    List<Message> history() {
        return history;
    }

    /** A run has brought it so far. */
    void history(List<Message> now) {
        history = legal(now);
    }

    /** A history with these instructions, which take the place of others. */
    static List<Message> from(String systemPrompt, List<Message> messages) {
        List<Message> history = new ArrayList<>();
        if (!systemPrompt.isBlank()) {
            history.add(new Message.System(systemPrompt));
        }
        for (Message message : messages) {
            if (!(message instanceof Message.System) || systemPrompt.isBlank()) {
                history.add(message);
            }
        }
        return history;
    }

    @Override
    public void close() {
        journal.close();
    }

    /** Each call with one result behind it, and no result without its call. */
    static List<Message> legal(List<Message> history) {
        List<Message> legal = new ArrayList<>();
        Map<String, Message.Tool> open = new LinkedHashMap<>();
        for (Message message : history) {
            if (message instanceof Message.Tool result) {
                if (open.remove(result.callId()) != null) {
                    legal.add(result);
                }
                continue;
            }
            legal.addAll(open.values());
            open.clear();
            legal.add(message);
            if (message instanceof Message.Assistant said) {
                said.toolCalls().forEach(call -> open.put(call.id(), unanswered(call.id())));
            }
        }
        legal.addAll(open.values());
        return List.copyOf(legal);
    }

    private static Message.Tool unanswered(String callId) {
        return new Message.Tool(callId, ToolResult.cancelled(CUT));
    }
}
