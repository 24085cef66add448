package dev.agentloop.llm.gemini;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.ReplyBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls of one reply. Each comes whole, or is begun by a part with a name and continued. */
final class GeminiCalls {
    private final ReplyBuilder reply;
    private final List<ReplyBuilder.Call> bare = new ArrayList<>();
    private ReplyBuilder.@Nullable Call open;
    private @Nullable GeminiArguments pieces;

    GeminiCalls(ReplyBuilder reply) {
        this.reply = reply;
    }

    /** Whether a part begins a call, so that a signature on it is the signature of a call. */
    static boolean begins(JsonValue functionCall) {
        return !functionCall.at("name").text().isEmpty();
    }

    void take(JsonValue functionCall) {
        if (begins(functionCall)) {
            close();
            open = reply.call();
            open.id(functionCall.at("id").text());
            open.name(functionCall.at("name").text());
        }
        if (open == null) {
            return;
        }
        JsonValue args = functionCall.at("args");
        if (args.isObject()) {
            open.arguments(Json.text(args::writeTo));
        }
        for (JsonValue piece : functionCall.at("partialArgs").items()) {
            if (pieces == null) {
                pieces = new GeminiArguments();
            }
            pieces.take(piece);
        }
        if (!functionCall.at("willContinue").isTrue()) {
            close();
        }
    }

    /**
     * No more calls.
     *
     * @param cut whether the output limit ended the reply: then a call without arguments is one
     *     that was cut before they began
     */
    void end(boolean cut) {
        if (open != null && !cut) {
            throw new LlmException.BrokenReply("the reply ended within a call", null);
        }
        for (ReplyBuilder.Call call : bare) {
            if (!cut) {
                call.arguments("{}");
            }
        }
    }

    private void close() {
        if (open == null) {
            return;
        }
        if (pieces != null && !open.hasArguments()) {
            open.arguments(pieces.text());
        } else if (!open.hasArguments()) {
            bare.add(open);
        }
        open = null;
        pieces = null;
    }
}
