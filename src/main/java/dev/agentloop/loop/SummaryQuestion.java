package dev.agentloop.loop;

import dev.agentloop.control.Cause;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.LoopTexts;
import dev.agentloop.message.Message;
import dev.agentloop.tool.ToolSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The question for a summary of old steps, and what counts as an answer. It comes behind the
 * history as it is, tools declared as ever, so that the provider's cache knows all before it.
 */
record SummaryQuestion(LoopTexts texts, LoopSettings settings, EventSink events) {
    private static final int MAX_TOKENS = 8_000; // 800 words, and room to think about them

    /**
     * @param maxOutput tokens that the answer may have; 0 where nothing limits it
     */
    LlmRequest after(List<Message> history, List<ToolSpec> tools, int maxOutput) {
        List<Message> asking = new ArrayList<>(history);
        asking.add(new Message.User(texts.summarize()));
        return new LlmRequest(
                asking,
                tools,
                true, // a ban would be another prompt to some caches
                maxOutput,
                settings.stream(),
                settings.generation().forSummary());
    }

    /** The plan for a model whose old steps are gone. */
    String planSoFar(String plan) {
        return texts.planSoFar() + "\n" + plan;
    }

    /** Most tokens that it adds to a prompt. */
    long bound() {
        return PromptBound.ofText(texts.summarize());
    }

    /** Tokens that its answer may have, of those that a reply may; 0 leaves it to the model. */
    int tokens(ModelInfo model, int most) {
        int known = model.maxOutputTokens();
        int least = most > 0 && known > 0 ? Math.min(most, known) : Math.max(most, known);
        return Math.min(least, MAX_TOKENS);
    }

    /** The words of an answer; calls in it are not made, and make it none. */
    Optional<String> answer(LlmResponse reply) {
        String text = reply.message().text();
        if (!reply.toolCalls().isEmpty()) {
            return none("the model called tools instead");
        }
        return text.isBlank() ? none("the reply was empty") : Optional.of(text);
    }

    /** No answer came; whatever the reason, the run need not end for it. */
    Optional<String> answer(LlmException failure) {
        boolean unpaid =
                failure instanceof LlmException.Cancelled cut
                        && cut.why() instanceof Cause.BudgetSpent;
        return none(
                unpaid
                        ? "the budget does not hold the call"
                        : String.valueOf(failure.getMessage()));
    }

    private Optional<String> none(String why) {
        events.emit(
                new AgentEvent.Warning(
                        "no summary of old steps came from the model; where they must go, a list of"
                                + " their tools and files stands in: "
                                + why));
        return Optional.empty();
    }
}
