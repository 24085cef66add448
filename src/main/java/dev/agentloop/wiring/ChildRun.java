package dev.agentloop.wiring;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.loop.AgentRun;
import dev.agentloop.loop.call.ToolPorts;
import dev.agentloop.loop.call.ToolRunner;
import dev.agentloop.loop.call.ToolTape;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunHooks;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.Status;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.Decision;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.session.Journal;
import dev.agentloop.subagent.ChildEvents;
import dev.agentloop.subagent.ChildJournal;
import dev.agentloop.subagent.Report;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.call.PreparedCall;
import dev.agentloop.tool.call.ToolRegistry;
import dev.agentloop.wiring.model.Providers;
import dev.agentloop.wiring.prompt.ContextManagers;
import dev.agentloop.wiring.prompt.Prompts;
import dev.agentloop.wiring.run.CheckedPlace;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One agent that works for another: with a history of its own that begins with the task, and within
 * what the other may do, reach and spend.
 */
final class ChildRun {
    static final int USUAL_STEPS = 30;

    /** It cannot ask back, and it goes on as nobody else. */
    private static final Set<String> NOT_ITS = Set.of("ask_user", "switch_agent");

    private static final List<String> NO_TOOL = List.of(""); // an empty list would mean all

    private final RunSetup setup;
    private final RunSurroundings around;
    private final Delegation.Superior above;
    private final Delegation.Level level;
    private final Job job;
    private final Prompts prompts = new Prompts();
    private final Profile profile;
    private final ToolPorts its; // of the agent that asks
    private final Workspace workspace;
    private final Delegation below;
    private final ToolRegistry registry;

    /**
     * What is to be done.
     *
     * @param context of the call that wants it
     * @param shared tools that are not made anew
     */
    record Job(String agent, String task, ToolContext context, List<Tool<?>> shared) {}

    ChildRun(
            RunSetup setup,
            RunSurroundings around,
            Delegation.Superior above,
            Delegation.Level asking,
            Job job) {
        this.setup = setup;
        this.around = around;
        this.above = above;
        this.level = asking.below(job.context().callId());
        this.job = job;
        this.profile = Profile.of(job.agent(), setup.config(), prompts);
        this.its = above.ports().get();
        this.workspace = its.files().workspace().leavingOut(file -> !profile.reach().mayRead(file));
        this.below = new Delegation(setup, around, level, job.shared());
        this.registry = narrowed();
    }

    /** Whether it has tools that do more than read. */
    boolean mayAct() {
        return registry.known().stream().anyMatch(spec -> spec.effect() != Effect.PURE);
    }

    /** What both agents may use. */
    private ToolRegistry narrowed() {
        List<Tool<?>> more = new ArrayList<>(job.shared());
        more.add(below.tool());
        ToolRegistry all = Tools.of(setup, around, more, workspace);
        Set<String> above =
                its.registry().known().stream().map(ToolSpec::name).collect(Collectors.toSet());
        List<String> names =
                profile.tools(all).known().stream()
                        .map(ToolSpec::name)
                        .filter(above::contains)
                        .filter(name -> !NOT_ITS.contains(name))
                        .toList();
        return all.only(names.isEmpty() ? NO_TOOL : names);
    }

    /** Runs it to its end; whatever comes of it is told. */
    ToolResult work() {
        String path = level.path();
        EventSink events = new ChildEvents(its.run().events(), path, profile.name(), level.depth());
        Journal journal = new ChildJournal(its.run().journal(), job.context().callId());
        List<String> tools = registry.specs().stream().map(ToolSpec::name).toList();
        its.run()
                .events()
                .emit(
                        new AgentEvent.SubagentStarted(
                                path, profile.name(), level.depth(), job.task(), tools));
        long begun = around.time().nanos();
        RunResult result = new RunResult(StopReason.INTERNAL_ERROR, "", 0);
        try (Cancellation.Child stop = above.run().work().child()) {
            CostTracker costs = above.run().costs().forSubagent();
            Run run = new Run(history(), costs, stop.cancellation());
            List<String> checks = above.assembly().checkCommands();
            run.checkedWork().in(CheckedPlace.of(around, workspace.root(), checks));
            try {
                result = drive(run, events, journal);
            } finally {
                run.unsaved().forEach(call -> above.run().unsaved(call, true));
                finish(run, result, begun);
            }
            return report(run, result).result();
        }
    }

