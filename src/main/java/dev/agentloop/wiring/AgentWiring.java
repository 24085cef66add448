package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.context.ContextManager;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.WholeReplies;
import dev.agentloop.guardrail.RunGuardrails;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.loop.AgentLoop;
import dev.agentloop.loop.Closing;
import dev.agentloop.loop.MixedMode;
import dev.agentloop.loop.ModelCalls;
import dev.agentloop.loop.SelfEvaluation;
import dev.agentloop.loop.call.ToolPorts;
import dev.agentloop.loop.call.ToolRunner;
import dev.agentloop.loop.call.ToolSettings;
import dev.agentloop.loop.run.AnswerCheck;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunHooks;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.Watchdogs;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.FileScope;
import dev.agentloop.permission.Guardrails;
import dev.agentloop.permission.OncePerServer;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.permission.Supervision;
import dev.agentloop.profile.Roster;
import dev.agentloop.prompt.PromptBuilder;
import dev.agentloop.secret.Placeholders;
import dev.agentloop.session.EarlierHistory;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.call.PreparedCall;
import dev.agentloop.tool.call.ToolRegistry;
import dev.agentloop.wiring.model.Providers;
import dev.agentloop.wiring.prompt.ContextManagers;
import dev.agentloop.wiring.prompt.DemoProject;
import dev.agentloop.wiring.prompt.EarlierRuns;
import dev.agentloop.wiring.prompt.Prompts;
import dev.agentloop.wiring.prompt.SelfEvaluations;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Wires one run by hand: no container, no scanning, nothing made that the run does not use. */
public final class AgentWiring {
    private final RunSetup setup;
    private final RunSurroundings around;
    private final String version;
    private final Prompts prompts = new Prompts();
    private final Workspace workspace;
    private final SeenFiles seen = new SeenFiles();
    private final Placeholders placeholders;
    private final ContextManager context;
    private final LlmAdapter llm;
    private final AgentLoop.LoopPorts ports;
    private final OptionalFeatures onDemand;
    private final PromptAssembly assembly;
    private final RunHooks hooks;
    private final ToolRegistry registry;
    private final Approver approver;
    private final RunGuardrails guardrails;
    private final long started;
    private volatile Profile atWork;

    /**
     * @param version of this program, for the journal
     * @param started monotonic nanoseconds at which the run's time began
     */
    public AgentWiring(RunSetup setup, RunSurroundings around, String version, long started)
            throws IOException {
        this.setup = setup;
        this.around = around;
        this.version = version;
        this.started = EarlierRuns.started(started, setup, around);
        AgentConfig config = setup.config();
        this.atWork = profile(setup.agent());
        FileScope planned = setup.mixed() ? profile("plan").reach() : FileScope.ALL;
        this.workspace =
                new Workspace(setup.workspace(), List.of(around.processes().outputFolder()))
                        .leavingOut(file ->
                                Guardrails.isAmong(config.guardrails().sensitiveFiles(), file)
                                        || !atWork.reach().mayRead(file)
                                        || !planned.mayRead(file));
        this.placeholders =
                config.secrets().redactToModel()
                        ? Placeholders.of(around.secrets(), around.journal()::key)
                        : Placeholders.off();
        this.context = ContextManagers.of(setup);
        this.onDemand = OptionalFeatures.of(setup, around, workspace.root(), prompts);
        this.llm = around.tape().llm(() -> Providers.open(setup, around));
        this.assembly =
                new PromptAssembly(
                        setup, around, workspace, placeholders::hide, this::explain, onDemand);
        this.hooks = Hooks.of(setup, around, workspace.root(), placeholders::hide, assembly);
        this.ports =
                new AgentLoop.LoopPorts(
                        around.journal(), hooks.listening(around.events()), around.time(), hooks);
        this.registry = registry(config);
        this.approver = new OncePerServer(around.approver());
        this.guardrails = GuardrailChecks.guardrails(config.guardrails());
    }

    private ToolRegistry registry(AgentConfig config) {
        return Tools.builtin(
                new Tools.Parts(
                        config,
                        around.processes(),
                        around.environment(),
                        around.person(),
                        around.attended(),
                        setup.model().model().info().capabilities().images(),
                        onDemand.tools(around.servers().tools())),
                workspace);
    }

    /** Opens the session's record and puts the loop together. */
    public WiredRun wire() {
        Profile first = setup.mixed() ? profile("plan") : profile(setup.agent());
        CostTracker costs = Costs.of(setup);
        Run run =
                new Run(around.tape().history(() -> open(first, true)), costs, around.interrupts());
        EarlierRuns.begin(run, setup, around);
        ToolRunner tools = tools(first);
        List<String> names = tools.specs().stream().map(ToolSpec::name).toList();
        Supplier<RunResult> work =
                setup.mixed() ? mixed(run, whole(tools, AnswerCheck.ANY)) : single(run, tools);
        List<String> guidance = isAgentOf(first) ? List.of() : assembly.guidance();
        return new WiredRun(run, costs, llm, names, guidance, work);
    }

