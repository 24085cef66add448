package dev.agentloop.loop.call;

import dev.agentloop.control.Cause;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.guardrail.RunGuardrails;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.Decision;
import dev.agentloop.permission.Verdict;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.call.PreparedCall;
import dev.agentloop.undo.ChangeRecorder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** One tool call: decision, intent, effect, hooks, result; in this order and all on record. */
final class CallExecution {
    private final ToolPorts ports;
    private final boolean dryRun;
    private final EarlierContents earlier;
    private final HookStage hookStage;
    private final PreToolStage preTool;
    private final SecretArguments secrets;
    private final Map<String, Long> started = new ConcurrentHashMap<>();
    private final ChangeRecorder changes;
    private volatile int sharing = 1;

    CallExecution(ToolPorts ports, boolean dryRun) {
        this(ports, dryRun, new ChangeRecorder(ports.run().journal(), ports.files().workspace()));
    }

    private CallExecution(ToolPorts ports, boolean dryRun, ChangeRecorder changes) {
        this.ports = ports;
        this.dryRun = dryRun;
        this.earlier = new EarlierContents(ports.files().workspace().root());
        this.hookStage = new HookStage(ports, earlier);
        this.preTool = new PreToolStage(ports, hookStage);
        this.secrets = new SecretArguments(ports);
        this.changes = changes;
    }

    /** The same for another agent; what was changed so far stays known. */
    CallExecution with(ToolPorts next) {
        return new CallExecution(next, dryRun, changes);
    }

    /** A step begins whose calls share what results of one step may have. */
    void beginStep(int calls) {
        sharing = calls;
    }

    ToolResult notRun(PreparedCall one, StopReason stop) {
        begin(one.call());
        return ToolResult.cancelled("Not run: the run is ending (" + stop.wireName() + ").");
    }

    ToolResult refuse(PreparedCall.Refused refused) {
        begin(refused.call());
        return refused.result();
    }

    /** Whether hooks want to be asked about one of the calls before it runs. */
    boolean awaitsHooks(List<PreparedCall> calls) {
        return preTool.speaksAbout(calls);
    }

    /** The call as hooks leave it, which is what is judged and run. */
    PreparedCall screen(PreparedCall one, Run run) {
        return preTool.screen(one, run);
    }

    /** What the policy says, or a hook if it is stricter. */
    Decision decide(PreparedCall.Ready<?> ready) {
        Decision decision = ports.judging().policy().decide(ready);
        return switch (preTool.ruling(ready.call())) {
            case PreToolStage.Ruling.Asked(Decision ask) when decision.verdict() == Verdict.ALLOW ->
                    ask;
            case PreToolStage.Ruling.Asked _,
                    PreToolStage.Ruling.Pass _,
                    PreToolStage.Ruling.Denied _,
                    PreToolStage.Ruling.Skipped _ ->
                    decision;
        };
    }

    ToolResult run(PreparedCall.Ready<?> ready, Run run) {
        begin(ready.call());
        return switch (preTool.ruling(ready.call())) {
            case PreToolStage.Ruling.Denied(Decision no) -> deny(ready, no, "hook", no.reason());
            case PreToolStage.Ruling.Skipped(String reason) ->
                    ToolResult.of(
                            ToolResult.Kind.SKIPPED, "Not run, a hook left it out: " + reason);
            case PreToolStage.Ruling.Asked _, PreToolStage.Ruling.Pass _ ->
                    judged(ready, decide(ready), run);
        };
    }

    private ToolResult judged(PreparedCall.Ready<?> ready, Decision decision, Run run) {
        return switch (decision.verdict()) {
            case ALLOW -> take(ready, decision, "policy", run);
            case DENY -> deny(ready, decision, "policy", decision.reason());
            case ASK -> dryRun ? take(ready, decision, "dry run", run) : ask(ready, decision, run);
        };
    }

    /** What has become of the files that calls have changed. */
    String diff() {
        return changes.diff();
    }

