package dev.agentloop.loop.call;

import dev.agentloop.control.Cause;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.loop.run.Watchdog;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.Verdict;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.call.PreparedCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Answers the tool calls of one reply: each call gets exactly one result, in the order of the
 * calls, whatever happens, because providers reject a history with a gap.
 */
public final class ToolRunner {
    private volatile ToolPorts ports;
    private final ToolSettings settings;
    private CallExecution execution;
    private final SideBySide sideBySide;
    private final ToolTape tape;
    private volatile List<ToolSpec> specs;

    public ToolRunner(ToolPorts ports, ToolSettings settings) {
        this(ports, settings, ToolTape.NONE);
    }

    public ToolRunner(ToolPorts ports, ToolSettings settings, ToolTape tape) {
        this.ports = ports;
        this.tape = tape;
        this.specs = tape.specs(ports.registry().specs());
        this.settings = settings;
        this.execution = new CallExecution(ports, settings.dryRun());
        this.sideBySide = new SideBySide(settings.maxParallel());
    }

    /**
     * Another agent goes on: what follows is offered and judged as these ports say. Only between
     * two steps, on the thread of the loop.
     */
    public void switchTo(ToolPorts next) {
        this.execution = execution.with(next);
        this.ports = next;
        this.specs = tape.specs(next.registry().specs());
    }

    /** What calls pass through now. */
    public ToolPorts ports() {
        return ports;
    }

    /** What is offered to the model, in a stable order. */
    public List<ToolSpec> specs() {
        return specs;
    }

    /** Runs what may run; past a tripped gate the remaining calls are answered "Not run". */
    public List<Message.Tool> answerAll(
            LlmResponse reply, Run run, Supplier<Optional<StopReason>> gate) {
        ToolAnswers answers =
                tape.answer(
                        reply.toolCalls(),
                        () -> ToolAnswers.of(run, () -> runAll(reply, run, gate)));
        if (tape.replays()) {
            answers.applyTo(run);
        }
        return answers.results();
    }

    private List<Message.Tool> runAll(
            LlmResponse reply, Run run, Supplier<Optional<StopReason>> gate) {
        List<PreparedCall> asked = prepare(reply);
        execution.beginStep(asked.size());
        List<PreparedCall> prepared = screenAhead(asked, run, gate);
        List<Supplier<Message.Tool>> tasks = new ArrayList<>();
        for (PreparedCall one : prepared) {
            boolean first = one == prepared.getFirst();
            tasks.add(() -> answer(first ? one : again(one, reply), run, gate));
        }
        return mayRunSideBySide(prepared, run)
                ? sideBySide.run(
                        prepared, tasks, () -> run.work().cancel(new Cause.Interrupt("interrupt")))
                : tasks.stream().map(Supplier::get).toList();
    }

    /**
     * What may run side by side is asked about before any of it begins: hooks may write other
     * arguments, and nobody else's question may come up while tools are running.
     */
    private List<PreparedCall> screenAhead(
            List<PreparedCall> prepared, Run run, Supplier<Optional<StopReason>> gate) {
        if (!mayRunSideBySide(prepared, run) || !execution.awaitsHooks(prepared)) {
            return prepared;
        }
        return prepared.stream()
                .map(one -> gate.get().isPresent() ? one : execution.screen(one, run))
                .toList();
    }

    private List<PreparedCall> prepare(LlmResponse reply) {
        List<PreparedCall> prepared = new ArrayList<>();
        for (ToolCall call : reply.toolCalls()) {
            prepared.add(
                    prepared.size() < settings.maxCallsPerStep()
                            ? ports.registry().prepare(call, reply.cutCalls().contains(call.id()))
                            : new PreparedCall.Refused(call, tooMany()));
        }
        return prepared;
    }

    /** Earlier calls of the reply may have changed where a path leads: it is judged at its turn. */
    private PreparedCall again(PreparedCall one, LlmResponse reply) {
        return one instanceof PreparedCall.Ready<?> ready
                ? ports.registry()
                        .prepare(ready.call(), reply.cutCalls().contains(ready.call().id()))
                : one;
    }

    private ToolResult tooMany() {
        return ToolResult.error(
                "Not run: at most "
                        + settings.maxCallsPerStep()
                        + " calls per reply are run. Ask again for what is still needed.");
    }

    /**
     * In this order: switched off, confirm-all, not enough calls left, so that the last of them are
     * those that are not run, a call that is not plainly allowed.
     */
    private boolean mayRunSideBySide(List<PreparedCall> prepared, Run run) {
        return prepared.size() > 1
                && settings.parallel()
                && !settings.dryRun()
                && !ports.judging().policy().isSequential()
                && run.costs().ledger().hasToolCalls(prepared.size())
                && prepared.stream().allMatch(this::isPlainlyAllowed);
    }

    private boolean isPlainlyAllowed(PreparedCall one) {
        return switch (one) {
            case PreparedCall.Refused _ -> true; // answered without running anything
            case PreparedCall.Ready<?> ready -> execution.decide(ready).verdict() == Verdict.ALLOW;
        };
    }

    private Message.Tool answer(PreparedCall one, Run run, Supplier<Optional<StopReason>> gate) {
        PreparedCall screened = gate.get().isPresent() ? one : execution.screen(one, run);
        Optional<StopReason> stop = // a hook may have tripped it
                gate.get().or(() -> Watchdog.takeToolCall().check(run));
        ToolResult result =
                stop.isPresent() ? execution.notRun(screened, stop.get()) : run(screened, run);
        return execution.finish(screened, result);
    }

    private ToolResult run(PreparedCall one, Run run) {
        return switch (one) {
            case PreparedCall.Refused refused -> execution.refuse(refused);
            case PreparedCall.Ready<?> ready -> execution.run(ready, run);
        };
    }

    /** Looks whether the work was changed or checked in a way that no result has told. */
    public void settle(Run run) {
        run.checkedWork().take(tape.found(run.checkedWork()::look));
    }

    /** What has become of the files, for the model; empty if nothing is different, or kept. */
    public String diff() {
        return tape.diff(() -> ports.files().placeholders().hide(execution.diff()));
    }

    /**
     * Makes calls of an earlier process that only read and were cut off; the run's history says of
     * them that they did not run.
     */
    public void makeAgain(List<ToolCall> calls, Run run, Supplier<Optional<StopReason>> gate) {
        execution.beginStep(calls.size());
        for (ToolCall call : calls) {
            PreparedCall one = ports.registry().prepare(call, false);
            run.answer(answer(one, run, gate));
        }
    }

    /** For callers without a loop, such as {@code agent tools run}: one call under the policy. */
    public ToolResult runAlone(ToolCall call, Run run) {
        execution.beginStep(1);
        PreparedCall one = execution.screen(ports.registry().prepare(call, false), run);
        Optional<StopReason> stop = Watchdog.hook().check(run);
        ToolResult result = stop.isPresent() ? execution.notRun(one, stop.get()) : run(one, run);
        return execution.finish(one, result).result();
    }
}