    private List<Message> history() {
        String more = above.assembly().builder(profile).withTask();
        String system = above.assembly().system(profile) + "\n\n" + prompts.subagent();
        return List.of(
                new Message.System(system),
                new Message.User(job.task() + (more.isEmpty() ? "" : "\n\n" + more)));
    }

    private RunResult drive(Run run, EventSink events, Journal journal) {
        RunHooks hooks =
                new RunHooks(
                        Hooks.ofTools(setup, around, workspace.root()),
                        journal,
                        events,
                        around.time(),
                        its.files().placeholders()::hide);
        Optional<Duration> left =
                Delegation.timeout(setup.config(), profile.name(), above.remaining().get());
        try (LlmAdapter llm = Providers.open(setup, around)) {
            Assembly assembly =
                    assembly(llm, run, new RunPorts(journal, events, around.time(), hooks));
            ToolRunner tools = assembly.tools(registry, judging());
            below.leads(superior(run, tools.ports(), left));
            LoopSettings settings =
                    SettingsOfRun.ofChild(
                            setup,
                            Delegation.maxSteps(setup.config(), profile.name()),
                            left,
                            its.run().journal().sessionId());
            return new AgentRun(
                            run,
                            assembly.loop(tools, settings),
                            AgentRun.Work.TASK,
                            List.of(),
                            List.of(hooks.asPartOfAnotherRun()),
                            () ->
                                    left.map(time -> time.minus(settings.closeReserve()))
                                            .orElse(null))
                    .execute();
        }
    }

    private Assembly assembly(LlmAdapter llm, Run run, RunPorts ports) {
        return new Assembly(
                llm,
                ContextManagers.of(setup),
                run.costs(),
                ports,
                new ToolPorts.Files(
                        workspace,
                        new SeenFiles(),
                        its.files().placeholders(),
                        its.files().syntax()),
                Hooks.postEdit(setup, around, workspace.root()),
                SettingsOfRun.tools(setup),
                ToolTape.NONE);
    }

    /** This agent, for those that work for it. */
    private Delegation.Superior superior(Run run, ToolPorts ports, Optional<Duration> left) {
        long until = around.time().nanos() + left.map(Duration::toNanos).orElse(0L);
        return new Delegation.Superior(
                run,
                () -> ports,
                above.assembly(),
                () ->
                        left.isEmpty()
                                ? null
                                : Duration.ofNanos(Math.max(0, until - around.time().nanos())));
    }

    private ToolPorts.Judging judging() {
        PermissionPolicy policy =
                Policies.below(setup.config(), around.where(), profile, its.judging().policy());
        return new ToolPorts.Judging(policy, Approver.of(this::ask), its.judging().guardrails());
    }

    /** Several agents may have a question at once, and a person reads one. */
    private Approver.Answer ask(
            PreparedCall.Ready<?> ready,
            Decision decision,
            List<Approver.PlannedChange> planned,
            Cancellation cancellation) {
        synchronized (level.asking()) {
            return its.judging().approver().ask(ready, decision, planned, cancellation);
        }
    }

    /** What it did is the asking agent's work as well, and so is what ends more than itself. */
    private void finish(Run run, RunResult result, long begun) {
        run.changedFiles().forEach(above.run()::alsoChanged);
        above.run().checkedWork().adopt(run.checkedWork());
        run.planned().forEach(action -> above.run().plan(profile.name() + ": " + action));
        run.interrupts().cause().filter(Cause.Abort.class::isInstance).ifPresent(this::end);
        run.work().cause().filter(Cause.HookStop.class::isInstance).ifPresent(this::stop);
        its.run()
                .events()
                .emit(
                        new AgentEvent.SubagentFinished(
                                level.path(),
                                profile.name(),
                                level.depth(),
                                word(result.status()),
                                result.stopReason().wireName(),
                                run.steps(),
                                run.costs().usage().total(),
                                run.costs().usd(),
                                Duration.ofNanos(around.time().nanos() - begun)));
    }

    private void end(Cause abort) {
        above.run().interrupts().cancel(abort);
    }

    private void stop(Cause byHook) {
        above.run().work().cancel(byHook);
    }

    private Report report(Run run, RunResult result) {
        return new Report(
                profile.name(),
                word(result.status()),
                result.stopReason().wireName(),
                run.steps(),
                run.costs().usage().total(),
                run.costs().usd(),
                run.changedFiles(),
                run.planned(),
                result.text());
    }

    private static String word(Status status) {
        return status.name().toLowerCase(Locale.ROOT);
    }
}
