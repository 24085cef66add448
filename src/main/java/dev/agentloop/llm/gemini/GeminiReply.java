package dev.agentloop.llm.gemini;

import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.CallIds;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.PartialReply;
import dev.agentloop.llm.ReplyBuilder;
import dev.agentloop.llm.SafeCall;
import dev.agentloop.llm.Tokens;
import dev.agentloop.llm.gemini.GeminiSignature.Part;
import dev.agentloop.llm.provider.ReplyReader;
import dev.agentloop.message.Usage;
import java.util.List;
import java.util.Set;

/**
 * Reads answers of generateContent; one in a piece is a stream of one event. No marker ends a
 * stream: it is whole once it has told a finish reason.
 */
final class GeminiReply implements ReplyReader {
    private final ReplyBuilder reply;
    private final GeminiCalls calls;
    private String finish = "";
    private String blocked = "";
    private long prompt;
    private long cached;
    private long answer;
    private long thoughts;

    GeminiReply(LlmListener listener, CallIds ids) {
        reply = new ReplyBuilder(listener, ids);
        calls = new GeminiCalls(reply);
    }

    @Override
    public JsonValue placeOfError(JsonValue event) {
        return event.isArray() ? event.at(0) : event;
    }

    @Override
    public Progress event(JsonValue chunk) {
        for (JsonValue candidate : chunk.at("candidates").items()) {
            if (candidate.at("index").asLong() == 0) { // we ask for one; others are not ours
                for (JsonValue part : candidate.at("content").at("parts").items()) {
                    take(part);
                }
                finish = candidate.at("finishReason").textOr(finish);
            }
        }
        blocked = chunk.at("promptFeedback").at("blockReason").textOr(blocked);
        takeUsage(chunk.at("usageMetadata"));
        return finish.isEmpty() && blocked.isEmpty() ? Progress.MORE : Progress.WHOLE;
    }

    /** A gateway that drops the wish for events sends the same chunks as one list. */
    @Override
    public void document(JsonValue answer) {
        List<JsonValue> chunks = answer.isArray() ? answer.items() : List.of(answer);
        boolean ours = false;
        for (JsonValue chunk : chunks) {
            ours |= chunk.at("candidates").isArray() || chunk.at("promptFeedback").isObject();
            event(chunk);
        }
        if (!ours) {
            throw LlmException.BrokenReply.onceMore(
                    "gateway changed the response (JSON without candidates)", null);
        }
    }

    @Override
    public LlmResponse end(String requestId, long requestBytes) {
        if (finish.isEmpty() && blocked.isEmpty()) {
            throw new LlmException.BrokenReply(
                    "the stream was cut: it ended without a finish reason", null);
        }
        calls.end(finish.equals("MAX_TOKENS"));
        return reply.build(finishReason(), usage(), requestId, requestBytes);
    }

    private Usage usage() {
        long read = Math.min(cached, prompt);
        return new Usage(prompt - read, answer + thoughts, read, 0, thoughts, false);
    }

    @Override
    public PartialReply partial() {
        return reply.partial(usage());
    }

    @Override
    public void warning(String message) {
        reply.warning(message);
    }

    private void take(JsonValue part) {
        String signature = part.at("thoughtSignature").text();
        JsonValue call = part.at("functionCall");
        if (call.isObject()) {
            if (GeminiCalls.begins(call)) {
                sign(Part.CALL, signature);
            }
            calls.take(call);
        } else if (part.at("text").isText()) {
            takeText(part.at("text").text(), part.at("thought").isTrue(), signature);
        } else if (part.keys().equals(Set.of("thoughtSignature"))) {
            sign(Part.EMPTY, signature);
        }
    }

    /** A part with a signature stays a part of its own, however its neighbours are joined. */
    private void takeText(String text, boolean thought, String signature) {
        if (!signature.isEmpty()) {
            reply.endBlock();
        }
        if (thought) {
            reply.reasoning(text);
            if (!signature.isEmpty()) {
                reply.endReasoning(new GeminiSignature(Part.THOUGHT, signature).provenance());
            }
            return;
        }
        sign(text.isEmpty() ? Part.EMPTY : Part.TEXT, signature);
        reply.text(text);
        if (!signature.isEmpty()) {
            reply.endBlock();
        }
    }

    private void sign(Part part, String signature) {
        if (!signature.isEmpty()) {
            reply.endBlock();
            reply.endReasoning(new GeminiSignature(part, signature).provenance());
        }
    }

    private FinishReason finishReason() {
        if (finish.isEmpty()) {
            reply.warning("the provider refused the prompt: " + SafeCall.word(blocked));
            return FinishReason.REFUSAL;
        }
        return switch (finish) {
            case "STOP" -> reply.natural();
            case "MAX_TOKENS" -> FinishReason.MAX_TOKENS;
            case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII" -> {
                reply.warning("the provider stopped the answer: " + finish);
                yield FinishReason.REFUSAL;
            }
            case "MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE" ->
                    throw new LlmException.BrokenReply(
                            "the model wrote a call that is none (" + finish + ")", null);
            case "UNEXPECTED_TOOL_CALL" ->
                    throw LlmException.BrokenReply.onceMore(
                            "the model called a tool that it may not call", null);
            default -> reply.natural(finish);
        };
    }

    /** Counts are for all so far. */
    private void takeUsage(JsonValue usage) {
        prompt = Tokens.newer(usage.at("promptTokenCount"), prompt);
        cached = Tokens.newer(usage.at("cachedContentTokenCount"), cached);
        answer = Tokens.newer(usage.at("candidatesTokenCount"), answer);
        thoughts = Tokens.newer(usage.at("thoughtsTokenCount"), thoughts);
    }
}
