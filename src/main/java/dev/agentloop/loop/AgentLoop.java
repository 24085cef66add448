package dev.agentloop.loop;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.hook.HookBus;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.hook.HookReport;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.loop.call.ToolRunner;
import dev.agentloop.loop.run.Ending;
import dev.agentloop.loop.run.FinalChecks;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunHooks;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.loop.run.Watchdog;
import dev.agentloop.loop.run.Watchdogs;
import dev.agentloop.message.Message;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The loop: the model decides when it is done; watchdogs only guard. A run always ends in a {@link
 * RunResult}: trouble with the model is a stop reason, only a bug of ours is an exception.
 */
public final class AgentLoop {
    private static final String GATE = "quality_gate";
    private static final int TOLD_FROM_SECONDS = 60;

    private final ModelCalls llm;
    private final ToolRunner tools;
    private final Watchdogs watchdogs;
    private final Closing closing;
    private final LoopPorts ports;
    private final LoopSettings settings;

    /** What the loop reports to and keeps time with. */
    public record LoopPorts(Journal journal, EventSink events, Time time, RunHooks hooks) {
        /** Without hooks. */
        public LoopPorts(Journal journal, EventSink events, Time time) {
            this(
                    journal,
                    events,
                    time,
                    new RunHooks(new HookBus(), journal, events, time, text -> text));
        }

        /** The same, heard by another sink. */
        public LoopPorts with(EventSink sink) {
            return new LoopPorts(journal, sink, time, hooks);
        }

        /** Ends the run's work when what remains of its time is over; null for no limit. */
        Cancellation.Registration deadline(Run run, @Nullable Duration remaining) {
            return remaining == null
                    ? () -> {}
                    : time.alarm(remaining, () -> run.work().cancel(new Cause.RunDeadline()));
        }

        /** The program speaks in the person's place; {@code origin} says why. */
        public void say(Run run, String text, String origin) {
            run.add(new Message.User(text));
            journal.append(List.of(new JournalRecord.UserSaid(text, origin)), false);
            events.emit(new AgentEvent.UserMessage(text, origin));
        }
    }

    public AgentLoop(
            ModelCalls llm,
            ToolRunner tools,
            Watchdogs watchdogs,
            Closing closing,
            LoopPorts ports,
            LoopSettings settings) {
        this.llm = llm;
        this.tools = tools;
        this.watchdogs = watchdogs;
        this.closing = closing;
        this.ports = ports;
        this.settings = settings;
    }

    /**
     * Works on the run's last user message until the model is done or a guard ends it.
     *
     * @param remaining what is left of the run's time; null when it has no limit
     */
    public RunResult run(Run run, @Nullable Duration remaining) {
        try (var _ = limit(run, remaining)) {
            Optional<RunResult> result = Optional.empty();
            while (result.isEmpty()) { // the model decides when it is done; watchdogs only guard
                result = step(run);
            }
            return result.get();
        }
    }

    /** Begins the run's time, for a caller of {@link #step}; to be closed with the run. */
    public Cancellation.Registration limit(Run run, @Nullable Duration remaining) {
        Cancellation.Registration deadline = ports.deadline(run, remaining);
        Cancellation.Registration nearing = nearing(run, remaining);
        return () -> {
            nearing.close();
            deadline.close();
        };
    }

    /**
     * One step: asks the model and runs the tools that it calls.
     *
     * @return the end of the run; empty if there is another step
     */
    public Optional<RunResult> step(Run run) {
        try {
            return drive(run).map(result -> UnsavedChanges.told(run, result, ports));
        } catch (LlmException.Cancelled e) {
            return Optional.of(cut(run, e));
        } catch (LlmException.ContextOverflow e) {
            report(e);
            return Optional.of(closing.withoutModel(run, StopReason.CONTEXT_FULL));
        } catch (LlmException e) {
            return Optional.of(fail(run, e));
        }
    }

    /** Sums up the old steps of a session because somebody wants it so; nothing else is done. */
    public RunResult compact(Run run) {
        try {
            return new RunResult(StopReason.LLM_DONE, llm.compact(run, tools.specs()), 0);
        } catch (LlmException.Cancelled e) {
            return closing.withoutModel(run, reasonOf(e.why()));
        } catch (LlmException e) {
            return fail(run, e);
        }
    }

