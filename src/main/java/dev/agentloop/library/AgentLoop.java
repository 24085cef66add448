package dev.agentloop.library;

import dev.agentloop.context.ContextManager;
import dev.agentloop.control.Cancellation;
import dev.agentloop.event.EventSink;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.message.Message;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.Workspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An agent in a program: a model, what keeps its context small, and tools. It remembers what was
 * said from one run to the next. It is the same loop that the command line runs.
 *
 * <pre>{@code
 * try (AgentLoop agent = AgentLoop.builder(llm, Contexts.slidingWindow(20, 100_000))
 *         .systemPrompt("You plan trips.")
 *         .tool(weather)
 *         .build()) {
 *     System.out.println(agent.runText("Do I need a coat in Paris?").text());
 * }
 * }</pre>
 *
 * <p>One run at a time; {@link #cancel}, {@link #stats} and {@link #messages} may come from any
 * thread. The model belongs to whoever made it and is not closed with the loop.
 */
public final class AgentLoop implements AutoCloseable {
    private final Blueprint plan;
    private final Workspace workspace;
    private final AtomicReference<@Nullable LibraryRun> current = new AtomicReference<>();
    private final AtomicInteger runs = new AtomicInteger();
    private volatile LibrarySession talk;
    private volatile boolean closed;

    AgentLoop(Blueprint plan) {
        this.plan = plan;
        try {
            this.workspace = new Workspace(plan.places().workspace()).adding(added(plan));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the workspace " + plan.places().workspace() + " cannot be used", e);
        }
        this.talk = new LibrarySession(plan, workspace, plan.history());
    }

    private static List<Path> added(Blueprint plan) throws IOException {
        Path workspace = plan.places().workspace().toRealPath();
        List<Path> all = new ArrayList<>();
        for (Path folder : plan.places().added()) {
            Path real = folder.toRealPath();
            boolean apart = !real.startsWith(workspace) && !workspace.startsWith(real);
            if (!apart || !Files.isDirectory(real)) {
                throw new IllegalArgumentException(
                        folder + " is no folder apart from the workspace " + workspace);
            }
            all.add(real);
        }
        return all;
    }

    /** Begins to build a loop; the model and what keeps its context small are all it needs. */
    public static AgentLoopBuilder builder(LlmAdapter llm, ContextManager context) {
        return new AgentLoopBuilder(llm, context);
    }

    /** A loop with these tools and this configuration, and all else as the builder has it. */
    public static AgentLoop of(
            LlmAdapter llm, List<Tool<?>> tools, ContextManager context, LoopConfig config) {
        AgentLoopBuilder builder = builder(llm, context).config(config);
        tools.forEach(builder::tool);
        return builder.build();
    }

    /**
     * Says something and lets the model work until it is done.
     *
     * @throws LoopException if it ends before it is done
     * @throws IllegalStateException while another run is under way
     */
    public AgentResult run(Message.User message) {
        return run(message, new Cancellation());
    }

    /** The same, and the run ends within a second when the cancellation falls. */
    public AgentResult run(Message.User message, Cancellation cancellation) {
        return run(message, _ -> {}, cancellation);
    }

    /**
     * The same, while {@code events} hears all that happens, as it happens. This is the one way to
     * hear a run: {@link #runStream}, {@link #act} and {@link #runStep} are views of these events.
     *
     * @param events hears from the run's threads, one at a time; must not block
     */
    public AgentResult run(Message.User message, EventSink events, Cancellation cancellation) {
        LibraryRun run = begin(message, List.of(events));
        try (Cancellation.Registration _ = cancellation.onCancel(run::cancel)) {
            return complete(run);
        } finally {
            free(run);
        }
    }

    /** The same with plain words. */
    public AgentResult runText(String text) {
        return run(new Message.User(text));
    }

    /**
     * Says something and lets the model work on a thread of its own, while its events are read.
     *
     * @throws IllegalStateException while another run is under way
     */
    public EventStream<StreamEvent> runStream(String text) {
        return runStream(new Message.User(text));
    }

    /** The same with a message. */
    public EventStream<StreamEvent> runStream(Message.User message) {
        EventBuffer<StreamEvent> buffer = new EventBuffer<>(EventStream.CAPACITY);
        StreamEvents events = new StreamEvents(buffer);
        LibraryRun run = begin(message, List.of(events));
        return new Streaming<>(buffer, run)
                .start(
                        () -> completeAndFree(run),
                        events::done,
                        failure -> {
                            events.failed(failure);
                            return false;
                        });
    }

    /**
     * The same in the shapes that a user interface shows. A limit or a hook that ends the run is
     * the last event; anything else that keeps the model from being done is thrown to the reader.
     */
    public EventStream<ActEvent> act(String text) {
        EventBuffer<ActEvent> buffer = new EventBuffer<>(EventStream.CAPACITY);
        String name = talk.id() + "-" + runs.get();
        ActEvents events = new ActEvents(buffer, talk.tools(), name);
        LibraryRun run = begin(new Message.User(text), List.of(events));
        return new Streaming<>(buffer, run)
                .start(() -> completeAndFree(run), _ -> {}, failure -> endsActing(events, failure));
    }

    private static boolean endsActing(ActEvents events, LoopException failure) {
        boolean stopped =
                failure instanceof LoopException.MaxTurns
                        || failure instanceof LoopException.HookTerminated
                        || failure instanceof LoopException.Unfinished
                                && failure.getCause() == null;
        if (stopped) {
            events.stopped(failure);
        }
        return !stopped;
    }

    /**
     * Says something; the model works on it only while the steps are asked for.
     *
     * @throws IllegalStateException while another run is under way
     */
    public AgentSteps runStep(String text) {
        return runStep(new Message.User(text));
    }

    /** The same with a message. */
    public AgentSteps runStep(Message.User message) {
        AgentSteps.StepLog log = new AgentSteps.StepLog();
        LibraryRun run = begin(message, List.of(log));
        return new AgentSteps(run, log, talk.tools(), () -> free(run));
    }

    private LibraryRun begin(Message.User message, List<EventSink> sinks) {
        if (closed) {
            throw new IllegalStateException("this loop is closed");
        }
        LibraryRun run = new LibraryRun(plan, talk, workspace, message, sinks);
        if (!current.compareAndSet(null, run)) {
            throw new IllegalStateException(
                    "a run of this loop is under way; close it, or build another loop");
        }
        try {
            if (closed) { // between the two looks
                throw new IllegalStateException("this loop is closed");
            }
            runs.incrementAndGet();
            run.open();
            return run;
        } catch (RuntimeException | Error e) {
            free(run); // another run must not be kept from beginning
            throw e;
        }
    }

    private void free(LibraryRun run) {
        current.compareAndSet(run, null);
    }

    private AgentResult completeAndFree(LibraryRun run) {
        try {
            return complete(run);
        } finally {
            free(run);
        }
    }

    private static AgentResult complete(LibraryRun run) {
        Optional<RunResult> end = Optional.empty();
        while (end.isEmpty()) {
            end = run.next();
        }
        LoopException failure = run.failure(end.get());
        if (failure != null) {
            throw failure;
        }
        return run.result(end.get());
    }

    /** Stops the run under way, tools and what they started included; harmless without one. */
    public void cancel() {
        LibraryRun run = current.get();
        if (run != null) {
            run.cancel();
        }
    }

    /** What was said so far; of a run under way, its beginning. */
    public List<Message> messages() {
        return talk.history();
    }

    /** The tools; changes hold from the next step on, also of a run that is under way. */
    public ToolBox tools() {
        return talk.tools();
    }

    /** What the conversation has used so far. */
    public AgentStats stats() {
        return talk.stats().stats();
    }

    /** Names the conversation, and its record if it is kept. */
    public String sessionId() {
        return talk.id();
    }

    /**
     * Begins a new conversation, of which only the system prompt is left: statistics, hooks and
     * tools begin anew. The old one stays on record if sessions are kept.
     *
     * @throws IllegalStateException while a run is under way
     */
    public void clearHistory() {
        if (current.get() != null) {
            throw new IllegalStateException("a run is under way; close or cancel it first");
        }
        LibrarySession old = talk;
        talk =
                new LibrarySession(
                        plan,
                        workspace,
                        LibrarySession.from(plan.config().systemPrompt(), List.of()));
        old.close();
    }

    /**
     * Ends what is under way, as a run that was cancelled, and closes the conversation's record.
     */
    @Override
    public void close() {
        closed = true;
        try {
            LibraryRun run = current.get();
            if (run != null) {
                run.close();
            }
        } finally {
            talk.close();
        }
    }
}