    /** Like {@link #wire}, but for a run that only sums up the old steps of its session. */
    public WiredRun wireCompaction() {
        Profile profile = profile(setup.agent());
        CostTracker costs = Costs.of(setup);
        List<Message> history = around.tape().history(() -> open(profile, false));
        Run run = new Run(history, costs, around.interrupts());
        ToolRunner tools = tools(profile);
        List<String> names = tools.specs().stream().map(ToolSpec::name).toList();
        AgentLoop loop = loop(tools, AnswerCheck.ANY);
        return new WiredRun(
                run,
                costs,
                llm,
                names,
                List.of(),
                () -> hooks.accompany(run, () -> loop.compact(run)));
    }

    /** What a request begins with, part by part, without a model. */
    public PromptBuilder promptParts() {
        return assembly.builder(atWork);
    }

    /** What people should know of the guidance that was read; may be empty. */
    public String guidanceNotice() {
        return assembly.begin();
    }

    /** The tools under the policy, without a model, as at the beginning of a run. */
    public ToolRunner toolsAlone() {
        ToolRunner tools = tools(atWork);
        tools.become(tools.ports().with(GuardrailChecks.guardrails(setup.config().guardrails())));
        return tools;
    }

    /** What the policy says about a call that is not made; empty if it could not even be made. */
    public Optional<PermissionPolicy.Explanation> explain(ToolCall call) {
        return atWork.tools(registry).prepare(call, false) instanceof PreparedCall.Ready<?> ready
                ? Optional.of(policy(atWork).explain(ready))
                : Optional.empty();
    }

    /** Why a call could not be made; empty if it could. */
    public String refusal(ToolCall call) {
        return registry.prepare(call, false) instanceof PreparedCall.Refused refused
                ? refused.result().text()
                : "";
    }

    /** Under what circumstances the policy decides. */
    public Supervision use() {
        return around.where().use();
    }

    private PermissionPolicy policy(Profile profile) {
        return Policies.of(
                setup.config(),
                around.where(),
                setup.demo() ? DemoProject.ALLOWED : around.always(),
                profile);
    }

    private Supplier<RunResult> single(Run run, ToolRunner tools) {
        AgentLoop loop = loop(tools, answers());
        onDemand.onHandOver(wish -> handOver(run, tools, wish));
        onDemand.leads(new Delegation.Superior(run, tools::ports, assembly, this::remaining));
        return () -> {
            tellPrompt();
            if (isAgentOf(atWork)) {
                onDemand.makeUpHandOver(run.history());
            }
            return lead(run, () -> judged(run, loop.run(run, remaining()), tools));
        };
    }

    /** Model, limits, confirm preset and what is allowed stay as the run began with them. */
    private void handOver(Run run, ToolRunner tools, Roster.Wish wish) {
        Profile next = profile(wish.agent());
        around.events().emit(new AgentEvent.AgentSwitched(atWork.name(), wish.agent()));
        atWork = next;
        JournalRecord.Opened opening = opening(next);
        List<JournalRecord> records = new ArrayList<>(List.of(opening));
        tools.become(ports(next));
        run.takeOver(new Message.System(opening.systemPrompt()));
        if (wish.fresh()) {
            records.add(new JournalRecord.Compacted(run.forgetAllButLastStep()));
        }
        around.journal().append(records, false); // with one write: there is no half of it
    }

    private Supplier<RunResult> mixed(Run run, AgentLoop planning) {
        Profile build = profile(setup.agent());
        ToolRunner tools = tools(build);
        AgentLoop building = loop(tools, answers());
        MixedMode mode =
                new MixedMode(planning, building, ports, opening(build), prompts.goAhead());
        return () -> {
            tellPrompt();
            return lead(run, () -> judged(run, mode.run(run, this::remaining), tools));
        };
    }

    private RunResult lead(Run run, Supplier<RunResult> work) {
        return hooks.lead(run, () -> onDemand.around(work));
    }

    private RunResult judged(Run run, RunResult result, ToolRunner tools) {
        Optional<SelfEvaluation.Settings> settings = SelfEvaluations.settings(setup, prompts);
        if (settings.isEmpty()) {
            return result;
        }
        ModelCalls calls = new ModelCalls(llm, context, ports, prompts, settings(AnswerCheck.ANY));
        AgentLoop corrections = whole(tools, answers());
        return new SelfEvaluation(calls, corrections, tools, ports, settings.get())
                .judged(run, result, SelfEvaluations.task(setup), this::remaining);
    }