    /**
     * Notes when four fifths of the time are over; of a short run they would not help. Only notes:
     * alarms share a thread, and whoever is told may block.
     */
    private Cancellation.Registration nearing(Run run, @Nullable Duration remaining) {
        if (remaining == null || remaining.toSeconds() < TOLD_FROM_SECONDS) {
            return () -> {};
        }
        return ports.time().alarm(Duration.ofMillis(remaining.toMillis() / 5 * 4), run::timeNears);
    }

    private void warnOfTime(Run run) {
        if (run.takeTimeNears()) {
            warn("80 % of the time are over");
        }
    }

    private void warn(String message) {
        ports.events().emit(new AgentEvent.Warning(message));
    }

    private Optional<RunResult> drive(Run run) {
        tools.makeAgain(run.takeCutOff(), run, () -> watchdogs.beforeTools(run));
        Optional<StopReason> stop = watchdogs.beforeLlm(run).or(() -> stepBegins(run));
        warnOfTime(run);
        if (stop.isPresent()) {
            return Optional.of(close(run, stop.get()));
        }
        warnOfCircles(run);
        LlmResponse reply = llm.step(run, tools.specs());
        run.finishStep(reply);
        llm.settle(run, reply, tools.specs());
        replied(run, reply);
        warnOfTime(run);
        if (reply.toolCalls().isEmpty()) {
            return end(run, reply);
        }
        run.forgetText();
        answer(run, reply);
        warnOfTime(run); // before the step ends: a long call may have used up all of it
        stepEnded(run);
        return Optional.empty();
    }

    private Optional<StopReason> stepBegins(Run run) {
        if (ports.hooks().hears(HookPoint.ITERATION)) {
            heed(run, new HookEvent.StepBegins(llm.progress(run, tools.specs())));
        }
        return Watchdog.hook().check(run);
    }

    private void stepEnded(Run run) {
        if (ports.hooks().hears(HookPoint.STEP_END)) {
            heed(run, new HookEvent.StepEnded(llm.progress(run, tools.specs())));
        }
    }

    private void heed(Run run, HookEvent event) {
        boolean compact = ports.hooks().fire(event, run).compact();
        if (compact && !run.work().isCancelled()) {
            llm.shorten(run, tools.specs());
        }
    }

    private void replied(Run run, LlmResponse reply) {
        if (ports.hooks().hears(HookPoint.POST_LLM)) {
            ports.hooks()
                    .fire(new HookEvent.Replied(run.steps(), reply.message(), reply.usage()), run);
        }
    }

    private void answer(Run run, LlmResponse reply) {
        List<Message.Tool> results = tools.answerAll(reply, run, () -> watchdogs.beforeTools(run));
        run.addAll(results);
        run.loop().note(reply.toolCalls(), results);
    }

    /** Not before it is clear that the model is asked again: a summary needs no warning. */
    private void warnOfCircles(Run run) {
        if (run.loop().takeWarning()) {
            warn("the model repeats the same calls with the same results");
            ports.say(run, closing.goesInCircles(), "loop");
        }
    }

    /** A reply without tool calls ends the run, unless it was cut or empty and may go on. */
    private Optional<RunResult> end(Run run, LlmResponse reply) {
        Optional<StopReason> stopped = Watchdog.hook().check(run);
        if (stopped.isPresent()) {
            run.keepText(reply);
            return Optional.of(close(run, stopped.get()));
        }
        return switch (Ending.of(run, reply, settings)) {
            case Ending.Done(StopReason reason) -> {
                RunResult result =
                        new RunResult(reason, Ending.text(run, reply, reason), run.steps());
                yield reason == StopReason.LLM_DONE ? checked(run, result) : Optional.of(result);
            }
            case Ending.Resume() -> {
                run.keepText(reply);
                yield Optional.empty();
            }
            case Ending.Correct(String problem) -> {
                run.forgetText();
                warn("the answer was sent back, it does not match the JSON schema: " + problem);
                ports.say(run, closing.correction(problem), "schema");
                yield Optional.empty();
            }
            case Ending.Mismatch(String problem) ->
                    Optional.of(mismatch(run, run.joinedText(reply), problem));
            case Ending.GoOn(Ending.Prompt prompt) -> {
                run.keepText(reply, prompt);
                ports.say(run, closing.prompt(prompt), prompt.origin());
                yield Optional.empty();
            }
        };
    }

