package dev.agentloop.loop;

import dev.agentloop.control.Cause;
import dev.agentloop.evaluation.Evaluation;
import dev.agentloop.evaluation.Judgement;
import dev.agentloop.llm.LlmException;
import dev.agentloop.loop.call.ToolRunner;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.Status;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.loop.run.Watchdog;
import dev.agentloop.message.Message;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has finished work judged by the model, in a conversation of its own that sees what was done: the
 * task, the answer, the calls, the diff, the checks. Work that does not pass is partial, or
 * corrected first. What cannot be judged does not pass.
 */
public final class SelfEvaluation implements FollowUp {
    private final ModelCalls llm;
    private final AgentLoop loop;
    private final ToolRunner tools;
    private final RunPorts ports;
    private final Settings settings;
    private final Supplier<@Nullable Duration> remaining;

    /**
     * How it is done.
     *
     * @param task what the person asked for
     * @param mode basic or full
     * @param maxRetries corrections; 0 only judges
     * @param threshold confidence below which work does not pass
     * @param instructions of the judge
     * @param correction what stands above the issues that the agent hears of
     */
    public record Settings(
            String task,
            String mode,
            int maxRetries,
            BigDecimal threshold,
            String instructions,
            String correction) {}

    private record Attempt(RunResult result, Judgement judgement) {
        Attempt orBetter(Attempt later) {
            return later.judgement.compareTo(judgement) >= 0 ? later : this;
        }
    }

    /**
     * @param loop that corrects the work
     * @param remaining what is left of the run's time; gives null without a limit
     */
    public SelfEvaluation(
            AgentLoop loop,
            ToolRunner tools,
            RunPorts ports,
            Settings settings,
            Supplier<@Nullable Duration> remaining) {
        this.llm = loop.model();
        this.loop = loop;
        this.tools = tools;
        this.ports = ports;
        this.settings = settings;
        this.remaining = remaining;
    }

    /** Judges a run that succeeded, and has it corrected. */
    @Override
    public RunResult after(Run run, RunResult first) {
        RunResult now = first;
        Attempt best = null;
        for (int attempts = 1; ; attempts++) {
            if (now.status() != Status.SUCCESS) {
                return best == null ? now : now.withEvaluation(evaluation(best, attempts - 1));
            }
            Attempt attempt = new Attempt(now, judge(run, now, remaining.get()));
            Optional<StopReason> stopped = stopped(run);
            if (stopped.isPresent()) {
                return new RunResult(stopped.get(), now.text(), run.steps());
            }
            best = best == null ? attempt : best.orBetter(attempt);
            boolean passed = attempt.judgement().passes(settings.threshold());
            if (passed || attempts > settings.maxRetries()) {
                return end(run, best, best == attempt, attempts);
            }
            tell(attempt.judgement());
            now = correct(run, attempt.judgement());
        }
    }

    private RunResult end(Run run, Attempt best, boolean isLast, int attempts) {
        Evaluation evaluation = evaluation(best, attempts);
        if (!evaluation.passed()) {
            tell(best.judgement());
        }
        if (!isLast) {
            ports.warn(
                    "the answer is that of an earlier attempt; the files are those of the last one");
        }
        RunResult result = best.result();
        return new RunResult(result.stopReason(), result.text(), run.steps())
                .withEvaluation(evaluation);
    }

    private Evaluation evaluation(Attempt best, int attempts) {
        Judgement judgement = best.judgement();
        return new Evaluation(
                settings.mode(), judgement.passes(settings.threshold()), judgement, attempts);
    }

    private Judgement judge(Run run, RunResult result, @Nullable Duration remaining) {
        String report = WorkReport.of(settings.task(), result.text(), run, tools.diff());
        try (var _ = ports.deadline(run, remaining)) {
            return Judgement.parse(
                    llm.judge(
                                    run,
                                    List.of(
                                            new Message.System(settings.instructions()),
                                            new Message.User(report)))
                            .message()
                            .text());
        } catch (LlmException e) {
            boolean broke =
                    e instanceof LlmException.Cancelled c && c.why() instanceof Cause.BudgetSpent;
            return Judgement.none(
                    broke
                            ? "not evaluated: the budget does not hold the call"
                            : "not evaluated: " + e.getMessage());
        }
    }

    private static Optional<StopReason> stopped(Run run) {
        Function<Cause, StopReason> reason =
                cause -> Watchdog.interruptReason(cause).orElse(StopReason.TIMEOUT);
        return run.work().cause().map(reason);
    }

    private RunResult correct(Run run, Judgement judgement) {
        StringBuilder text = new StringBuilder(settings.correction()).append('\n');
        judgement.issues().forEach(issue -> text.append("\n- ").append(issue));
        if (!judgement.suggestion().isBlank()) {
            text.append("\n\n").append(judgement.suggestion());
        }
        run.forgetText();
        run.loop().forget();
        ports.say(run, text.toString(), "evaluation");
        return loop.run(run, remaining.get());
    }

    private void tell(Judgement judgement) {
        ports.warn(
                "self-evaluation: %s (confidence %s)%s"
                        .formatted(
                                judgement.completed() ? "not sure that it is done" : "not done",
                                judgement.confidence().toPlainString(),
                                judgement.issues().isEmpty()
                                        ? ""
                                        : ": " + String.join("; ", judgement.issues())));
    }
}
