package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.guardrail.RunGuardrails;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.loop.AgentLoop;
import dev.agentloop.loop.AgentRun;
import dev.agentloop.loop.BuildPhase;
import dev.agentloop.loop.FollowUp;
import dev.agentloop.loop.SelfEvaluation;
import dev.agentloop.loop.call.ToolPorts;
import dev.agentloop.loop.call.ToolRunner;
import dev.agentloop.loop.run.AnswerCheck;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunHooks;
import dev.agentloop.loop.run.RunListener;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.FileScope;
import dev.agentloop.permission.Guardrails;
import dev.agentloop.permission.OncePerServer;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.permission.Supervision;
import dev.agentloop.permission.Verdict;
import dev.agentloop.profile.Roster;
import dev.agentloop.prompt.PromptBuilder;
import dev.agentloop.secret.Placeholders;
import dev.agentloop.session.EarlierHistory;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.syntax.EditedFiles;
import dev.agentloop.syntax.SyntaxCheck;
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
import dev.agentloop.wiring.run.CheckedPlace;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Wires one run by hand: no container, no scanning, nothing made that the run does not use. */
public final class AgentWiring {
    private final RunSetup setup;
    private final RunSurroundings around;
    private final String version;
    private final Prompts prompts = new Prompts();
    private final Workspace workspace;
    private final OptionalFeatures onDemand;
    private final PromptAssembly promptAssembly;
    private final RunHooks hooks;
    private final ToolRegistry registry;
    private final Assembly assembly;
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
                workspace(setup, around)
                        .leavingOut(file ->
                                Guardrails.isAmong(config.guardrails().sensitiveFiles(), file)
                                        || !atWork.reach().mayRead(file)
                                        || !planned.mayRead(file));
        Placeholders placeholders =
                config.secrets().redactToModel()
                        ? Placeholders.of(around.secrets(), around.journal()::key)
                        : Placeholders.off();
        this.onDemand = OptionalFeatures.of(setup, around, workspace.root(), prompts);
        LlmAdapter llm = around.tape().llm(() -> Providers.open(setup, around));
        this.promptAssembly =
                new PromptAssembly(
                        setup, around, workspace, placeholders::hide, this::explain, onDemand);
        this.hooks = Hooks.of(setup, around, workspace.root(), placeholders::hide, promptAssembly);
        this.assembly =
                new Assembly(
                        llm,
                        ContextManagers.of(setup),
                        Costs.of(setup),
                        ports(),
                        new ToolPorts.Files(
                                workspace, new SeenFiles(), placeholders, syntaxCheck(workspace)),
                        Hooks.postEdit(setup, around, workspace.root()),
                        SettingsOfRun.tools(setup),
                        around.tape());
        this.registry =
                Tools.of(setup, around, onDemand.tools(around.servers().tools()), workspace);
        this.approver = new OncePerServer(around.approver());
        this.guardrails = GuardrailChecks.guardrails(config.guardrails());
    }

    private static Workspace workspace(RunSetup setup, RunSurroundings around) throws IOException {
        return new Workspace(setup.workspace(), List.of(around.processes().outputFolder()))
                .adding(setup.config().permissions().addDirs());
    }

    private SyntaxCheck syntaxCheck(Workspace workspace) {
        return setup.config().tools().syntaxCheck()
                ? new EditedFiles(workspace.root(), around.processes())
                : SyntaxCheck.NONE;
    }

    private RunPorts ports() {
        return new RunPorts(
                around.journal(), hooks.listening(around.events()), around.time(), hooks);
    }

    /** Opens the session's record and puts the run together. */
    public WiredRun wire() {
        Profile first = setup.mixed() ? profile("plan") : profile(setup.agent());
        Run run = assembly.run(around.tape().history(() -> open(first, true)), around.interrupts());
        EarlierRuns.begin(run, setup, around);
        run.hears(around.person()::said);
        ToolRunner tools = assembly.tools(first.tools(registry), judging(first));
        AgentRun agent = setup.mixed() ? mixed(run, tools) : single(run, tools);
        return wired(agent, tools, isAgentOf(first) ? List.of() : promptAssembly.guidance());
    }

    /** Like {@link #wire}, but for a run that only sums up the old steps of its session. */
    public WiredRun wireCompaction() {
        Profile profile = profile(setup.agent());
        List<Message> history = around.tape().history(() -> open(profile, false));
        ToolRunner tools = assembly.tools(profile.tools(registry), judging(profile));
        AgentRun agent =
                new AgentRun(
                        assembly.run(history, around.interrupts()),
                        assembly.loop(tools, settings(AnswerCheck.ANY)),
                        AgentRun.Work.COMPACTION,
                        List.of(),
                        List.of(hooks.asPartOfAnotherRun()),
                        this::remaining);
        return wired(agent, tools, List.of());
    }

    private WiredRun wired(AgentRun agent, ToolRunner tools, List<String> guidance) {
        List<String> names = tools.specs().stream().map(ToolSpec::name).toList();
        return new WiredRun(agent, assembly.llm(), names, guidance);
    }

    /** What a request begins with, part by part, without a model. */
    public PromptBuilder promptParts() {
        return promptAssembly.builder(atWork);
    }

    /** What people should know of the guidance that was read; may be empty. */
    public String guidanceNotice() {
        return promptAssembly.begin();
    }

    /** The tools under the policy, without a model, as at the beginning of a run. */
    public ToolRunner toolsAlone() {
        return assembly.tools(
                atWork.tools(registry),
                new ToolPorts.Judging(
                        policy(atWork),
                        approver,
                        GuardrailChecks.guardrails(setup.config().guardrails())));
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

    private AgentRun single(Run run, ToolRunner tools) {
        onDemand.onHandOver(wish -> handOver(run, tools, wish));
        onDemand.leads(new Delegation.Superior(run, tools::ports, promptAssembly, this::remaining));
        return agentRun(run, assembly.loop(tools, settings(answers())), judgedBy(tools));
    }

    /** A plan is built by an agent of its own, with tools that may change files. */
    private AgentRun mixed(Run run, ToolRunner planning) {
        Profile build = profile(setup.agent());
        ToolRunner tools = assembly.tools(build.tools(registry), judging(build));
        List<FollowUp> followUps = new ArrayList<>();
        followUps.add(
                new BuildPhase(
                        assembly.loop(tools, settings(answers())),
                        assembly.ports(),
                        opening(build),
                        prompts.goAhead(),
                        this::remaining));
        followUps.addAll(judgedBy(tools));
        return agentRun(
                run, assembly.loopWithoutStream(planning, settings(AnswerCheck.ANY)), followUps);
    }

    private AgentRun agentRun(Run run, AgentLoop loop, List<FollowUp> followUps) {
        return new AgentRun(run, loop, AgentRun.Work.TASK, followUps, listeners(), this::remaining);
    }

    /** Not before the run was announced: session.started is the first of all events. */
    private List<RunListener> listeners() {
        return List.of(
                RunListener.atBeginning(this::takeUp), hooks, RunListener.atEnd(onDemand::keep));
    }

    private void takeUp(Run run) {
        run.checkedWork()
                .in(CheckedPlace.of(around, workspace.root(), promptAssembly.checkCommands()));
        if (!setup.prompt().isEmpty()) {
            around.events().emit(new AgentEvent.UserMessage(setup.prompt(), "person"));
        }
        if (!setup.mixed() && isAgentOf(atWork)) {
            onDemand.finishHandOver(run.history());
        }
    }

    private List<FollowUp> judgedBy(ToolRunner tools) {
        return SelfEvaluations.settings(setup, prompts)
                .<FollowUp>map(how ->
                        new SelfEvaluation(
                                assembly.loopWithoutStream(tools, settings(answers())),
                                tools,
                                assembly.ports(),
                                how,
                                this::remaining))
                .stream()
                .toList();
    }

    /** Model, limits, confirm preset and what is allowed stay as the run began with them. */
    private void handOver(Run run, ToolRunner tools, Roster.Wish wish) {
        Profile next = profile(wish.agent());
        around.events().emit(new AgentEvent.AgentSwitched(atWork.name(), wish.agent()));
        atWork = next;
        JournalRecord.Opened opening = opening(next);
        List<JournalRecord> records = new ArrayList<>(List.of(opening));
        tools.switchTo(assembly.toolPorts(next.tools(registry), judging(next)));
        run.takeOver(new Message.System(opening.systemPrompt()));
        if (wish.fresh()) {
            records.add(new JournalRecord.Compacted(run.forgetAllButLastStep()));
        }
        around.journal().append(records, false); // with one write: there is no half of it
    }

    private AnswerCheck answers() {
        return setup.answer().isPresent() ? setup.answer().get() : AnswerCheck.ANY;
    }

    private LoopSettings settings(AnswerCheck answers) {
        return new SettingsOfRun(setup, around, guardrails, workspace.root())
                .with(answers, this::mayCheck);
    }

    /** Whether the agent at work can run a command: unasked, or with a person to ask. */
    private boolean mayCheck() {
        ToolCall command = new ToolCall("check", "run_command", "{\"command\":\"true\"}");
        return explain(command)
                .map(PermissionPolicy.Explanation::decision)
                .filter(decision ->
                        decision.verdict() == Verdict.ALLOW
                                || decision.verdict() == Verdict.ASK && around.attended())
                .isPresent();
    }

    private ToolPorts.Judging judging(Profile profile) {
        return new ToolPorts.Judging(policy(profile), approver, guardrails);
    }

    /**
     * The history to start from; what is new in it goes on record before anything is sent.
     *
     * @param goesOn with this model, which the session then has; else that is only asked something
     */
    private List<Message> open(Profile profile, boolean goesOn) {
        List<Message> history = new ArrayList<>();
        List<JournalRecord> records = new ArrayList<>();
        hooks.warnAtStart(promptAssembly.begin());
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
            String prompt = promptAssembly.task(profile);
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
        return hooks.prompt(promptAssembly.system(profile), around.interrupts());
    }

    private Profile profile(String name) {
        return Profile.of(name, setup.config(), prompts);
    }

    /** What is left for work; a reserve stays for the closing summary. Null without a limit. */
    private @Nullable Duration remaining() {
        LoopSettings settings = settings(AnswerCheck.ANY);
        if (settings.limits().timeout().isEmpty()) {
            return null;
        }
        Duration gone = Duration.ofNanos(around.time().nanos() - started);
        Duration all = settings.limits().timeout().get();
        Duration left = all.minus(settings.closeReserve()).minus(gone);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