    /** Emits the end of the call and puts its shortened result on record. */
    Message.Tool finish(PreparedCall one, ToolResult result) {
        ToolCall call = one.call();
        preTool.forget(call);
        String report = ports.files().placeholders().hide(hookStage.takeReport(call));
        ToolResult shown = result.withText(ports.files().placeholders().hide(result.text()));
        ToolResult whole = ports.context().shorten(shown, report, sharing);
        List<JournalRecord> records = new ArrayList<>(changes.after(call.id()));
        records.add(new JournalRecord.Answered(call.id(), whole));
        ports.run().journal().append(records, false);
        Long begin = started.remove(call.id());
        Duration took = Duration.ofNanos(begin == null ? 0 : ports.run().time().nanos() - begin);
        ports.run().events().emit(new AgentEvent.ToolFinished(call, whole, took));
        return new Message.Tool(call.id(), whole);
    }

    private void begin(ToolCall call) {
        started.put(call.id(), ports.run().time().nanos());
        ports.run().events().emit(new AgentEvent.ToolStarted(call));
    }

    private ToolResult ask(PreparedCall.Ready<?> ready, Decision decision, Run run) {
        if (secrets.putBack(ready) != ready) { // one with a placeholder is no text of the file
            return approved(ready, decision, List.of(), run);
        }
        ToolContext context = context(ready, run, ToolContext.Barrier.OPEN);
        TrialEdit trial = TrialEdit.of(ready, ports, context);
        return trial.refusal()
                .orElseGet(
                        () -> approved(ready, decision, trial.changes(context.workspace()), run));
    }

    private ToolResult approved(
            PreparedCall.Ready<?> ready,
            Decision decision,
            List<Approver.PlannedChange> planned,
            Run run) {
        return switch (ports.judging().approver().ask(ready, decision, planned, run.work())) {
            case Approver.Answer.Yes(Approver.Lasting lasting) -> {
                if (lasting == Approver.Lasting.SESSION) {
                    ports.judging().policy().remember(decision.always());
                }
                yield take(ready, decision, "person", run);
            }
            case Approver.Answer.Changed(String arguments) -> changed(ready, arguments, run);
            case Approver.Answer.No(String feedback) -> deny(ready, decision, "person", feedback);
            case Approver.Answer.Abort _ -> {
                run.interrupts().cancel(new Cause.Abort());
                yield deny(ready, decision, "person", "The person stopped the run.");
            }
        };
    }

    private ToolResult changed(PreparedCall.Ready<?> asked, String arguments, Run run) {
        ToolCall call = new ToolCall(asked.call().id(), asked.call().name(), arguments);
        ToolResult result =
                switch (ports.registry().prepare(call, false)) {
                    case PreparedCall.Refused refused -> refused.result();
                    case PreparedCall.Ready<?> ready -> {
                        Decision decision = ports.judging().policy().decide(ready);
                        yield decision.verdict() == Verdict.DENY
                                ? deny(ready, decision, "policy", decision.reason())
                                : take(ready, decision, "person", run);
                    }
                };
        String changed = "The person has changed this call to: " + arguments + "\n";
        return result.withText(changed + result.text());
    }

    private ToolResult deny(
            PreparedCall.Ready<?> ready, Decision decision, String by, String reason) {
        record(ready.call(), "deny", decision, by);
        ports.run().events().emit(decided(ready, "deny", decision.rule(), reason));
        return ToolResult.denied("Not allowed: " + reason);
    }

    private ToolResult take(PreparedCall.Ready<?> ready, Decision decision, String by, Run run) {
        Effect effect = ready.spec().effect();
        if (effect != Effect.PURE && dryRun) {
            run.plan(ready.call().name() + " " + ready.subject());
            return ToolResult.ok(
                    "[dry run] Recorded, not executed: nothing was changed. Plan on as if it had"
                            + " succeeded.");
        }
        if (effect != Effect.PURE && !ports.run().journal().isDurable()) {
            return unsaved(ready, run);
        }
        PreparedCall real = secrets.putBack(ready);
        if (real instanceof PreparedCall.Refused refused) {
            return refused.result();
        }
        return act((PreparedCall.Ready<?>) real, decision, by, run);
    }

