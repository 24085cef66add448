package dev.agentloop.llm.openai;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.ReplyBuilder;
import dev.agentloop.llm.SafeCall;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts pieces of tool calls together. The protocol pairs them by index, but servers leave it out,
 * send 0 for all, repeat ids in each piece, or send no ids at all.
 */
final class ChatCalls {
    private final ReplyBuilder reply;
    private final Map<Long, ReplyBuilder.Call> byIndex = new HashMap<>();
    private final Map<String, ReplyBuilder.Call> byId = new HashMap<>();
    private ReplyBuilder.@Nullable Call last;
    private ReplyBuilder.@Nullable Call legacy;

    ChatCalls(ReplyBuilder reply) {
        this.reply = reply;
    }

    /**
     * Takes one piece.
     *
     * @param whole whether the piece is a call of its own in any case
     */
    void take(JsonValue piece, boolean whole) {
        JsonValue function = piece.at("function");
        String id = piece.at("id").text();
        String name = function.at("name").text();
        String arguments = text(function.at("arguments"));
        ReplyBuilder.Call call = whole ? null : known(piece, id, name);
        if (call == null || !name.isEmpty() && isAnother(call, id, arguments)) {
            call = reply.call();
        }
        call.id(id);
        call.name(name);
        call.arguments(arguments);
        remember(call, piece, id);
    }

    /** Takes a piece of the one call that the protocol's first version knew. */
    void takeLegacy(JsonValue function) {
        if (!function.isObject()) {
            return;
        }
        if (legacy == null) {
            legacy = reply.call();
        }
        legacy.name(function.at("name").text());
        legacy.arguments(text(function.at("arguments")));
    }

    private ReplyBuilder.@Nullable Call known(JsonValue piece, String id, String name) {
        if (piece.at("index").isNumber()) {
            return byIndex.get(piece.at("index").asLong());
        }
        if (!id.isEmpty()) {
            return byId.get(id);
        }
        return name.isEmpty() ? last : null;
    }

    /** Whether a piece that seems to continue {@code call} begins another one. */
    private static boolean isAnother(ReplyBuilder.Call call, String id, String arguments) {
        boolean otherId = !id.isEmpty() && !call.id().isEmpty() && !call.id().equals(id);
        return otherId
                || !arguments.isBlank()
                        && call.hasArguments()
                        && SafeCall.isWhole(call.arguments());
    }

    private void remember(ReplyBuilder.Call call, JsonValue piece, String id) {
        last = call;
        if (piece.at("index").isNumber()) {
            byIndex.put(piece.at("index").asLong(), call);
        }
        if (!id.isEmpty()) {
            byId.put(id, call);
        }
    }

    private static String text(JsonValue arguments) {
        return arguments.isObject() ? Json.text(arguments::writeTo) : arguments.text();
    }
}