    /** Not before the run was announced: session.started is the first of all events. */
    private void tellPrompt() {
        if (!setup.prompt().isEmpty()) {
            around.events().emit(new AgentEvent.UserMessage(setup.prompt(), "person"));
        }
    }

    private AnswerCheck answers() {
        return setup.answer().isPresent() ? setup.answer().get() : AnswerCheck.ANY;
    }

    private AgentLoop loop(ToolRunner tools, AnswerCheck answers) {
        return loop(tools, answers, ports);
    }

    /** Its replies are steps on the way, not the answer: nobody watches them being written. */
    private AgentLoop whole(ToolRunner tools, AnswerCheck answers) {
        return loop(tools, answers, ports.with(new WholeReplies(ports.events())));
    }

    private AgentLoop loop(ToolRunner tools, AnswerCheck answers, AgentLoop.LoopPorts heard) {
        LoopSettings settings = settings(answers);
        ModelCalls calls = new ModelCalls(llm, context, heard, prompts, settings);
        Watchdogs watchdogs =
                Watchdogs.standard(settings.maxSteps(), run -> calls.isFull(run, tools.specs()));
        Closing closing = new Closing(calls, heard, prompts, settings);
        return new AgentLoop(calls, tools, watchdogs, closing, heard, settings);
    }

    private LoopSettings settings(AnswerCheck answers) {
        return new SettingsOfRun(setup, around, guardrails, workspace.root()).with(answers);
    }

    private ToolRunner tools(Profile profile) {
        AgentConfig config = setup.config();
        return new ToolRunner(
                ports(profile),
                new ToolSettings(
                        config.context().parallelTools(),
                        config.tools().maxParallel(),
                        config.tools().maxCallsPerStep(),
                        setup.dryRun()),
                around.tape());
    }

    private ToolPorts ports(Profile profile) {
        return new ToolPorts(
                profile.tools(registry),
                policy(profile),
                approver,
                Hooks.postEdit(setup, around, workspace.root()),
                context,
                workspace,
                seen,
                placeholders,
                around.journal(),
                guardrails,
                around.events(),
                around.time(),
                hooks);
    }

    /**
     * The history to start from; what is new in it goes on record before anything is sent.
     *
     * @param goesOn with this model, which the session then has; else that is only asked something
     */
    private List<Message> open(Profile profile, boolean goesOn) {
        List<Message> history = new ArrayList<>();
        List<JournalRecord> records = new ArrayList<>();
        hooks.warnAtStart(assembly.begin());
        hooks.warnAtStart(onDemand.notice());
        String model = setup.model().model().info().id();
        setup.reopened()
                .ifPresent(old -> history.addAll(EarlierHistory.readable(old.session(), model)));
        if (goesOn && !isAgentOf(profile)) {
            JournalRecord.Opened opening = opening(profile);
            records.add(opening);
            if (!history.isEmpty()) {
                history.removeFirst();
            }
            history.addFirst(new Message.System(opening.systemPrompt()));
        }
        if (goesOn) {
            records.addAll(EarlierRuns.records(setup, version, isAgentOf(profile)));
        }
        if (!setup.prompt().isEmpty()) {
            String prompt = assembly.task(profile);
            records.add(new JournalRecord.UserSaid(prompt, "person", setup.images()));
            history.add(new Message.User(prompt, setup.images()));
        }
        around.journal().append(records, true);
        return history;
    }

    /** Whether the session goes on under the agent it had; another one brings its instructions. */
    private boolean isAgentOf(Profile profile) {
        return setup.reopened()
                .map(old -> old.session().summary().agent().equals(recorded(profile)))
                .orElse(false);
    }

    /** A mixed run that is resumed while it plans must know that it has to build as well. */
    private String recorded(Profile profile) {
        return setup.mixed() && profile.name().equals("plan") ? "mixed" : profile.name();
    }

    private JournalRecord.Opened opening(Profile profile) {
        String system = around.tape().systemPrompt(() -> systemPrompt(profile));
        return new JournalRecord.Opened(
                version,
                workspace.root().toString(),
                setup.model().model().info().id(),
                recorded(profile),
                system);
    }

    private String systemPrompt(Profile profile) {
        return hooks.prompt(assembly.system(profile), around.interrupts());
    }

    private Profile profile(String name) {
        return Profile.of(name, setup.config(), prompts);
    }

    /** What is left for work; a reserve stays for the closing summary. Null without a limit. */
    private @Nullable Duration remaining() {
        LoopSettings settings = settings(AnswerCheck.ANY);
        if (settings.timeout() == null) {
            return null;
        }
        Duration gone = Duration.ofNanos(around.time().nanos() - started);
        Duration left = settings.timeout().minus(settings.closeReserve()).minus(gone);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