    private ToolResult act(PreparedCall.Ready<?> ready, Decision decision, String by, Run run) {
        Optional<RunGuardrails.Refusal> refusal = ports.judging().guardrails().begin(ready);
        if (refusal.isPresent()) {
            String why = refusal.get().reason();
            Decision no = new Decision(Verdict.DENY, refusal.get().rule(), why);
            return deny(ready, no, "guardrails", refusal.get().rule() + ": " + why);
        }
        earlier.keep(ready);
        ToolResult result = noted(ready, invoke(ready, decision, by, run));
        for (FileChange change : result.changes()) {
            ports.run().events().emit(edit(ready.call(), change));
        }
        hookStage.afterEdit(ready.call(), result, run.work());
        earlier.forget(ready.call());
        hookStage.afterTool(ready.call(), result, run);
        return result;
    }

    private AgentEvent edit(ToolCall call, FileChange change) {
        String diff = earlier.diff(call, change, ports.files().placeholders()::hide);
        return new AgentEvent.EditApplied(call.id(), change, diff.isEmpty() ? null : diff);
    }

    private ToolResult noted(PreparedCall.Ready<?> ready, ToolResult result) {
        List<String> notes = ports.judging().guardrails().end(ready, result);
        return notes.isEmpty()
                ? result
                : result.withText(
                        result.text().stripTrailing() + "\n\n" + String.join("\n", notes),
                        result.truncated());
    }

    /** On the disk before the effect: a resumed run must know what may have happened. */
    private ToolResult invoke(PreparedCall.Ready<?> ready, Decision decision, String by, Run run) {
        AgentEvent allowed = decided(ready, "allow", decision.rule(), by);
        intend(ready, decision, by);
        if (ready.spec().effect() != Effect.PURE && !ports.run().journal().isDurable()) {
            return unsaved(ready, run); // the intent itself could not be kept
        }
        ports.run().events().emit(allowed);
        if (ready.spec().effect() == Effect.PURE) {
            ToolContext reading = context(ready, run, ToolContext.Barrier.OPEN);
            return DetachedTool.run(() -> ports.registry().invoke(ready, reading), run.work());
        }
        String id = ready.call().id();
        try (Intent intent =
                new Intent(
                        ports.run().journal(), changes, id, ports.files().placeholders()::hide)) {
            run.checkedWork().begins(ready.call(), ready.spec().effect());
            ToolContext acting = context(ready, run, intent);
            ToolResult result =
                    DetachedTool.run(() -> ports.registry().invoke(ready, acting), run.work());
            boolean denied = result.kind() == ToolResult.Kind.DENIED;
            run.unsaved(named(ready), denied && intent.isRefused());
            return result;
        }
    }

    private ToolResult unsaved(PreparedCall.Ready<?> ready, Run run) {
        run.unsaved(named(ready), true);
        return ToolResult.denied(Intent.refusal(ports.run().journal()));
    }

    private static String named(PreparedCall.Ready<?> ready) {
        return ready.call().name() + " " + ready.subject();
    }

    private void intend(PreparedCall.Ready<?> ready, Decision decision, String by) {
        Effect effect = ready.spec().effect();
        String id = ready.call().id();
        ports.run()
                .journal()
                .append(
                        List.of(
                                new JournalRecord.Decided(id, "allow", decision.rule(), by),
                                new JournalRecord.Intended(id, ready.spec().name(), effect.name())),
                        effect != Effect.PURE && effect != Effect.FILE); // Intent waits for files
    }

    private void record(ToolCall call, String verdict, Decision decision, String by) {
        ports.run()
                .journal()
                .append(
                        List.of(new JournalRecord.Decided(call.id(), verdict, decision.rule(), by)),
                        false);
    }

    private ToolContext context(PreparedCall.Ready<?> ready, Run run, ToolContext.Barrier intent) {
        ToolCall call = ready.call();
        List<Path> allowed = ready.paths().stream().map(Path::of).toList();
        return new ToolContext(
                ports.files().workspace().opening(allowed),
                run.work(),
                ports.files().seen(),
                intent,
                line ->
                        ports.run()
                                .events()
                                .emit(new AgentEvent.ToolProgress(call.id(), line, null)),
                call.id(),
                ports.context().resultChars(sharing));
    }

    private static AgentEvent decided(
            PreparedCall.Ready<?> ready, String verdict, String rule, String by) {
        return new AgentEvent.PermissionDecided(
                ready.call().id(), ready.call().name(), verdict, rule, by);
    }
}
