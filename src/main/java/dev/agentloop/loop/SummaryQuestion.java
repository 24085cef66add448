package dev.agentloop.loop;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
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

    LlmRequest after(List<Message> history, List<ToolSpec> tools, ModelInfo model) {
        List<Message> asking = new ArrayList<>(history);
        asking.add(new Message.User(texts.summarize()));
        return new LlmRequest(
                asking,
                tools,
                true, // a ban would be another prompt to some caches
                tokens(model),
                settings.stream(),
                settings.generation().forSummary());
    }

    private int tokens(ModelInfo model) {
        int most = model.maxOutputTokens() > 0 ? Math.min(model.maxOutputTokens(), MAX_TOKENS) : 0;
        int wished = settings.maxOutputTokens();
        return wished > 0 && (most == 0 || wished < most) ? wished : most;
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
        return none(String.valueOf(failure.getMessage()));
    }

    private Optional<String> none(String why) {
        events.emit(
                new AgentEvent.Warning(
                        "no summary of old steps came from the model, a list of their tools and"
                                + " files stands in: "
                                + why));
        return Optional.empty();
    }
}
