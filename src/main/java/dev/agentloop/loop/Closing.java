package dev.agentloop.loop;

import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import dev.agentloop.cost.Ledger;
import dev.agentloop.cost.Reservation;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.LoopTexts;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunHooks;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.loop.run.Watchdog;
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

    private static final int MAX_NAMED = 20; // files in the line that stands in for a summary

    private final ModelCalls llm;
    private final RunPorts ports;
    private final LoopTexts texts;
    private final LoopSettings settings;

    public Closing(ModelCalls llm, RunPorts ports, LoopTexts texts, LoopSettings settings) {
        this.llm = llm;
        this.ports = ports;
        this.texts = texts;
        this.settings = settings;
    }

    /** Ends a run whose call of the model failed, or was cut by what ends the run. */
    RunResult afterFailure(Run run, LlmException e, List<ToolSpec> tools) {
        return switch (e) {
            case LlmException.Cancelled cut -> close(run, reasonOf(cut.why()), tools);
            case LlmException.ContextOverflow full -> {
                report(full);
                yield withoutModel(run, StopReason.CONTEXT_FULL);
            }
            default -> failed(run, e);
        };
    }

    /** The same where the model was only asked to sum up old steps: it is not asked once more. */
    RunResult afterFailedCompaction(Run run, LlmException e) {
        return e instanceof LlmException.Cancelled cut
                ? withoutModel(run, reasonOf(cut.why()))
                : failed(run, e);
    }

    private RunResult failed(Run run, LlmException e) {
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

    private static StopReason reasonOf(Cause cause) {
        return switch (cause) {
            case Cause.BudgetSpent _ -> StopReason.BUDGET_EXCEEDED;
            case Cause.Repetition _ -> StopReason.LOOP_DETECTED;
            default -> Watchdog.interruptReason(cause).orElse(StopReason.TIMEOUT);
        };
    }

    /** Ends a run that a hook stopped, with the reason that it gave. */
    RunResult stoppedByHook(Run run) {
        StopReason reason = StopReason.HOOK_TERMINATED;
        String message = RunHooks.whyStopped(run);
        ports.fail(reason, message, false);
        RunResult closed = withoutModel(run, reason);
        return run.unfinishedText().isBlank()
                ? new RunResult(reason, message, run.steps())
                : closed;
    }

    /** Ends the run with one line of ours: the model cannot take another request. */
    RunResult withoutModel(Run run, StopReason reason) {
        announce(run, reason);
        return new RunResult(reason, lastWords(run, reason), run.steps());
    }

    RunResult close(Run run, StopReason reason, List<ToolSpec> tools) {
        if (reason == StopReason.HOOK_TERMINATED) {
            return stoppedByHook(run);
        }
        announce(run, reason);
        if (reason == StopReason.USER_INTERRUPT || reason == StopReason.OUTPUT_LOST) {
            return new RunResult(reason, "Interrupted by the user.", run.steps());
        }
        if (reason == StopReason.BUDGET_EXCEEDED && hasDoneNothing(run)) {
            String words = lastWords(run, reason) + run.needed().map(Closing::least).orElse("");
            return new RunResult(reason, words, run.steps());
        }
        String instruction = "[SYSTEM] " + texts.closing(reason);
        String text =
                llm.reserveClosing(run, tools, instruction)
                        .flatMap(
                                paid -> summary(run, new Request(reason, instruction, paid), tools))
                        .orElseGet(() -> lastWords(run, reason));
        Optional<StopReason> interrupted =
                run.interrupts().cause().flatMap(Watchdog::interruptReason);
        return interrupted.isPresent()
                ? new RunResult(interrupted.get(), "Interrupted by the user.", run.steps())
                : new RunResult(reason, text, run.steps());
    }

    /** What is left of the budget is not for a summary of nothing; of earlier runs it may be. */
    private static boolean hasDoneNothing(Run run) {
        return run.steps() == 0
                && run.history().stream().noneMatch(Message.Assistant.class::isInstance);
    }

    private static String least(Ledger.Needed needed) {
        if (needed.usd() != null) {
            return " The first call takes a budget of $" + plain(needed.usd()) + " or more.";
        }
        return needed.tokens() < 0
                ? ""
                : " The first call takes a limit of " + needed.tokens() + " tokens or more.";
    }

    private void announce(Run run, StopReason reason) {
        ports.journal().append(List.of(new JournalRecord.LimitReached(reason.wireName())), false);
        ports.events().emit(new AgentEvent.LimitReached(reason.wireName(), detail(run, reason)));
        ports.events().emit(new AgentEvent.Closing(reason.wireName(), run.steps()));
    }

    /** The closing call, paid for by what was kept back. */
    private record Request(StopReason reason, String text, Reservation reservation) {}

    private Optional<String> summary(Run run, Request request, List<ToolSpec> tools) {
        String text = request.text();
        ports.say(run, text, "close");
        Duration limit = timeLeft(run, request.reason());
        try {
            LlmResponse reply = llm.closing(run, tools, request.reservation(), limit);
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
        if (!isOver(run)) {
            Duration step = settings.limits().stepTimeout().orElse(null);
            return step != null && step.compareTo(RESERVE) < 0 && reason == StopReason.TIMEOUT
                    ? step
                    : RESERVE;
        }
        Duration kept = settings.closeReserve();
        return kept.compareTo(GRACE) > 0 ? kept : GRACE;
    }

    /** An answer that was begun, or words of ours about what was done. */
    private static String lastWords(Run run, StopReason reason) {
        String begun = run.unfinishedText();
        if (!begun.isBlank()) {
            return begun;
        }
        String stopped = "The agent stopped (" + reason.wireName() + ").";
        List<String> changed = run.changedFiles();
        if (changed.isEmpty()) {
            return stopped;
        }
        int more = changed.size() - MAX_NAMED;
        String names = String.join(", ", changed.subList(0, Math.min(changed.size(), MAX_NAMED)));
        return stopped
                + "\nFiles changed: "
                + names
                + (more > 0 ? ", and " + more + " more." : ".");
    }

    private String detail(Run run, StopReason reason) {
        return switch (reason) {
            case MAX_STEPS -> "Step limit reached (" + settings.limits().maxSteps() + ")";
            case MAX_TOOL_CALLS ->
                    "Limit of tool calls reached (" + run.costs().ledger().caps().toolCalls() + ")";
            case BUDGET_EXCEEDED -> budget(run);
            case LOOP_DETECTED -> "The model goes round in circles";
            case TIMEOUT -> timeLimit(run);
            case CONTEXT_FULL -> "Context window full";
            case USER_INTERRUPT -> "Interrupted by the user";
            case OUTPUT_LOST -> "Standard output is gone";
            case HOOK_TERMINATED -> RunHooks.whyStopped(run);
            default -> reason.wireName();
        };
    }

    /** The run's own time, or that of one call. */
    private String timeLimit(Run run) {
        Duration step = settings.limits().stepTimeout().orElse(null);
        return step == null || isOver(run)
                ? "Time limit reached"
                : "Step timeout (" + Time.inSeconds(step).replace(" ", "") + ")";
    }

    private static boolean isOver(Run run) {
        return run.work().cause().filter(Cause.RunDeadline.class::isInstance).isPresent();
    }

    /** Spent, or too little left for another call: the figures tell which. */
    private static String budget(Run run) {
        BigDecimal usd = run.costs().usd();
        Ledger.Caps caps = run.costs().ledger().caps();
        String tokens = run.costs().usage().total() + " tokens";
        String spent = usd == null ? tokens : "$" + plain(usd) + ", " + tokens;
        String most = caps.usd() == null ? caps.tokens() + " tokens" : "$" + plain(caps.usd());
        return "Budget reached (used " + spent + " of " + most + "; another call may not fit)";
    }

    private static String plain(BigDecimal money) {
        return money.stripTrailingZeros().toPlainString();
    }
}
