package dev.agentloop.library;

import dev.agentloop.context.ContextManager;
import dev.agentloop.cost.Price;
import dev.agentloop.hook.Hook;
import dev.agentloop.hook.HookBus;
import dev.agentloop.hook.HookObserver;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.hook.StepHooks;
import dev.agentloop.llm.Generation;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.message.Message;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.permission.NobodyToAsk;
import dev.agentloop.permission.Rule;
import dev.agentloop.permission.Verdict;
import dev.agentloop.replay.Tape;
import dev.agentloop.secret.Secrets;
import dev.agentloop.session.SessionStore;
import dev.agentloop.tool.Tool;
import dev.agentloop.wiring.Sessions;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link AgentLoop}. Without a word it has no tools, no instructions, no limit of turns,
 * no hooks, keeps no sessions, and runs the calls of a reply one after another. Tools that the
 * program brings are allowed to run; {@link #confirm}, {@link #deny} and hooks make that stricter.
 */
public final class AgentLoopBuilder {
    private static final Set<HookPoint> NEVER =
            Set.of(HookPoint.PROMPT_BUILD, HookPoint.BUDGET_WARNING);
    private static final Set<HookPoint> BETWEEN_STEPS =
            Set.of(HookPoint.ITERATION, HookPoint.STEP_END);

    private final LlmAdapter llm;
    private final ContextManager context;
    private final List<Supplier<? extends Tool<?>>> tools = new ArrayList<>();
    private final List<Consumer<HookBus>> hooks = new ArrayList<>();
    private final List<Consumer<Message>> observers = new ArrayList<>();
    private final List<Rule> rules = new ArrayList<>();
    private LoopConfig config = LoopConfig.DEFAULT;
    private Blueprint.Asking asking = Blueprint.Asking.DEFAULT;
    private ConfirmPreset preset = ConfirmPreset.YOLO;
    private Approver approver = new NobodyToAsk();
    private final Secrets secrets = Secrets.of(System.getenv());
    private boolean redacts = true;
    private boolean trusted;
    private Path workspace = Path.of("");
    private final List<Path> added = new ArrayList<>();
    private List<Message> history = List.of();
    private @Nullable SessionStore sessions;
    private @Nullable Path records;
    private Supplier<Tape> tape = () -> Tape.NONE;

    AgentLoopBuilder(LlmAdapter llm, ContextManager context) {
        this.llm = llm;
        this.context = context;
        if (llm instanceof CatalogModel known) {
            price(known.price());
        }
    }

    /** All of the configuration at once. */
    public AgentLoopBuilder config(LoopConfig all) {
        config = all;
        return this;
    }

    /** Standing instructions; empty for none. */
    public AgentLoopBuilder systemPrompt(String text) {
        return config(new LoopConfig(text, config.maxTurns(), config.parallelToolExecution()));
    }

    /** Replies of the model in one run; then it is asked for a summary, and the run ends. */
    public AgentLoopBuilder maxTurns(int turns) {
        return config(new LoopConfig(config.systemPrompt(), turns, config.parallelToolExecution()));
    }

    /** Whether calls of one reply that cannot disturb each other run side by side, four at most. */
    public AgentLoopBuilder parallelToolExecution(boolean parallel) {
        return config(new LoopConfig(config.systemPrompt(), config.maxTurns(), parallel));
    }

    /** One more tool; see {@link TypedTool}. */
    public AgentLoopBuilder tool(Tool<?> tool) {
        return tool(() -> tool);
    }

    /** A tool that remembers something: made anew when the history is cleared. */
    public AgentLoopBuilder tool(Supplier<? extends Tool<?>> made) {
        tools.add(made);
        return this;
    }

    /**
     * Takes part in the run's decisions at these moments; a name for people.
     *
     * @throws IllegalArgumentException for a moment that does not come in a loop of one's own:
     *     {@link HookPoint#PROMPT_BUILD} and {@link HookPoint#BUDGET_WARNING}
     */
    public AgentLoopBuilder hook(String name, Collection<HookPoint> at, Hook hook) {
        checkMoments(name, at);
        hooks.add(bus -> bus.deciding(name, at, hook));
        return this;
    }

    /**
     * Hears of these moments and changes nothing; what it throws is a warning.
     *
     * @throws IllegalArgumentException as {@link #hook} does
     */
    public AgentLoopBuilder observer(String name, Collection<HookPoint> at, HookObserver observer) {
        checkMoments(name, at);
        hooks.add(bus -> bus.observing(name, at, observer));
        return this;
    }

    private static void checkMoments(String name, Collection<HookPoint> at) {
        for (HookPoint point : at) {
            if (NEVER.contains(point)) {
                throw new IllegalArgumentException(
                        "the hook "
                                + name
                                + " would never be asked: "
                                + point.wireName()
                                + " does not come in a loop of one's own; the instructions are"
                                + " those of systemPrompt(), and maxPrice() is the limit of money");
            }
        }
    }

    /**
     * Asked before each step and behind its tool calls: go on, end the run ({@code Terminate}),
     * make the history shorter ({@code Compact}), or tell the model something ({@code Inject}).
     *
     * @param made anew for each conversation, so that it may remember what it did
     */
    public AgentLoopBuilder betweenSteps(String name, Supplier<? extends Hook> made) {
        hooks.add(bus -> bus.deciding(name, BETWEEN_STEPS, made.get()));
        return this;
    }

    /** Ends a run before the step that follows when the conversation has cost more, in dollars. */
    public AgentLoopBuilder maxPrice(BigDecimal usd) {
        return betweenSteps("price limit", () -> StepHooks.priceLimit(usd));
    }

    /** Makes the history shorter whenever it has grown to so many tokens. */
    public AgentLoopBuilder autoCompact(long tokens) {
        return betweenSteps("auto-compact", () -> StepHooks.autoCompact(tokens));
    }

    /**
     * Tells the model once that its context is filling up.
     *
     * @param share of {@code maxTokens} from which on, e.g. 0.5
     */
    public AgentLoopBuilder contextWarning(long maxTokens, double share) {
        return betweenSteps("context", () -> StepHooks.contextWarning(maxTokens, share));
    }

    /** Tells the model something once before its first step, e.g. that it is only to plan. */
    public AgentLoopBuilder reminder(String text) {
        return betweenSteps("reminder", () -> StepHooks.reminder(text));
    }

    /**
     * Hears of each message that enters the conversation, once, between steps; what it throws is a
     * warning. Of a summary that takes the place of messages it does not hear.
     */
    public AgentLoopBuilder messageObserver(Consumer<Message> observer) {
        observers.add(observer);
        return this;
    }

    /** Whether the model is asked for its replies in pieces; it is unless this says no. */
    public AgentLoopBuilder enableStreaming(boolean stream) {
        asking =
                new Blueprint.Asking(
                        stream,
                        asking.timeout(),
                        asking.turnTimeout(),
                        asking.maxOutputTokens(),
                        asking.generation(),
                        asking.price());
        return this;
    }

    /** Wall clock of a run, and of one call of the model; null for no limit. */
    public AgentLoopBuilder timeouts(@Nullable Duration run, @Nullable Duration turn) {
        asking =
                new Blueprint.Asking(
                        asking.stream(),
                        run,
                        turn,
                        asking.maxOutputTokens(),
                        asking.generation(),
                        asking.price());
        return this;
    }

    /** How the model is asked to answer; {@code maxOutputTokens} 0 leaves that to it. */
    public AgentLoopBuilder generation(Generation generation, int maxOutputTokens) {
        asking =
                new Blueprint.Asking(
                        asking.stream(),
                        asking.timeout(),
                        asking.turnTimeout(),
                        maxOutputTokens,
                        generation,
                        asking.price());
        return this;
    }

    /** What the model costs; null when unknown. A model of {@link Models} brings its own. */
    public AgentLoopBuilder price(@Nullable Price price) {
        asking =
                new Blueprint.Asking(
                        asking.stream(),
                        asking.timeout(),
                        asking.turnTimeout(),
                        asking.maxOutputTokens(),
                        asking.generation(),
                        price);
        return this;
    }

    /** Which calls need a person's word; {@code approver} gives it. */
    public AgentLoopBuilder confirm(ConfirmPreset which, Approver whom) {
        preset = which;
        approver = whom;
        return this;
    }

    /**
     * Calls that never run, e.g. {@code "delete_account"} or {@code "write_file(**.env)"}. A tool
     * that is named must be there when the loop is built; {@code "delete_*"} holds for those that
     * are added later as well.
     *
     * @throws IllegalArgumentException for a rule that cannot be read
     */
    public AgentLoopBuilder deny(String rule) {
        rules.add(
                Rule.parse(rule, Verdict.DENY)
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "no rule: \"" + rule + "\"; write TOOL or TOOL(PATTERN)")));
        return this;
    }

    /**
     * What the workspace holds may decide what programs do: tools may write CI workflows, build
     * scripts, files of editors and shells that are run on their own, and notes to agents. Without
     * a word they may not, whoever is asked is asked more, and the loop's records and the
     * configuration of the command are closed to them in any case.
     */
    public AgentLoopBuilder trustWorkspace() {
        trusted = true;
        return this;
    }

    /**
     * Whether secrets are kept from the model, which sees placeholders in results of tools, and
     * from records of sessions; they are unless this says no (cassettes never hold them). Secret
     * are variables of the environment whose names say so, what looks like a key, and what {@link
     * #secret} names.
     */
    public AgentLoopBuilder redactSecrets(boolean redact) {
        redacts = redact;
        return this;
    }

    /**
     * One more secret, e.g. from a vault; one that is a word or too short to be told is left out.
     */
    public AgentLoopBuilder secret(String name, String value) {
        secrets.add(name, value);
        return this;
    }

    /** Folder that tools work in; the current one unless this says otherwise. */
    public AgentLoopBuilder workspace(Path folder) {
        workspace = folder;
        return this;
    }

    /**
     * A further folder that tools work in as in the workspace; paths of its files are absolute. It
     * must be there when the loop is built, and neither hold the workspace nor lie in it.
     */
    public AgentLoopBuilder addDir(Path folder) {
        added.add(folder);
        return this;
    }

    /** Goes on from this history; a call in it without a result gets one. */
    public AgentLoopBuilder history(List<Message> messages) {
        history = List.copyOf(messages);
        return this;
    }

    /** Keeps each conversation on record, so that it can be resumed after a crash. */
    public AgentLoopBuilder sessions(SessionStore store) {
        sessions = store;
        return this;
    }

    /** The same in a folder of one's own, as {@code agent sessions} reads it. */
    public AgentLoopBuilder sessions(Path folder) {
        records = folder;
        return sessions(Sessions.store(folder, null));
    }

    /**
     * Stands between the loop and its model and tools: keeps what they answer, or answers in their
     * place, as an engine for durable work does; one for each conversation.
     */
    public AgentLoopBuilder tape(Supplier<Tape> made) {
        tape = made;
        return this;
    }

    /**
     * The loop.
     *
     * @throws IllegalArgumentException for two tools of one name, or a denied one that is not there
     */
    public AgentLoop build() {
        return new AgentLoop(
                new Blueprint(
                        llm,
                        context,
                        config,
                        asking,
                        new Blueprint.Judging(preset, rules, approver, trusted),
                        new Blueprint.Privacy(secrets, redacts),
                        new Blueprint.Places(workspace, added, records),
                        tools,
                        hooks,
                        observers,
                        LibrarySession.from(config.systemPrompt(), history),
                        sessions,
                        tape));
    }
}
