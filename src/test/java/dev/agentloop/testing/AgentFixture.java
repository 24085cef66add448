package dev.agentloop.testing;

import dev.agentloop.context.CompactingContext;
import dev.agentloop.context.ContextManager;
import dev.agentloop.context.Truncation;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.SystemTime;
import dev.agentloop.control.Time;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.cost.Ledger;
import dev.agentloop.cost.Price;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventFan;
import dev.agentloop.event.EventSink;
import dev.agentloop.event.Tally;
import dev.agentloop.guardrail.RunGuardrails;
import dev.agentloop.hook.HookBus;
import dev.agentloop.hook.PostEditHooks;
import dev.agentloop.llm.Generation;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.loop.AgentLoop;
import dev.agentloop.loop.AgentRun;
import dev.agentloop.loop.FollowUp;
import dev.agentloop.loop.SelfEvaluation;
import dev.agentloop.loop.call.ToolPorts;
import dev.agentloop.loop.call.ToolRunner;
import dev.agentloop.loop.call.ToolSettings;
import dev.agentloop.loop.call.ToolTape;
import dev.agentloop.loop.run.AnswerCheck;
import dev.agentloop.loop.run.FinalChecks;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunHooks;
import dev.agentloop.loop.run.RunListener;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.Watchdogs;
import dev.agentloop.message.Message;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.Circumstances;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.permission.Guardrails;
import dev.agentloop.permission.NobodyToAsk;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.permission.Rule;
import dev.agentloop.permission.Supervision;
import dev.agentloop.permission.Verdict;
import dev.agentloop.secret.Placeholders;
import dev.agentloop.secret.Secrets;
import dev.agentloop.syntax.SyntaxCheck;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.call.ToolRegistry;
import dev.agentloop.wiring.Assembly;
import dev.agentloop.wiring.prompt.Prompts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A whole run in memory: the real loop and tool runner around a scripted model. */
public final class AgentFixture {
    private final LlmAdapter llm;
    private final List<Tool<?>> tools = new ArrayList<>();
    private final List<Rule> rules = new ArrayList<>();
    private final List<AgentEvent> events = new ArrayList<>();
    private final Cancellation interrupts = new Cancellation();
    private final Tally tally = new Tally();
    private Secrets secrets = Secrets.of(Map.of());
    private MemoryJournal journal = new MemoryJournal();
    private ConfirmPreset preset = ConfirmPreset.YOLO;
    private Supervision use = Supervision.UNTRUSTED_TERMINAL;
    private RunGuardrails guardrails = RunGuardrails.none();
    private Approver approver = new NobodyToAsk();
    private PostEditHooks hooks = PostEditHooks.NONE;
    private final HookBus bus = new HookBus();
    private final EventFan fan = new EventFan(List.of(tally, this::keep));
    private LoopSettings settings =
            limits(Watchdogs.Limits.of(50, Optional.empty(), Optional.empty()));
    private ToolSettings toolSettings = new ToolSettings(true, 4, 32, false);
    private final List<RunListener> listeners = new ArrayList<>();
    private boolean mayCheck;
    private final List<FollowUp> followUps = new ArrayList<>();
    private Truncation truncation = Truncation.fixed(2000, 80_000);
    private CostTracker costs = new CostTracker(null, null, -1);
    private Time time = new SystemTime();
    private @Nullable Function<String, SelfEvaluation.Settings> evaluation;
    private long contextTokens = 100_000;
    private Path folder = TemporaryFolder.create();
    private Run run = new Run(List.of(), costs, interrupts);

    private AgentFixture(LlmAdapter llm) {
        this.llm = llm;
    }

    public static AgentFixture with(LlmAdapter llm) {
        return new AgentFixture(llm);
    }

    public AgentFixture tool(Tool<?> tool) {
        tools.add(tool);
        return this;
    }

    public AgentFixture supervised(Supervision by) {
        use = by;
        return this;
    }

    public AgentFixture mayCheck() {
        mayCheck = true;
        return this;
    }

    public AgentFixture in(Path workspace) {
        folder = workspace;
        return this;
    }

    public AgentFixture denying(String rule) {
        rules.add(Rule.parse(rule, Verdict.DENY).orElseThrow());
        return this;
    }

    public AgentFixture confirming(ConfirmPreset newPreset) {
        preset = newPreset;
        return this;
    }

    public AgentFixture asking(Approver newApprover) {
        approver = newApprover;
        return this;
    }

    public AgentFixture secrets(Secrets newSecrets) {
        secrets = newSecrets;
        return this;
    }

    public AgentFixture hooks(PostEditHooks newHooks) {
        hooks = newHooks;
        return this;
    }

    /** Hooks of the process itself are registered here. */
    public HookBus bus() {
        return bus;
    }

    public AgentFixture maxSteps(int steps) {
        settings =
                limits(
                        Watchdogs.Limits.of(
                                steps,
                                settings.limits().timeout(),
                                settings.limits().stepTimeout()));
        return this;
    }

    public AgentFixture timeout(@Nullable Duration timeout, @Nullable Duration stepTimeout) {
        settings =
                limits(
                        Watchdogs.Limits.of(
                                50,
                                Optional.ofNullable(timeout),
                                Optional.ofNullable(stepTimeout)));
        return this;
    }

    private LoopSettings limits(Watchdogs.Limits limits) {
        return new LoopSettings(
                limits,
                3,
                0,
                true,
                Generation.DEFAULT,
                AnswerCheck.ANY,
                FinalChecks.NONE,
                () -> mayCheck);
    }

