package dev.agentloop.loop;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.hook.HookReport;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.loop.run.Ending;
import dev.agentloop.loop.run.FinalChecks;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.LoopTexts;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.loop.run.Watchdog;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Takes a reply without tool calls: it is the answer and ends the run, unless it was cut or empty,
 * does not match its schema, or a check or a hook sends the model back to work.
 */
final class FinalAnswer {
    private static final String GATE = "quality_gate";

    private final Closing closing;
    private final RunPorts ports;
    private final LoopTexts texts;
    private final LoopSettings settings;
    private final Predicate<Run> hasNextStep;

    /**
     * @param hasNextStep whether no limit keeps the model from being asked again
     */
    FinalAnswer(
            Closing closing,
            RunPorts ports,
            LoopTexts texts,
            LoopSettings settings,
            Predicate<Run> hasNextStep) {
        this.hasNextStep = hasNextStep;
        this.closing = closing;
        this.ports = ports;
        this.texts = texts;
        this.settings = settings;
    }

    /**
     * The end of the run; empty if the model is asked again, with what it was told in the history.
     */
    Optional<RunResult> of(Run run, LlmResponse reply) {
        Optional<StopReason> stopped = Watchdog.hook().check(run);
        if (stopped.isPresent()) {
            run.keepText(reply);
            return Optional.of(closing.stoppedByHook(run));
        }
        return switch (Ending.of(run, reply, settings)) {
            case Ending.Done(StopReason reason) -> {
                RunResult result =
                        new RunResult(reason, Ending.text(run, reply, reason), run.steps());
                yield reason == StopReason.LLM_DONE ? finished(run, result) : Optional.of(result);
            }
            case Ending.Resume() -> {
                run.keepText(reply);
                yield Optional.empty();
            }
            case Ending.Correct(String problem) -> {
                run.forgetText();
                ports.warn(
                        "the answer was sent back, it does not match the JSON schema: " + problem);
                ports.say(run, texts.correctAnswer(problem), "schema");
                yield Optional.empty();
            }
            case Ending.Mismatch(String problem) ->
                    Optional.of(mismatch(run, run.joinedText(reply), problem));
            case Ending.GoOn _ when saysNothingMore(run, reply) ->
                    checked(
                            run,
                            new RunResult(
                                    StopReason.LLM_DONE,
                                    run.checkedWork().standingAnswer(),
                                    run.steps()));
            case Ending.GoOn(Ending.Prompt prompt) -> {
                run.keepText(reply, prompt);
                ports.say(run, words(prompt), prompt.origin());
                yield Optional.empty();
            }
        };
    }

    /** Asked to check its work, the model has nothing to add to the answer that it gave before. */
    private static boolean saysNothingMore(Run run, LlmResponse reply) {
        return run.joinedText(reply).isBlank() && !run.checkedWork().standingAnswer().isEmpty();
    }

    /**
     * The answer that the model gave before it was asked to check its work: it stands where a limit
     * or a failure keeps the model from giving another. Empty if files were changed since.
     */
    Optional<RunResult> standing(Run run) {
        String answer = run.checkedWork().standingAnswer();
        boolean ended = run.interrupts().isCancelled() || Watchdog.hook().check(run).isPresent();
        return answer.isEmpty() || ended
                ? Optional.empty()
                : Optional.of(new RunResult(StopReason.LLM_DONE, answer, run.steps()));
    }

    /** Files that were changed after the last command that succeeded are asked about once. */
    private Optional<RunResult> finished(Run run, RunResult result) {
        boolean asks =
                run.checkedWork().isUnchecked()
                        && !result.text().isBlank()
                        && hasNextStep.test(run)
                        && settings.mayCheck().getAsBoolean()
                        && run.checkedWork().mayAsk(result.text());
        if (!asks) {
            return checked(run, result);
        }
        run.forgetText();
        ports.say(run, texts.finishCheck(), "finish_check");
        return Optional.empty();
    }

    private String words(Ending.Prompt prompt) {
        return switch (prompt) {
            case CONTINUE -> texts.goOn();
            case NUDGE -> texts.nudge();
        };
    }

    /** The model's word that it is done holds unless a required check fails. */
    private Optional<RunResult> checked(Run run, RunResult result) {
        List<FinalChecks.Check> checks = settings.checks().run(run.work());
        checks.forEach(this::report);
        run.checked(checks);
        checks.forEach(check -> run.checkedWork().checked(check.name(), check.passed()));
        List<String> failed =
                checks.stream()
                        .filter(check -> check.required() && !check.passed())
                        .map(FinalChecks.Check::name)
                        .toList();
        if (failed.isEmpty()) {
            return heardByHooks(run, result);
        }
        if (run.work().isCancelled()) {
            return Optional
                    .empty(); // a check that was cut says nothing: the run ends as it was cut
        }
        if (!run.mayMend(settings.checks().maxRetries())) {
            return Optional.of(unfinished(result, failed));
        }
        run.forgetText();
        ports.say(run, failedChecks(checks), "gate");
        return Optional.empty();
    }

    /** Hooks hear the answer last; what they say to the model it may still do, so many times. */
    private Optional<RunResult> heardByHooks(Run run, RunResult result) {
        if (!ports.hooks().hears(HookPoint.AGENT_DONE)) {
            return Optional.of(result);
        }
        HookEvent event = new HookEvent.Answered(result.text(), run.steps());
        boolean more = ports.hooks().fire(event, run).spoken();
        if (Watchdog.hook().check(run).isPresent()) {
            StopReason reason = closing.stoppedByHook(run).stopReason();
            return Optional.of(new RunResult(reason, result.text(), run.steps()));
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
        HookReport report =
                new HookReport(check.name(), "", check.exitCode(), check.took(), check.output());
        ports.hooks().record(report, GATE, "");
    }

    /** What the checks found, for the model. */
    private String failedChecks(List<FinalChecks.Check> checks) {
        StringBuilder text = new StringBuilder(texts.failedChecks());
        for (FinalChecks.Check check : checks) {
            if (!check.passed()) {
                text.append("\n\n[").append(check.name());
                text.append(check.required() ? ": FAILED" : ": failed, not required");
                text.append(check.exitCode() < 0 ? "]" : ", exit code " + check.exitCode() + "]");
                text.append('\n').append(check.output());
            }
        }
        return text.toString();
    }

    private RunResult mismatch(Run run, String answer, String problem) {
        StopReason reason = StopReason.SCHEMA_MISMATCH;
        ports.fail(reason, "The answer does not match the JSON schema: " + problem, false);
        return new RunResult(reason, answer, run.steps());
    }
}
