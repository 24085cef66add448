package dev.agentloop.loop;

import dev.agentloop.context.ContextManager;
import dev.agentloop.context.LastPlan;
import dev.agentloop.context.Prompt;
import dev.agentloop.control.Cause;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.message.Compaction;
import dev.agentloop.message.Message;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.tool.ToolSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes the history of a run shorter, on record: a resumed session sends the same. What is cut off
 * while it is done has changed nothing.
 */
final class Compacting {
    private final ContextManager context;
    private final RunPorts ports;
    private final Supplier<String> model;
    private final SummaryQuestion question;
    private final Asking asking;

    /** Asks the model for a summary of a history. */
    @FunctionalInterface
    interface Asking {
        /**
         * The words of the summary; empty if the answer is of no use.
         *
         * @throws LlmException when no answer comes, or no request is left
         */
        Optional<String> ask(Run run, List<ToolSpec> tools, List<Message> history);
    }

    /**
     * @param model {@code provider/model} that answers now
     */
    Compacting(
            ContextManager context,
            RunPorts ports,
            Supplier<String> model,
            SummaryQuestion question,
            Asking asking) {
        this.context = context;
        this.ports = ports;
        this.model = model;
        this.question = question;
        this.asking = asking;
    }

    /** What would be sent of the run now. */
    Prompt prompt(Run run, List<ToolSpec> tools) {
        return new Prompt(run.history(), PromptSize.ofTools(tools), model.get());
    }

    /** If it is time to. */
    void fit(Run run, List<ToolSpec> tools) {
        if (!isReplyOpen(run)) {
            take(run, context.fit(prompt(run, tools), history -> summary(run, tools, history)));
            stopIfSpent(run);
        }
    }

    /** Because a hook wants it so. */
    void shorten(Run run, List<ToolSpec> tools) {
        if (!isReplyOpen(run)) {
            take(run, context.compact(prompt(run, tools), history -> summary(run, tools, history)));
            stopIfSpent(run);
        }
    }

    /** Whether the model goes on with its newest reply, which must stay last. */
    private static boolean isReplyOpen(Run run) {
        return run.history().getLast() instanceof Message.Assistant;
    }

    /** In any case; false if nothing more can be given up. */
    boolean makeRoom(Run run, List<ToolSpec> tools) {
        Prompt prompt = prompt(run, tools);
        if (!take(run, context.makeRoom(prompt, history -> summary(run, tools, history)))) {
            return false;
        }
        stopIfSpent(run);
        return true;
    }

    /**
     * Because a person wants it so; fails if the model does.
     *
     * @return what was done, for a person
     */
    String compact(Run run, List<ToolSpec> tools) {
        Prompt before = prompt(run, tools);
        long tokens = context.tokens(before);
        List<String> given = new ArrayList<>();
        ContextManager.Fitted fitted =
                context.compact(
                        before,
                        history -> {
                            Optional<String> summary = asking.ask(run, tools, history);
                            given.add(summary.orElse(""));
                            return summary;
                        });
        if (given.contains("")) {
            throw new LlmException.BrokenReply(
                    "the model gave no summary of use; try it again, or with another model", null);
        }
        if (given.isEmpty() && isUrgent(fitted)) {
            throw new LlmException.BrokenReply(
                    "the history is too long for "
                            + model.get()
                            + ", so it cannot sum it up; choose a model with a larger window",
                    null);
        }
        boolean summedUp =
                fitted.done().stream()
                        .anyMatch(it -> it.compaction().by() == Compaction.By.SUMMARY);
        if (summedUp) {
            take(run, fitted);
            return "Old steps are summed up: about %d tokens are left of %d."
                    .formatted(context.tokens(prompt(run, tools)), tokens);
        }
        return given.isEmpty()
                ? "There are no old steps to sum up."
                : "The old steps are shorter than their summary, so they stay as they are.";
    }

    /** Whether old steps would have gone without a summary. */
    private static boolean isUrgent(ContextManager.Fitted fitted) {
        return fitted.done().stream()
                .anyMatch(it -> it.compaction().by() == Compaction.By.MECHANICAL);
    }

    /** What the provider has summed up need not be sent again, if its reply is to be kept. */
    void settle(Run run, LlmResponse reply, List<ToolSpec> tools) {
        boolean kept =
                !reply.toolCalls().isEmpty()
                        || !reply.message().text().isBlank()
                        || reply.finish() == FinishReason.PAUSED;
        if (reply.compacted() && kept) {
            byServer(run, prompt(run, tools));
        }
    }

    /** The model's newest reply stands for all before it. */
    private void byServer(Run run, Prompt prompt) {
        List<Message> said =
                run.history().stream().filter(it -> it instanceof Message.User).toList();
        Compaction done = Compaction.byServer(said.size());
        List<Message> shorter = done.applyTo(run.history());
        Prompt after = new Prompt(shorter, prompt.besides(), prompt.model());
        long before = context.tokens(prompt);
        ContextManager.Done gain = new ContextManager.Done(done, before, context.tokens(after));
        take(run, new ContextManager.Fitted(shorter, List.of(gain)));
    }

    /** The model's summary; empty when it gave none of use, or none was left to be paid. */
    private Optional<String> summary(Run run, List<ToolSpec> tools, List<Message> history) {
        try {
            return asking.ask(run, tools, history);
        } catch (LlmException e) {
            if (e instanceof LlmException.Cancelled cut && !isOfSummary(cut.why())) {
                throw e;
            }
            return question.answer(e);
        }
    }

    /** Whether it ends the summary alone, and not the run. */
    private static boolean isOfSummary(Cause why) {
        return why instanceof Cause.StepDeadline || why instanceof Cause.BudgetSpent;
    }

    /** A summary may have used up what was left for the step that it was made for. */
    private static void stopIfSpent(Run run) {
        if (run.costs().isSpent()) {
            throw new LlmException.Cancelled(new Cause.BudgetSpent());
        }
    }

    private boolean take(Run run, ContextManager.Fitted fitted) {
        for (ContextManager.Done done : fitted.done()) {
            Compaction what = done.compaction();
            ports.journal().append(List.of(new JournalRecord.Compacted(what)), true);
            ports.events()
                    .emit(
                            new AgentEvent.ContextCompacted(
                                    done.before(), done.after(), what.by().wireName()));
        }
        if (!fitted.done().isEmpty()) {
            Optional<String> plan = LastPlan.in(run.history());
            run.history(fitted.history());
            if (plan.isPresent() && LastPlan.in(run.history()).isEmpty() && !isReplyOpen(run)) {
                ports.say(run, question.planSoFar(plan.get()), "plan");
            }
        }
        return !fitted.done().isEmpty();
    }
}