    public AgentFixture tools(ToolSettings newSettings) {
        toolSettings = newSettings;
        return this;
    }

    public AgentFixture context(long tokens) {
        contextTokens = tokens;
        return this;
    }

    public AgentFixture truncation(Truncation newTruncation) {
        truncation = newTruncation;
        return this;
    }

    /** Tokens that each reply may have. */
    public AgentFixture maxOutput(int tokens) {
        settings =
                new LoopSettings(
                        settings.limits(),
                        3,
                        tokens,
                        true,
                        Generation.DEFAULT,
                        AnswerCheck.ANY,
                        FinalChecks.NONE,
                        () -> mayCheck);
        return this;
    }

    /** Prices in dollars per million tokens, the same for every kind. */
    public AgentFixture budget(String usd, String perMillion) {
        return budget(usd, perMillion, -1);
    }

    public AgentFixture maxToolCalls(long calls) {
        costs = new CostTracker(null, new Ledger(new Ledger.Caps(null, -1, calls)));
        return this;
    }

    public AgentFixture journal(MemoryJournal newJournal) {
        journal = newJournal;
        return this;
    }

    public AgentFixture time(Time newTime) {
        time = newTime;
        return this;
    }

    /** Also hears what happens, when and where it does. */
    public AgentFixture hearing(EventSink sink) {
        fan.add(sink);
        return this;
    }

    /** Both caps. */
    public AgentFixture budget(String usd, String perMillion, long tokens) {
        BigDecimal price = new BigDecimal(perMillion);
        costs =
                new CostTracker(
                        new Price(price, price, price, price, price), new BigDecimal(usd), tokens);
        return this;
    }

    public RunResult run(String prompt) {
        return run(List.of(), prompt);
    }

    /** Behind what was said in earlier runs. */
    public RunResult run(List<Message> earlier, String prompt) {
        List<Message> history = new ArrayList<>();
        history.add(new Message.System("You are a test."));
        history.addAll(earlier);
        history.add(new Message.User(prompt));
        run = new Run(history, costs, interrupts);
        RunHooks runHooks = new RunHooks(bus, journal, fan, time, text -> text);
        RunPorts ports = new RunPorts(journal, runHooks.listening(fan), time, runHooks);
        ContextManager context =
                new CompactingContext(
                        truncation, new CompactingContext.Limits(contextTokens, 8, 4));
        Assembly assembly = assembly(context, ports);
        ToolRunner runner = assembly.tools(registry(assembly), judging(assembly));
        AgentLoop loop = assembly.loop(runner, settings);
        List<FollowUp> all = new ArrayList<>(followUps);
        if (evaluation != null) {
            all.add(
                    new SelfEvaluation(
                            loop,
                            runner,
                            ports,
                            evaluation.apply(prompt),
                            () -> settings.limits().timeout().orElse(null)));
        }
        listeners.add(runHooks);
        return new AgentRun(
                        run,
                        loop,
                        AgentRun.Work.TASK,
                        all,
                        listeners,
                        () -> settings.limits().timeout().orElse(null))
                .execute();
    }

    /** Accompanies the run, before its hooks. */
    public AgentFixture listener(RunListener listener) {
        listeners.add(listener);
        return this;
    }

    /** Comes behind the loop, before the work is judged. */
    public AgentFixture followUp(FollowUp next) {
        followUps.add(next);
        return this;
    }

    /** Has finished work judged, and corrected so many times. */
    public AgentFixture judged(int corrections) {
        Prompts prompts = new Prompts();
        evaluation =
                task ->
                        new SelfEvaluation.Settings(
                                task,
                                corrections == 0 ? "basic" : "full",
                                corrections,
                                new BigDecimal("0.8"),
                                prompts.judge(),
                                prompts.correction());
        return this;
    }

    public Cancellation interrupts() {
        return interrupts;
    }

    public Run run() {
        return run;
    }

    public Tally tally() {
        return tally;
    }

    public CostTracker costs() {
        return costs;
    }

    public MemoryJournal journal() {
        return journal;
    }

    public synchronized List<AgentEvent> events() {
        return List.copyOf(events);
    }

    public <E> List<E> events(Class<E> kind) {
        return events().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Results of the tool calls so far, in history order. */
    public List<Message.Tool> results() {
        return run.history().stream()
                .filter(Message.Tool.class::isInstance)
                .map(Message.Tool.class::cast)
                .toList();
    }

    private Assembly assembly(ContextManager context, RunPorts ports) {
        try {
            return new Assembly(
                    llm,
                    context,
                    costs,
                    ports,
                    new ToolPorts.Files(
                            new Workspace(folder),
                            new SeenFiles(),
                            Placeholders.of(secrets, journal::key),
                            SyntaxCheck.NONE),
                    hooks,
                    toolSettings,
                    ToolTape.NONE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ToolRegistry registry(Assembly assembly) {
        return new ToolRegistry(tools, assembly.files().workspace());
    }

    private ToolPorts.Judging judging(Assembly assembly) {
        Path root = assembly.files().workspace().root();
        PermissionPolicy policy =
                new PermissionPolicy(
                        rules, preset, Circumstances.plain(use, root), Guardrails.NONE);
        return new ToolPorts.Judging(policy, approver, guardrails);
    }

    private synchronized void keep(AgentEvent event) {
        events.add(event);
    }
}
