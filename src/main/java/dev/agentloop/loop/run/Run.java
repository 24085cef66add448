package dev.agentloop.loop.run;

import dev.agentloop.control.Cancellation;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.cost.Ledger;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.message.Compaction;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.verification.CheckedWork;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One prompt until a result: the only thing in the loop that changes. Used by one thread. */
public final class Run {
    private static final int MAX_CORRECTIONS = 2;

    private List<Message> history;
    private @Nullable Consumer<Message> added;
    private Supplier<List<String>> said = List::of;
    private final @Nullable Message task;
    private final CostTracker costs;
    private final Cancellation interrupts;
    private final Cancellation work;
    private final StringBuilder pendingText = new StringBuilder();
    private final List<String> planned = new CopyOnWriteArrayList<>();
    private final List<String> unsaved = new CopyOnWriteArrayList<>();
    private final LoopDetector loop = new LoopDetector();
    private final CheckedWork checkedWork = new CheckedWork();
    private final AtomicInteger steps = new AtomicInteger();
    private List<FinalChecks.Check> checks = List.of();
    private String promise = "";
    private long lastSize;
    private Ledger.@Nullable Needed needed;
    private final AtomicBoolean timeNears = new AtomicBoolean();
    private int continuations;
    private boolean nudged;
    private int corrections;
    private int mended;
    private List<ToolCall> cutOff = List.of();
    private final Set<String> changedFiles = Collections.synchronizedSet(new LinkedHashSet<>());

    /**
     * @param history legal history that ends with the user's prompt, system message first
     * @param interrupts falls when a signal or a lost output ends the run
     */
    public Run(List<Message> history, CostTracker costs, Cancellation interrupts) {
        this.history = new ArrayList<>(history);
        this.task = history.isEmpty() ? null : history.getLast();
        this.costs = costs;
        this.interrupts = interrupts;
        this.work = interrupts.child().cancellation();
    }

    /** What is sent of the session so far; only grows between compactions. */
    public List<Message> history() {
        return Collections.unmodifiableList(history);
    }

    /** A compaction has made it shorter; the journal keeps what is gone. */
    public void history(List<Message> shorter) {
        history = new ArrayList<>(shorter);
        lastSize = 0;
    }

    /** The reply to its history has been counted: both have so many tokens. */
    public void measured(long tokens) {
        lastSize = tokens;
    }

    /** Tokens that the next prompt has at least; 0 if nobody knows. */
    public long lastSize() {
        return lastSize;
    }

    /** A call was not sent: caps that are too small for it, and what they would have to be. */
    public void refused(Ledger.Needed caps) {
        needed = caps;
    }

    /** Caps with which the call that was not sent would fit. */
    public Optional<Ledger.Needed> needed() {
        return Optional.ofNullable(needed);
    }

    public int steps() {
        return steps.get();
    }

    public CostTracker costs() {
        return costs;
    }

    /** Falls with a signal or the run's deadline; everything but the closing call obeys it. */
    public Cancellation work() {
        return work;
    }

    /** Falls with a signal only; the closing call obeys it. */
    public Cancellation interrupts() {
        return interrupts;
    }

    /** Most of its time is over. Safe from any thread, and never blocks. */
    public void timeNears() {
        timeNears.set(true);
    }

    /** True once behind {@link #timeNears}. */
    public boolean takeTimeNears() {
        return timeNears.getAndSet(false);
    }

    /** Notices a model that goes round in circles. */
    public LoopDetector loop() {
        return loop;
    }

    /** Knows which changes were checked. */
    public CheckedWork checkedWork() {
        return checkedWork;
    }

    /** Actions that a dry run recorded instead of taking them. */
    public List<String> planned() {
        return List.copyOf(planned);
    }

    /** A dry run records an action, its own or that of an agent that works for it. */
    public void plan(String action) {
        planned.add(action);
    }

    /** Calls that were not made because the session could not be saved, and are not made since. */
    public List<String> unsaved() {
        return List.copyOf(unsaved);
    }

    /** Notes whether such a call was made, its own or that of an agent that works for it. */
    public void unsaved(String call, boolean refused) {
        unsaved.remove(call);
        if (refused) {
            unsaved.add(call);
        }
    }

    /** Who tells what a person wants the model to know before its next step. */
    public void hears(Supplier<List<String>> person) {
        said = person;
    }

    /** What a person wants the model to know now; each is told once. */
    public List<String> takeSaid() {
        return said.get();
    }

    /** Who hears of each message that is added from now on; once, on the loop's thread. */
    public void onAdded(Consumer<Message> listener) {
        added = listener;
    }