    /** The model's word that it is done holds unless a required check fails. */
    private Optional<RunResult> checked(Run run, RunResult result) {
        List<FinalChecks.Check> checks = settings.checks().run(run.work());
        checks.forEach(this::report);
        run.checked(checks);
        List<String> failed =
                checks.stream()
                        .filter(check -> check.required() && !check.passed())
                        .map(FinalChecks.Check::name)
                        .toList();
        if (failed.isEmpty()) {
            return answered(run, result);
        }
        if (run.work().isCancelled()) {
            return Optional
                    .empty(); // a check that was cut says nothing: the run ends as it was cut
        }
        if (!run.mayMend(settings.checks().maxRetries())) {
            return Optional.of(unfinished(result, failed));
        }
        run.forgetText();
        ports.say(run, closing.failedChecks(checks), "gate");
        return Optional.empty();
    }

    /** The last word is the hooks'; what they say to the model it may still do, so many times. */
    private Optional<RunResult> answered(Run run, RunResult result) {
        if (!ports.hooks().hears(HookPoint.AGENT_DONE)) {
            return Optional.of(result);
        }
        HookEvent event = new HookEvent.Answered(result.text(), run.steps());
        boolean more = ports.hooks().fire(event, run).spoken();
        Optional<StopReason> stopped = Watchdog.hook().check(run);
        if (stopped.isPresent()) {
            return Optional.of(
                    new RunResult(
                            close(run, stopped.get()).stopReason(), result.text(), run.steps()));
        }
        if (run.work().isCancelled()) {
            return Optional.empty(); // a hook that was cut says nothing: the run ends as it was cut
        }
        if (more && !ports.hooks().mayResume()) {
            return Optional.of(unfinished(result, List.of(HookPoint.AGENT_DONE.wireName())));
        }
        if (more) {
            run.forgetText();
        }
        return more ? Optional.empty() : Optional.of(result);
    }

    private RunResult unfinished(RunResult result, List<String> failed) {
        String message = "Checks that must pass still fail: " + String.join(", ", failed);
        ports.events().emit(new AgentEvent.Failed("check_failed", message, true, false));
        return new RunResult(result.stopReason(), result.text(), result.steps(), failed);
    }

    private void report(FinalChecks.Check check) {
        ports.hooks()
                .record(
                        new HookReport(
                                check.name(), "", check.exitCode(), check.took(), check.output()),
                        GATE,
                        "");
    }

    private RunResult mismatch(Run run, String answer, String problem) {
        StopReason reason = StopReason.SCHEMA_MISMATCH;
        String message = "The answer does not match the JSON schema: " + problem;
        ports.events().emit(new AgentEvent.Failed(reason.wireName(), message, true, false));
        return new RunResult(reason, answer, run.steps());
    }

    private RunResult close(Run run, StopReason reason) {
        if (reason != StopReason.HOOK_TERMINATED) {
            return closing.close(run, reason, tools.specs());
        }
        String message = RunHooks.whyStopped(run);
        ports.events().emit(new AgentEvent.Failed(reason.wireName(), message, true, false));
        RunResult closed = closing.withoutModel(run, reason);
        return run.unfinishedText().isBlank()
                ? new RunResult(reason, message, run.steps())
                : closed;
    }

    private RunResult cut(Run run, LlmException.Cancelled cut) {
        return close(run, reasonOf(cut.why()));
    }

    private static StopReason reasonOf(Cause cause) {
        return switch (cause) {
            case Cause.BudgetSpent _ -> StopReason.BUDGET_EXCEEDED;
            case Cause.Repetition _ -> StopReason.LOOP_DETECTED;
            default -> Watchdog.interruptReason(cause).orElse(StopReason.TIMEOUT);
        };
    }

    private RunResult fail(Run run, LlmException e) {
        StopReason reason =
                switch (e) {
                    case LlmException.Unauthorized _ -> StopReason.AUTH_ERROR;
                    case LlmException.ContextOverflow _ -> StopReason.CONTEXT_FULL;
                    case LlmException.BadRequest _,
                            LlmException.Unavailable _,
                            LlmException.BrokenReply _,
                            LlmException.Unrecorded _,
                            LlmException.Cancelled _ ->
                            StopReason.LLM_ERROR;
                };
        report(e);
        return new RunResult(reason, "Unrecoverable LLM error: " + e.getMessage(), run.steps());
    }

    private void report(LlmException e) {
        ports.events()
                .emit(
                        new AgentEvent.Failed(
                                e.code(),
                                String.valueOf(e.getMessage()),
                                true,
                                e.isRetryable(),
                                e instanceof LlmException.Unavailable u
                                        ? u.retryAfter().orElse(null)
                                        : null));
    }
}
