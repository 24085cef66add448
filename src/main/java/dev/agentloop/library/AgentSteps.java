package dev.agentloop.library;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;

/**
 * A run, step by step: the model is asked, and its tools run, only while {@link #next} does. In
 * between nothing happens, and messages and tools may be changed; that takes effect with the next
 * step. It runs on the caller's thread; {@link #cancel} and {@link #close} may come from another.
 *
 * <pre>{@code
 * try (AgentSteps steps = agent.runStep("Plan the trip.")) {
 *     while (steps.hasNext()) {
 *         switch (steps.next()) {
 *             case StepResult.ToolsExecuted done -> log(done.results());
 *             case StepResult.FinalResponse end -> show(end.result().text());
 *             case StepResult.Error error -> throw error.exception();
 *             default -> {}
 *         }
 *     }
 * }
 * }</pre>
 */
public final class AgentSteps implements Iterator<StepResult>, AutoCloseable {
    private final LibraryRun run;
    private final ToolBox tools;
    private final StepLog log;
    private final Runnable onEnd;
    private final Queue<StepResult> ready = new ArrayDeque<>();
    private volatile boolean over;

    AgentSteps(LibraryRun run, StepLog log, ToolBox tools, Runnable onEnd) {
        this.run = run;
        this.log = log;
        this.tools = tools;
        this.onEnd = onEnd;
    }

    /** Whether the run has not ended, or its end has not been told yet; does nothing itself. */
    @Override
    public boolean hasNext() {
        return !ready.isEmpty() || !over;
    }

    /**
     * Goes on until there is something to tell.
     *
     * @throws NoSuchElementException after {@link StepResult.FinalResponse} or {@link
     *     StepResult.Error}, and when it was closed
     */
    @Override
    public StepResult next() {
        while (ready.isEmpty()) {
            if (over) {
                throw new NoSuchElementException("the run is over");
            }
            step();
        }
        return ready.remove();
    }

    private void step() {
        boolean whole = false;
        try {
            Optional<RunResult> end = run.next();
            ready.addAll(log.take(run.messages()));
            end.ifPresent(this::finish);
            whole = true;
        } catch (LoopException e) {
            finished();
            ready.add(new StepResult.Error(e));
            whole = true;
        } finally {
            if (!whole) {
                finished(); // a bug; no other run must be kept from beginning
            }
        }
    }

    private void finish(RunResult end) {
        finished();
        LoopException failure = run.failure(end);
        if (failure == null) {
            ready.add(new StepResult.FinalResponse(run.result(end)));
        } else if (failure instanceof LoopException.MaxTurns most) {
            ready.add(new StepResult.MaxTurnsReached(most.limit()));
            ready.add(new StepResult.FinalResponse(most.result()));
        } else {
            ready.add(new StepResult.Error(failure));
        }
    }

    private void finished() {
        if (!over) {
            over = true;
            onEnd.run();
        }
    }

    /** The conversation so far, as it is now. */
    public List<Message> messages() {
        return run.messages();
    }

    /**
     * Tells the model something before its next step.
     *
     * @throws IllegalStateException when the run is over
     */
    public void injectMessage(String text) {
        if (over) {
            throw new IllegalStateException("the run is over; say it with the next one");
        }
        run.inject(text);
    }

    /** The tools of the conversation; changes hold from the next step on. */
    public ToolBox tools() {
        return tools;
    }

    /** Stops what is running; the step under way ends with {@link LoopException.Cancelled}. */
    public void cancel() {
        run.cancel();
    }

    /**
     * Gives up a run that has not ended; the conversation keeps what is done. From another thread,
     * it waits for the step under way, so that no other run works beside it.
     */
    @Override
    public void close() {
        if (over) {
            return;
        }
        try {
            run.close();
        } finally {
            if (run.isOver()) { // else it still works: it frees the loop when it is done
                finished();
            }
        }
    }

    /** What a step has done, read from its events. */
    static final class StepLog implements dev.agentloop.event.EventSink {
        private final List<StepResult> compactions = new ArrayList<>();
        private boolean anyTool;

        @Override
        public synchronized void emit(AgentEvent event) {
            if (event instanceof AgentEvent.ContextCompacted(long before, long after, var _)) {
                compactions.add(new StepResult.CompactionOccurred(before, after));
            }
            anyTool |= event instanceof AgentEvent.ToolFinished;
        }

        synchronized List<StepResult> take(List<Message> history) {
            List<StepResult> done = new ArrayList<>(compactions);
            compactions.clear();
            if (anyTool) {
                done.add(newestCalls(history));
            }
            anyTool = false;
            return done;
        }

        /** Behind the results may stand what hooks have said. */
        private static StepResult newestCalls(List<Message> history) {
            List<ToolResult> results = new ArrayList<>();
            List<ToolCall> calls = List.of();
            for (Message message : history.reversed()) {
                if (message instanceof Message.Tool(var _, ToolResult result)) {
                    results.addFirst(result);
                } else if (!results.isEmpty() && message instanceof Message.Assistant said) {
                    calls = said.toolCalls();
                    break;
                }
            }
            return new StepResult.ToolsExecuted(calls, results);
        }
    }
}