    public void add(Message message) {
        history.add(message);
        if (added != null) {
            added.accept(message);
        }
    }

    public void addAll(List<? extends Message> messages) {
        for (Message message : messages) {
            add(message);
            if (message instanceof Message.Tool tool) {
                tool.result().changes().forEach(change -> changedFiles.add(change.path()));
            }
        }
    }

    /**
     * Calls that are to be made before the model is asked.
     *
     * @param calls of the last reply, that only read; the history says that they did not run
     */
    public void begin(List<ToolCall> calls) {
        cutOff = List.copyOf(calls);
    }

    /** Steps of earlier runs of the same task count, too. */
    public void countFrom(int earlierSteps) {
        steps.set(earlierSteps);
    }

    public List<ToolCall> takeCutOff() {
        List<ToolCall> calls = cutOff;
        cutOff = List.of();
        return calls;
    }

    /** Takes the place of the last result of the same call. */
    public void answer(Message.Tool result) {
        for (int i = history.size() - 1; i >= 0; i--) {
            boolean same =
                    history.get(i) instanceof Message.Tool old
                            && old.callId().equals(result.callId());
            if (same) {
                history.set(i, result);
                return;
            }
        }
    }

    /** Whether a tool of this run has changed a file; what came before it does not count. */
    boolean hasChangedFiles() {
        return !changedFiles.isEmpty();
    }

    public void checked(List<FinalChecks.Check> results) {
        checks = List.copyOf(results);
    }

    /** What was checked last when the model said it was done. */
    public List<FinalChecks.Check> checks() {
        return checks;
    }

    /** Files that tools of this run have changed, in order. */
    public List<String> changedFiles() {
        synchronized (changedFiles) {
            return List.copyOf(changedFiles);
        }
    }

    /** An agent that works for this run has changed a file. Safe from any thread. */
    public void alsoChanged(String path) {
        changedFiles.add(path);
    }

    /** Another agent goes on between two steps: its instructions replace the old ones. */
    public void takeOver(Message.System system) {
        history.set(0, system);
        forgetText();
        loop.forget();
    }

    /**
     * What is sent from now on is the session's first task, what was said in the person's place in
     * this run, and the last step.
     *
     * @return what was done, so that a resumed run does it again
     */
    public Compaction forgetAllButLastStep() {
        int from = task == null ? 0 : Math.max(0, history.lastIndexOf(task));
        long users =
                history.subList(from, history.size()).stream()
                        .filter(Message.User.class::isInstance)
                        .count();
        Compaction rest = Compaction.allButLastStep(history, Math.toIntExact(users));
        history(rest.applyTo(history));
        return rest;
    }

    /** Another agent takes over: its instructions replace the old ones, the rest stays. */
    public void startNextPhase(Message.System system, String prompt) {
        history.set(0, system);
        add(new Message.User(prompt));
        forgetText();
        loop.forget();
        continuations = 0;
        nudged = false;
    }

    /** The reply of a step; one without any block only counts as a step. */
    public void add(LlmResponse reply) {
        steps.incrementAndGet();
        if (!reply.message().blocks().isEmpty()) {
            add(reply.message());
        }
    }

    /** The reply's text behind that of replies that it continues. */
    public String joinedText(LlmResponse reply) {
        return pendingText + reply.message().text();
    }

    /** What the model said when it promised calls and made none; no answer, but all there is. */
    String promise() {
        return promise;
    }

    /** What the model said so far of an answer that is not whole; may be empty. */
    public String unfinishedText() {
        return pendingText.toString().isBlank() ? promise : pendingText.toString();
    }

    public void keepText(LlmResponse reply) {
        pendingText.append(reply.message().text());
    }

    /** Text of a reply after which the program says something. */
    public void keepText(LlmResponse reply, Ending.Prompt prompt) {
        if (prompt == Ending.Prompt.CONTINUE) {
            keepText(reply);
            continuations++;
        } else {
            String said = joinedText(reply);
            promise = said.isBlank() ? promise : said;
            pendingText.setLength(0);
        }
    }

    public void forgetText() {
        pendingText.setLength(0);
        promise = "";
    }

    int continuations() {
        return continuations;
    }

    /** True twice: a model that cannot mend its answer then, will not. */
    boolean mayCorrect() {
        corrections++;
        return corrections <= MAX_CORRECTIONS;
    }

    /** True so many times: what the checks of the end find may be mended. */
    public boolean mayMend(int times) {
        mended++;
        return mended <= times;
    }

    /** True the first time only: an empty answer is asked about once. */
    boolean mayNudge() {
        boolean first = !nudged;
        nudged = true;
        return first;
    }
}
