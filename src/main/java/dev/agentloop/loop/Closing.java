package dev.agentloop.loop;

import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.tool.ToolSpec;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Ends a run that a guard stopped: the model is asked once for a summary of what is done and what
 * is left, within a reserve of time and money; when it does not answer, one line of ours stands in.
 */
public final class Closing {
    private static final Duration RESERVE = Duration.ofSeconds(20); // a summary takes seconds
    private static final Duration GRACE = Duration.ofSeconds(2); // past a deadline without reserve
    private static final BigDecimal BUDGET_SHARE =
            new BigDecimal("0.1"); // of the budget, for its own summary

    private final ModelCalls llm;
    private final AgentLoop.LoopPorts ports;
    private final LoopTexts texts;
    private final LoopSettings settings;

    public Closing(
            ModelCalls llm, AgentLoop.LoopPorts ports, LoopTexts texts, LoopSettings settings) {
        this.llm = llm;
        this.ports = ports;
        this.texts = texts;
        this.settings = settings;
    }

    String prompt(Ending.Prompt prompt) {
        return switch (prompt) {
            case CONTINUE -> texts.goOn();
            case NUDGE -> texts.nudge();
        };
    }

    /** What the checks found, for the model. */
    String failedChecks(List<FinalChecks.Check> checks) {
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

    String correction(String problem) {
        return texts.correctAnswer(problem);
    }

    /** Ends the run with one line of ours: the model cannot take another request. */
    RunResult withoutModel(Run run, StopReason reason) {
        announce(run, reason);
        return new RunResult(reason, lastWords(run, reason), run.steps());
    }

    RunResult close(Run run, StopReason reason, List<ToolSpec> tools) {
        announce(run, reason);
        if (reason == StopReason.USER_INTERRUPT || reason == StopReason.OUTPUT_LOST) {
            return new RunResult(reason, "Interrupted by the user.", run.steps());
        }
        String text =
                mayAskModel(run, reason, tools)
                        ? summary(run, reason, tools).orElseGet(() -> lastWords(run, reason))
                        : lastWords(run, reason);
        Optional<StopReason> interrupted =
                run.interrupts().cause().flatMap(Watchdog::interruptReason);
        return interrupted.isPresent()
                ? new RunResult(interrupted.get(), "Interrupted by the user.", run.steps())
                : new RunResult(reason, text, run.steps());
    }

    private void announce(Run run, StopReason reason) {
        ports.journal().append(List.of(new JournalRecord.LimitReached(reason.wireName())), false);
        ports.events().emit(new AgentEvent.LimitReached(reason.wireName(), detail(run, reason)));
        ports.events().emit(new AgentEvent.Closing(reason.wireName(), run.steps()));
    }

    private Optional<String> summary(Run run, StopReason reason, List<ToolSpec> tools) {
        String text = "[SYSTEM] " + texts.closing(reason);
        run.add(new Message.User(text));
        ports.journal().append(List.of(new JournalRecord.UserSaid(text, "close")), false);
        ports.events().emit(new AgentEvent.UserMessage(text, "close"));
        Duration limit = timeLeft(run, reason);
        try {
            LlmResponse reply = llm.closing(run, tools, limit);
            String answer = reply.message().text();
            if (answer.isBlank()) {
                ports.events().emit(noWords(reply));
                return Optional.empty();
            }
            // calls of a model that ignores the ban are not kept
            run.add(new Message.Assistant(List.of(new Block.Text(answer))));
            return Optional.of(answer);
        } catch (LlmException e) {
            if (run.interrupts().cause().isEmpty()) {
                ports.events().emit(failure(e, limit));
            }
            return Optional.empty();
        }
    }

    private static AgentEvent.Failed noWords(LlmResponse reply) {
        String why =
                reply.toolCalls().isEmpty()
                        ? "the model's reply was empty"
                        : "the model called tools, which it was told not to";
        return noSummary(StopReason.EMPTY_RESPONSE.wireName(), why, false);
    }

    private static AgentEvent.Failed noSummary(String code, String why, boolean retryable) {
        return new AgentEvent.Failed(code, "no closing summary: " + why, false, retryable);
    }

    /**
     * Ends no run: it has ended. But whoever reads the result should know why it says so little.
     */
    private static AgentEvent.Failed failure(LlmException e, Duration limit) {
        String why =
                switch (e) {
                    case LlmException.Cancelled cut
                            when cut.why() instanceof Cause.HookStop(String hook, _) ->
                            "the hook " + hook + " stopped its request";
                    case LlmException.Cancelled _ ->
                            "the model gave no answer in " + Time.inSeconds(limit);
                    default -> String.valueOf(e.getMessage());
                };
        return noSummary(e.code(), why, e.isRetryable());
    }

    /** After a deadline the summary must fit what was kept back for it. */
    private Duration timeLeft(Run run, StopReason reason) {
        boolean deadline =
                run.work().cause().filter(Cause.RunDeadline.class::isInstance).isPresent();
        if (!deadline) {
            Duration step = settings.stepTimeout();
            return step != null && step.compareTo(RESERVE) < 0 && reason == StopReason.TIMEOUT
                    ? step
                    : RESERVE;
        }
        Duration kept = settings.closeReserve();
        return kept.compareTo(GRACE) > 0 ? kept : GRACE;
    }

    /**
     * Whatever ended the run: a closing call fits what is left, or costs little, or is left out.
     */
    private boolean mayAskModel(Run run, StopReason reason, List<ToolSpec> tools) {
        BigDecimal cap = run.costs().capUsd();
        BigDecimal spent = run.costs().usd();
        if (cap == null || spent == null) {
            return reason != StopReason.BUDGET_EXCEEDED && !run.costs().isSpent();
        }
        BigDecimal limit = cap.subtract(spent).max(cap.multiply(BUDGET_SHARE));
        return run.costs().fits(llm.closingEstimate(run, tools), llm.modelId(), limit);
    }

    /** An answer that was begun, or one line of ours. */
    private static String lastWords(Run run, StopReason reason) {
        String begun = run.unfinishedText();
        return !begun.isBlank() ? begun : "The agent stopped (" + reason.wireName() + ").";
    }

    private String detail(Run run, StopReason reason) {
        return switch (reason) {
            case MAX_STEPS -> "Step limit reached (" + settings.maxSteps() + ")";
            case BUDGET_EXCEEDED -> "Budget reached (" + spent(run) + ")";
            case TIMEOUT -> "Time limit reached";
            case CONTEXT_FULL -> "Context window full";
            case USER_INTERRUPT -> "Interrupted by the user";
            case OUTPUT_LOST -> "Standard output is gone";
            case HOOK_TERMINATED -> RunHooks.whyStopped(run);
            default -> reason.wireName();
        };
    }

    private static String spent(Run run) {
        BigDecimal usd = run.costs().usd();
        String tokens = run.costs().usage().total() + " tokens";
        return usd == null
                ? tokens
                : "$" + usd.stripTrailingZeros().toPlainString() + ", " + tokens;
    }
}
