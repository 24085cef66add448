package dev.agentloop.loop;

import dev.agentloop.control.Cause;
import dev.agentloop.cost.Demand;
import dev.agentloop.cost.Reservation;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.Run;
import dev.agentloop.message.Message;
import dev.agentloop.tool.ToolSpec;
import java.util.List;
import java.util.Optional;

/** Sets aside what a model call can use at most, before it is sent. */
final class Reservations {
    private static final int CLOSING_TOKENS = 1024; // the closing answer is short
    private static final int LEAST_OUTPUT = 1024; // a reply that is cut earlier seldom helps
    private static final int USUAL_OUTPUT = 8192; // of a model that nobody described

    private final LlmAdapter llm;
    private final LoopSettings settings;
    private final PromptBound bound = new PromptBound();

    Reservations(LlmAdapter llm, LoopSettings settings) {
        this.llm = llm;
        this.settings = settings;
    }

    /** For the next step; ends the run when that is not left. */
    Reservation forStep(Run run, List<ToolSpec> tools) {
        return take(run, promptBound(run, tools), mostOutput(run));
    }

    /** For a summary of this history, which is the run's own or a part of it. */
    Reservation forSummary(
            Run run, List<ToolSpec> tools, List<Message> history, SummaryQuestion question) {
        bound.of(run.history(), tools);
        long prompt = bound.ofVariant(history, tools) + question.bound();
        return take(run, prompt, question.tokens(llm.model(), mostOutput(run)));
    }

    /** For a conversation of its own, without tools. */
    Reservation forJudge(Run run, List<Message> messages) {
        long prompt = new PromptBound().of(messages, List.of());
        return take(run, prompt, mostOutput(run));
    }

    /** For the closing call; empty when that is not left. */
    Optional<Reservation> forClosing(Run run, List<ToolSpec> tools, String instruction) {
        long prompt = promptBound(run, tools) + PromptBound.ofText(instruction);
        return run.costs().reserve(new Demand(prompt, CLOSING_TOKENS, CLOSING_TOKENS, true));
    }

    /** The reply to the run's own history tells how long that was. */
    void learn(Run run, LlmResponse reply) {
        if (reply.usage().estimated() || reply.compacted()) {
            return;
        }
        long prompt = reply.usage().prompt();
        if (run.costs().mayChangeModel()) {
            bound.learnUnseen(prompt);
        } else {
            bound.learn(prompt);
        }
    }

    private Reservation take(Run run, long prompt, int output) {
        Demand demand = new Demand(prompt, output, LEAST_OUTPUT, false);
        Optional<Reservation> taken = run.costs().reserve(demand);
        if (taken.isEmpty()) {
            run.refused(run.costs().needed(demand));
            throw new LlmException.Cancelled(new Cause.BudgetSpent());
        }
        return taken.get();
    }

    private long promptBound(Run run, List<ToolSpec> tools) {
        String schema = settings.generation().answerSchema();
        return bound.of(run.history(), tools) + (schema == null ? 0 : PromptBound.ofText(schema));
    }

    /** Where a cap must hold, no reply may be as long as it likes. */
    private int mostOutput(Run run) {
        int wished = settings.maxOutputTokens();
        if (wished > 0 || !run.costs().ledger().isCapped()) {
            return wished;
        }
        return llm.model().maxOutputTokens() > 0 ? llm.model().maxOutputTokens() : USUAL_OUTPUT;
    }
}
