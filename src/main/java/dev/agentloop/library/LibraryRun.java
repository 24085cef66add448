package dev.agentloop.library;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.library.run.InterruptWatch;
import dev.agentloop.library.run.MessageObservers;
import dev.agentloop.library.run.OpenCalls;
import dev.agentloop.library.run.RememberingLlm;
import dev.agentloop.llm.LlmException;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.message.Usage;
import dev.agentloop.replay.RecordingTape;
import dev.agentloop.secret.MaskedEvents;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.tool.Workspace;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One run of a conversation, step by step: whoever leads it, on whatever thread, does it through
 * this. {@link #next} is for one thread at a time; {@link #cancel} and {@link #close} may come from
 * any.
 */
final class LibraryRun implements AutoCloseable {
    private static final String PERSON = "person";
    private static final Duration PATIENCE = Duration.ofSeconds(10); // tools may need 8 to stop

    private final Blueprint plan;
    private final LibrarySession talk;
    private final Message.User message;
    private final Cancellation interrupts = new Cancellation();
    private final RememberingLlm llm;
    private final OpenCalls openCalls = new OpenCalls();
    private final RunAssembly assembly;
    private final Run run;
    private final Usage usedBefore;
    private final @Nullable BigDecimal paidBefore;
    private Cancellation.@Nullable Registration limit;
    private final long began = System.nanoTime();
    private final ReentrantLock working = new ReentrantLock();
    private final MessageObservers heard;
    private volatile @Nullable RunResult ended;

    /**
     * Puts the run together; nothing happens before {@link #open}.
     *
     * @param sinks hear of what happens
     */
    LibraryRun(
            Blueprint plan,
            LibrarySession talk,
            Workspace workspace,
            Message.User message,
            List<EventSink> sinks) {
        this.plan = plan;
        this.talk = talk;
        this.llm = new RememberingLlm(talk.tape().llm(plan::llm));
        this.usedBefore = talk.costs().usage();
        this.paidBefore = talk.costs().usd();
        List<Message> history = new ArrayList<>(talk.history());
        history.add(message);
        List<EventSink> all = new ArrayList<>(List.of(openCalls));
        all.addAll(sinks);
        if (talk.tape() instanceof EventSink recorder) {
            all.add(new MaskedEvents(recorder, plan.privacy().secrets())); // pieces of text, too
        }
        this.assembly =
                new RunAssembly(
                        plan,
                        talk,
                        workspace,
                        new RunAssembly.Given(llm, history, interrupts),
                        all);
        this.run = assembly.run();
        this.message = message;
        this.heard = new MessageObservers(plan.observers(), assembly.events());
        heard.add(message);
        run.onAdded(heard::add);
    }

    /** Puts on record what is said; nothing is sent before {@link #next}. */
    void open() {
        working.lock();
        try {
            if (ended == null) { // the loop may have been closed meanwhile
                JournalRecord said =
                        new JournalRecord.UserSaid(message.text(), PERSON, message.images());
                talk.journal().append(List.of(said), true);
            }
        } finally {
            working.unlock();
        }
    }

    /** For the name of a thread. */
    String name() {
        return talk.id();
    }

    /** What is said so far, this run included. */
    List<Message> messages() {
        return List.copyOf(run.history());
    }

    /** Said to the model before its next step. */
    void inject(String text) {
        assembly.ports().say(run, text, PERSON);
    }

    /** Stops what is running; safe from any thread. */
    void cancel() {
        interrupts.cancel(new Cause.Interrupt("cancel"));
    }

    /** Falls with the end of the run's time, too. */
    Cancellation work() {
        return run.work();
    }

    /**
     * One step. Whatever breaks in it, the run ends: what it has done is kept and on record.
     *
     * @return the end of the run; empty if there is another step
     * @throws LoopException.Tool if the program broke while it ran a tool
     * @throws LoopException.Unfinished if it broke elsewhere
     */
    Optional<RunResult> next() {
        working.lock();
        try (var _ = InterruptWatch.of(this::cancel)) {
            RunResult end = ended;
            return end == null ? go() : Optional.of(end);
        } catch (RuntimeException bug) {
            throw broken(bug);
        } catch (Error bug) { // as of a test in a callback: not ours to wrap
            end(brokenOff());
            throw bug;
        } finally {
            heard.tell();
            working.unlock();
        }
    }

    private Optional<RunResult> go() {
        if (limit == null) {
            limit = assembly.loop().limit(run, plan.asking().timeout());
            begin();
        }
        assembly.takeUpTools();
        Optional<RunResult> result = assembly.loop().step(run);
        result.ifPresent(this::end);
        return result;
    }

    private void begin() {
        assembly.events().emit(new AgentEvent.UserMessage(message.text(), PERSON));
        assembly.hooks().begins(run);
    }

    private LoopException broken(RuntimeException bug) {
        RunResult broken = brokenOff();
        end(broken);
        String tool = openCalls.any();
        return tool.isEmpty()
                ? new LoopException.Unfinished(bug, result(broken))
                : new LoopException.Tool(tool, bug, result(broken));
    }

    private RunResult brokenOff() {
        return new RunResult(StopReason.INTERNAL_ERROR, "", run.steps());
    }

    /** Once, by who holds {@link #working}. */
    private void end(RunResult result) {
        if (ended != null) {
            return;
        }
        ended = result;
        try {
            if (limit != null) {
                limit.close();
                assembly.hooks().ended(run, result);
            }
        } finally {
            talk.history(run.history());
            heard.addMissing(run.history(), talk.history());
            talk.journal().append(List.of(ended(result)), true);
            if (talk.tape() instanceof RecordingTape recorder) {
                recorder.end(result);
            }
        }
    }

    private JournalRecord ended(RunResult result) {
        long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
        return new JournalRecord.Ended(
                result.status().wireName(),
                result.stopReason().wireName(),
                exitCode(result),
                result.steps(),
                millis);
    }

    /** What the command would have ended with. */
    static int exitCode(RunResult result) {
        return switch (result.status()) {
            case SUCCESS -> 0;
            case PARTIAL -> result.stopReason() == StopReason.USER_INTERRUPT ? 130 : 2;
            case FAILED -> 1;
        };
    }

    /**
     * Ends a run that nobody wants to go on with; the conversation keeps what is done. Waits for
     * the step under way, but not for ever: one that obeys nothing ends the run when it is over.
     */
    @Override
    public void close() {
        try {
            cancel();
        } finally {
            if (!working.isHeldByCurrentThread() && isFree()) {
                try {
                    end(closed());
                    heard.tell();
                } finally {
                    working.unlock();
                }
            }
        }
    }

    private RunResult closed() {
        return new RunResult(StopReason.USER_INTERRUPT, "Interrupted by the user.", run.steps());
    }

    private boolean isFree() {
        try {
            return working.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return working.tryLock();
        }
    }

    /** Whether it has ended, and is on record so. */
    boolean isOver() {
        return ended != null;
    }

    /** The result, for whoever embeds the agent. */
    AgentResult result(RunResult result) {
        BigDecimal usd = talk.costs().usd();
        return new AgentResult(
                result.text(),
                isOver() ? talk.history() : messages(),
                minus(talk.costs().usage(), usedBefore),
                usd == null || paidBefore == null ? null : usd.subtract(paidBefore),
                result.steps(),
                result.stopReason());
    }

    private static Usage minus(Usage all, Usage before) {
        return new Usage(
                all.input() - before.input(),
                all.output() - before.output(),
                all.cacheRead() - before.cacheRead(),
                all.cacheWrite() - before.cacheWrite(),
                all.reasoning() - before.reasoning(),
                all.estimated());
    }

    /** The exception that such an end is; null if the model was done. */
    @Nullable LoopException failure(RunResult end) {
        AgentResult result = result(end);
        return switch (end.stopReason()) {
            case LLM_DONE -> null;
            case MAX_STEPS -> new LoopException.MaxTurns(plan.config().mostSteps(), result);
            case CONTEXT_FULL -> new LoopException.Context(result);
            case USER_INTERRUPT -> new LoopException.Cancelled(result);
            case HOOK_TERMINATED -> hookTerminated(result);
            case LLM_ERROR, AUTH_ERROR -> provider(result);
            case MAX_TOOL_CALLS,
                    BUDGET_EXCEEDED,
                    TIMEOUT,
                    CONFIG_ERROR,
                    OUTPUT_LIMIT,
                    REFUSED,
                    EMPTY_RESPONSE,
                    SCHEMA_MISMATCH,
                    LOOP_DETECTED,
                    SESSION_ERROR,
                    OUTPUT_LOST,
                    INTERNAL_ERROR ->
                    new LoopException.Unfinished(result);
        };
    }

    private LoopException hookTerminated(AgentResult result) {
        return run.work()
                .cause()
                .filter(Cause.HookStop.class::isInstance)
                .map(Cause.HookStop.class::cast)
                .map(stop -> new LoopException.HookTerminated(stop.hook(), stop.reason(), result))
                .orElseGet(() -> new LoopException.HookTerminated("", result.text(), result));
    }

    private LoopException provider(AgentResult result) {
        LlmException failure = llm.failure();
        return failure == null
                ? new LoopException.Unfinished(result)
                : new LoopException.Provider(failure, result);
    }
}
