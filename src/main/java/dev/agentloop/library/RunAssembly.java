package dev.agentloop.library;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.SystemTime;
import dev.agentloop.control.Time;
import dev.agentloop.event.EventFan;
import dev.agentloop.event.EventSink;
import dev.agentloop.guardrail.RunGuardrails;
import dev.agentloop.hook.PostEditHooks;
import dev.agentloop.library.run.OwnFolders;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.loop.AgentLoop;
import dev.agentloop.loop.call.ToolPorts;
import dev.agentloop.loop.call.ToolRunner;
import dev.agentloop.loop.call.ToolSettings;
import dev.agentloop.loop.run.AnswerCheck;
import dev.agentloop.loop.run.FinalChecks;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunHooks;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.loop.run.Watchdogs;
import dev.agentloop.message.Message;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.Circumstances;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.permission.Decision;
import dev.agentloop.permission.Guardrails;
import dev.agentloop.permission.NobodyToAsk;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.permission.Rule;
import dev.agentloop.permission.Supervision;
import dev.agentloop.syntax.SyntaxCheck;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.call.PreparedCall;
import dev.agentloop.wiring.Assembly;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The loop of the program, wired for one run of a conversation. {@code AgentLoop} means that loop
 * here, not the door of this package, which stands before it.
 */
final class RunAssembly {
    private static final int MAX_CONTINUATIONS = 3; // of an answer cut at the output limit
    private static final int MAX_PARALLEL = 4;
    private static final int MAX_CALLS = 32; // of one reply
    private static final Time TIME = new SystemTime();

    private final Blueprint plan;
    private final LibrarySession talk;
    private final Workspace workspace;
    private final Run run;
    private final EventFan events;
    private final RunHooks hooks;
    private final RunPorts ports;
    private final Assembly assembly;
    private final List<String> remembered = new ArrayList<>(); // rules; by the loop's thread
    private PermissionPolicy policy;
    private final ToolRunner tools;
    private final AgentLoop loop;
    private int toolChanges;

    /**
     * @param sinks hear of what happens, besides the statistics of the conversation
     */
    RunAssembly(
            Blueprint plan,
            LibrarySession talk,
            Workspace workspace,
            Given given,
            List<EventSink> sinks) {
        this.plan = plan;
        this.talk = talk;
        this.workspace = workspace;
        this.events = new EventFan(List.of(talk.stats()));
        sinks.forEach(events::add);
        this.hooks =
                new RunHooks(talk.hooks(), talk.journal(), events, TIME, talk.placeholders()::hide);
        this.ports = new RunPorts(talk.journal(), hooks.listening(events), TIME, hooks);
        this.assembly =
                new Assembly(
                        given.llm(),
                        talk.context(),
                        talk.costs(),
                        ports,
                        new ToolPorts.Files(
                                workspace, talk.seen(), talk.placeholders(), SyntaxCheck.NONE),
                        PostEditHooks.NONE,
                        new ToolSettings(
                                plan.config().parallelToolExecution(),
                                MAX_PARALLEL,
                                MAX_CALLS,
                                false),
                        talk.tape());
        this.run = assembly.run(given.history(), given.interrupts());
        this.policy = policy();
        this.toolChanges = talk.tools().changes();
        this.tools = assembly.tools(talk.tools().registry(workspace), judging());
        this.loop = assembly.loop(tools, settings());
    }

    /**
     * What a run begins with.
     *
     * @param history ends with what the person says
     * @param interrupts ends the run
     */
    record Given(LlmAdapter llm, List<Message> history, Cancellation interrupts) {}

    private LoopSettings settings() {
        return new LoopSettings(
                Watchdogs.Limits.of(
                        plan.config().mostSteps(),
                        Optional.ofNullable(plan.asking().timeout()),
                        Optional.ofNullable(plan.asking().turnTimeout())),
                MAX_CONTINUATIONS,
                plan.asking().maxOutputTokens(),
                plan.asking().stream(),
                plan.asking().generation(),
                AnswerCheck.ANY,
                talk.tape().checks(FinalChecks.NONE),
                () -> false);
    }

    /** Who brings tools of the program's own, and wants nobody asked, allows them by that. */
    private PermissionPolicy policy() {
        Blueprint.Judging judging = plan.judging();
        List<Rule> rules = new ArrayList<>(judging.rules());
        if (judging.preset() == ConfirmPreset.YOLO) {
            rules.addAll(talk.tools().allowed());
        }
        boolean attended = !(judging.approver() instanceof NobodyToAsk);
        PermissionPolicy policy =
                new PermissionPolicy(
                        rules,
                        judging.preset(),
                        circumstances(Supervision.of(attended, judging.trusted())),
                        Guardrails.NONE);
        policy.remember(remembered);
        return policy;
    }

    /** As the person of the plan; a yes for the whole run outlives a change of the tools. */
    private Approver.Answer ask(
            PreparedCall.Ready<?> ready,
            Decision decision,
            List<Approver.PlannedChange> planned,
            Cancellation cancellation) {
        Approver.Answer answer =
                plan.judging().approver().ask(ready, decision, planned, cancellation);
        if (answer instanceof Approver.Answer.Yes(Approver.Lasting lasting)
                && lasting == Approver.Lasting.SESSION) {
            remembered.addAll(decision.always());
        }
        return answer;
    }

    /** Nothing confines commands; whoever gives the loop a tool that runs them has said so. */
    private Circumstances circumstances(Supervision use) {
        Path root = workspace.root();
        Path home = Path.of(System.getProperty("user.home", root.toString()));
        return new Circumstances(
                use,
                () -> Circumstances.Confinement.OFF_BY_WORD,
                workspace.roots(),
                home,
                List.of(),
                OwnFolders.of(System.getenv(), home, root, plan.places().records()),
                false,
                false);
    }

    private ToolPorts.Judging judging() {
        return new ToolPorts.Judging(policy, Approver.of(this::ask), RunGuardrails.none());
    }

    /** What was added to the tools or removed from them holds from the next step on. */
    void takeUpTools() {
        int now = talk.tools().changes();
        if (now != toolChanges) {
            toolChanges = now;
            policy = policy();
            tools.switchTo(assembly.toolPorts(talk.tools().registry(workspace), judging()));
        }
    }

    Run run() {
        return run;
    }

    EventFan events() {
        return events;
    }

    RunHooks hooks() {
        return hooks;
    }

    RunPorts ports() {
        return ports;
    }

    AgentLoop loop() {
        return loop;
    }
}
