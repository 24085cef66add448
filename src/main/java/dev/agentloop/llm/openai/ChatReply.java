package dev.agentloop.llm.openai;

import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.CallIds;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.PartialReply;
import dev.agentloop.llm.ReplyBuilder;
import dev.agentloop.llm.Tokens;
import dev.agentloop.llm.provider.ReplyReader;
import dev.agentloop.message.Usage;
import org.jspecify.annotations.Nullable;

/** Reads answers of Chat Completions; one in a piece is read as a stream of one event. */
final class ChatReply implements ReplyReader {
    private final ReplyBuilder reply;
    private final ChatCalls calls;
    private final ChatReasoning reasoning;
    private @Nullable Usage usage;
    private String finish = "";
    private boolean refused;
    private boolean done;

    /**
     * @param reasoningGoesBack whether reasoning is kept in the form in which it came
     */
    ChatReply(LlmListener listener, CallIds ids, boolean reasoningGoesBack) {
        reply = new ReplyBuilder(listener, ids);
        calls = new ChatCalls(reply);
        reasoning = new ChatReasoning(reply, reasoningGoesBack);
    }

    @Override
    public JsonValue placeOfError(JsonValue event) {
        JsonValue choice = event.at("choices").at(0);
        return choice.at("error").isNull() ? event : choice; // OpenRouter, in mid-stream
    }

    @Override
    public Progress event(JsonValue chunk) {
        takeUsage(chunk);
        for (JsonValue choice : chunk.at("choices").items()) {
            if (choice.at("index").asLong() == 0) { // we ask for one; others are not ours
                take(choice.at("delta"), false);
                takeFinish(choice);
            }
        }
        return done ? Progress.OVER : finish.isEmpty() ? Progress.MORE : Progress.WHOLE;
    }

    @Override
    public void done() {
        done = true;
    }

    @Override
    public void document(JsonValue answer) {
        if (!answer.at("choices").isArray()) {
            throw LlmException.BrokenReply.onceMore(
                    "gateway changed the response (JSON without choices)", null);
        }
        takeUsage(answer);
        JsonValue choice = answer.at("choices").at(0);
        take(choice.at("message"), true);
        takeFinish(choice);
        done = true;
    }

    @Override
    public LlmResponse end(String requestId, long requestBytes) {
        if (finish.equals("error")) {
            throw new LlmException.BrokenReply("the provider ended the answer with an error", null);
        }
        if (!done && finish.isEmpty()) {
            throw new LlmException.BrokenReply(
                    "the stream was cut: it ended without a finish reason", null);
        }
        reasoning.end();
        return reply.build(finishReason(), usage, requestId, requestBytes);
    }

    @Override
    public PartialReply partial() {
        return reply.partial(usage);
    }

    @Override
    public void warning(String message) {
        reply.warning(message);
    }

    private void take(JsonValue delta, boolean wholeCalls) {
        reasoning.take(delta);
        JsonValue content = delta.at("content");
        reply.text(content.text());
        for (JsonValue part : content.items()) { // Mistral
            reply.text(part.at("text").text());
            for (JsonValue thought : part.at("thinking").items()) {
                reasoning.think(thought.at("text").text());
            }
        }
        String refusal = delta.at("refusal").text();
        refused |= !refusal.isEmpty();
        reply.text(refusal);
        for (JsonValue call : delta.at("tool_calls").items()) {
            calls.take(call, wholeCalls);
        }
        calls.takeLegacy(delta.at("function_call"));
    }

    private void takeFinish(JsonValue choice) {
        finish = choice.at("finish_reason").textOr(finish);
    }

    private FinishReason finishReason() {
        if (refused || finish.equals("content_filter")) {
            return FinishReason.REFUSAL;
        }
        return switch (finish) {
            case "tool_calls", "function_call" -> FinishReason.TOOL_USE;
            case "length", "model_length", "max_tokens" -> FinishReason.MAX_TOKENS;
            case "stop", "eos", "end_turn", "stop_sequence", "" -> reply.natural();
            default -> reply.natural(finish);
        };
    }

    /** Counts may come in several chunks, each for all so far: the last one holds. */
    private void takeUsage(JsonValue chunk) {
        JsonValue said = chunk.at("usage");
        if (!said.isObject()) {
            said = chunk.at("x_groq").at("usage");
        }
        if (said.isObject()) {
            usage = usage(said);
        }
    }

    private static Usage usage(JsonValue said) {
        JsonValue details = said.at("prompt_tokens_details");
        long prompt = Tokens.count(said.at("prompt_tokens"));
        long read = Tokens.count(details.at("cached_tokens"));
        if (read == 0) { // DeepSeek
            read = Tokens.count(said.at("prompt_cache_hit_tokens"));
        }
        read = Math.min(read, prompt);
        long written = Math.min(Tokens.count(details.at("cache_write_tokens")), prompt - read);
        long output = Tokens.count(said.at("completion_tokens"));
        long reasoning = Tokens.count(said.at("completion_tokens_details").at("reasoning_tokens"));
        if (Tokens.count(said.at("total_tokens")) == prompt + output + reasoning) {
            output += reasoning; // xAI counts reasoning beside the completion
        }
        return new Usage(
                prompt - read - written, output, read, written, Math.min(reasoning, output), false);
    }
}
