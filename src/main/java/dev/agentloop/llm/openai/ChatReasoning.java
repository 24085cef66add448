package dev.agentloop.llm.openai;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.ReplyBuilder;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reasoning of one answer. The protocol knows none; servers add members of their own to the
 * message, and some refuse a history of tool calls from which these are missing.
 */
final class ChatReasoning {
    private static final String OPEN = "{\"reasoning";
    private static final List<String> TEXTS = List.of("reasoning_content", "reasoning");
    private static final String DETAILS = "reasoning_details"; // OpenRouter

    private final ReplyBuilder reply;
    private final boolean goesBack;
    private final Map<String, StringBuilder> texts = new LinkedHashMap<>();
    private final List<Detail> details = new ArrayList<>();
    private ReplyBuilder.@Nullable Passage thought;

    /**
     * @param goesBack whether to keep the members as they came, so that they can go back
     */
    ChatReasoning(ReplyBuilder reply, boolean goesBack) {
        this.reply = reply;
        this.goesBack = goesBack;
    }

    /** Writes the members that came with a message into it. */
    static void write(JsonGenerator json, Message.Assistant message) throws IOException {
        boolean written = false;
        for (Block block : message.blocks()) {
            if (block instanceof Block.Reasoning(_, String provenance)) {
                written |= write(json, provenance);
            }
        }
        if (!written && !message.toolCalls().isEmpty()) {
            // DeepSeek refuses calls without it, also if the model did not think or another one did
            json.writeStringField(TEXTS.getFirst(), "");
        }
    }

    /** Whether {@code provenance} is ours and its members were written. */
    private static boolean write(JsonGenerator json, String provenance) throws IOException {
        if (!provenance.startsWith(OPEN)) {
            return false;
        }
        JsonValue members;
        try {
            members = Json.parse(provenance);
        } catch (JsonException e) {
            return false; // a journal that somebody changed
        }
        for (String name : List.of(TEXTS.getFirst(), TEXTS.getLast(), DETAILS)) {
            if (members.has(name)) {
                json.writeFieldName(name);
                members.at(name).writeTo(json);
            }
        }
        return true;
    }

    /** Takes what a piece of the message holds. */
    void take(JsonValue delta) {
        boolean shown = false;
        for (String name : TEXTS) {
            String text = delta.at(name).text();
            if (!text.isEmpty()) {
                if (!shown) {
                    think(text); // servers that send both say the same in both
                    shown = true;
                }
                if (goesBack) {
                    texts.computeIfAbsent(name, _ -> new StringBuilder()).append(text);
                }
            }
        }
        for (JsonValue piece : delta.at(DETAILS).items()) {
            if (goesBack && piece.isObject()) {
                takeDetail(piece);
            }
        }
    }

    /** More text of thoughts, however the server packed it. */
    void think(String text) {
        if (!text.isEmpty()) {
            thought().text(text);
        }
    }

    /** The answer is over. */
    void end() {
        if (thought == null) {
            return;
        }
        boolean kept = !texts.isEmpty() || !details.isEmpty();
        thought.end(kept ? Json.text(this::write) : "");
    }

    private ReplyBuilder.Passage thought() {
        if (thought == null) {
            thought = reply.thought();
        }
        return thought;
    }

    private void takeDetail(JsonValue piece) {
        thought(); // encrypted reasoning has no text but needs its place
        if (details.isEmpty() || !details.getLast().isContinuedBy(piece)) {
            details.add(new Detail());
        }
        details.getLast().add(piece);
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        for (String name : TEXTS) {
            StringBuilder text = texts.get(name);
            if (text != null) {
                json.writeStringField(name, Json.wellFormed(text.toString()));
            }
        }
        if (!details.isEmpty()) {
            json.writeArrayFieldStart(DETAILS);
            for (Detail detail : details) {
                detail.value().writeTo(json);
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    /** One entry of the details; its texts come in pieces. */
    private static final class Detail {
        private static final List<String> GROWING = List.of("text", "summary", "data");

        private final Map<String, @Nullable Object> members = new LinkedHashMap<>();
        private final Map<String, StringBuilder> growing = new LinkedHashMap<>();

        boolean isContinuedBy(JsonValue piece) {
            return Objects.equals(members.get("type"), piece.at("type").raw())
                    && Objects.equals(members.get("index"), piece.at("index").raw());
        }

        void add(JsonValue piece) {
            for (String key : piece.keys()) {
                JsonValue value = piece.at(key);
                if (GROWING.contains(key) && value.isText()) {
                    growing.computeIfAbsent(key, _ -> new StringBuilder()).append(value.text());
                    members.put(key, "");
                } else if (!value.isNull() || !members.containsKey(key)) {
                    members.put(key, value.raw());
                }
            }
        }

        JsonValue value() {
            growing.forEach((key, text) -> members.put(key, text.toString()));
            return new JsonValue(members);
        }
    }
}
