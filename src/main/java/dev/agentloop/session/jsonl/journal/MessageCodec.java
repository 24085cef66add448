package dev.agentloop.session.jsonl.journal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.Block;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * Messages as JSON in the journal. Writing and reading of one thing stand side by side; names and
 * meanings never change, a reader ignores what it does not know.
 */
public final class MessageCodec {
    /**
     * A reader refuses strings of 20 million characters, so longer texts become several strings.
     */
    private static final int MAX_STRING = 8_000_000;

    private MessageCodec() {}

    public static void writeText(JsonGenerator json, String name, String text) throws IOException {
        json.writeFieldName(name);
        String whole = Json.wellFormed(text);
        if (whole.length() <= MAX_STRING) {
            json.writeString(whole);
            return;
        }
        json.writeStartArray();
        for (int from = 0, to; from < whole.length(); from = to) {
            to = Math.min(from + MAX_STRING, whole.length());
            if (to < whole.length() && Character.isHighSurrogate(whole.charAt(to - 1))) {
                to--;
            }
            json.writeString(whole.substring(from, to));
        }
        json.writeEndArray();
    }

    static String readText(JsonValue value) {
        if (!value.isArray()) {
            return value.text();
        }
        StringBuilder whole = new StringBuilder();
        for (JsonValue piece : value.items()) {
            whole.append(piece.text());
        }
        return whole.toString();
    }

    static void writeBlocks(JsonGenerator json, Message.Assistant message) throws IOException {
        json.writeArrayFieldStart("blocks");
        for (Block block : message.blocks()) {
            json.writeStartObject();
            switch (block) {
                case Block.Text(String text) -> {
                    json.writeStringField("type", "text");
                    writeText(json, "text", text);
                }
                case Block.Reasoning(String text, String provenance) -> {
                    json.writeStringField("type", "reasoning");
                    writeText(json, "text", text);
                    writeText(json, "provenance", provenance);
                }
                case Block.Call(ToolCall call) -> {
                    json.writeStringField("type", "call");
                    writeText(json, "id", call.id());
                    writeText(json, "name", call.name());
                    writeText(json, "arguments", call.arguments());
                }
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static Message.Assistant readBlocks(JsonValue data) {
        List<Block> blocks = new ArrayList<>();
        for (JsonValue block : data.at("blocks").items()) {
            String text = readText(block.at("text"));
            switch (block.at("type").text()) {
                case "text" -> blocks.add(new Block.Text(text));
                case "reasoning" ->
                        blocks.add(new Block.Reasoning(text, readText(block.at("provenance"))));
                case "call" -> blocks.add(new Block.Call(readCall(block)));
                default -> {} // a kind of block that a newer version writes
            }
        }
        return new Message.Assistant(blocks);
    }

    private static ToolCall readCall(JsonValue block) {
        return new ToolCall(
                readText(block.at("id")),
                readText(block.at("name")),
                readText(block.at("arguments")));
    }

    static void writeResult(JsonGenerator json, ToolResult result) throws IOException {
        json.writeStringField("kind", wire(result.kind()));
        writeText(json, "text", result.text());
        json.writeArrayFieldStart("changes");
        for (FileChange change : result.changes()) {
            json.writeStartObject();
            writeText(json, "path", change.path());
            json.writeStringField("kind", wire(change.kind()));
            json.writeNumberField("added", change.added());
            json.writeNumberField("removed", change.removed());
            json.writeEndObject();
        }
        json.writeEndArray();
        if (result.exitCode().isPresent()) {
            json.writeNumberField("exit_code", result.exitCode().getAsInt());
        }
        json.writeBooleanField("truncated", result.truncated());
        writeImages(json, result.images());
    }

    /** Nothing where there is none: most messages have none. */
    static void writeImages(JsonGenerator json, List<Image> images) throws IOException {
        if (images.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("images");
        for (Image image : images) {
            json.writeStartObject();
            json.writeStringField("media_type", image.mediaType());
            json.writeStringField("base64", image.base64());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static List<Image> readImages(JsonValue data) {
        List<Image> images = new ArrayList<>();
        for (JsonValue image : data.at("images").items()) {
            images.add(new Image(image.at("media_type").text(), image.at("base64").text()));
        }
        return images;
    }

    static ToolResult readResult(JsonValue data) {
        List<FileChange> changes = new ArrayList<>();
        for (JsonValue change : data.at("changes").items()) {
            changes.add(
                    new FileChange(
                            readText(change.at("path")),
                            unwire(change.at("kind").text(), FileChange.Kind.MODIFIED),
                            (int) change.at("added").asLong(),
                            (int) change.at("removed").asLong()));
        }
        JsonValue exit = data.at("exit_code");
        return new ToolResult(
                unwire(data.at("kind").text(), ToolResult.Kind.ERROR),
                readText(data.at("text")),
                changes,
                exit.isNumber() ? OptionalInt.of((int) exit.asLong()) : OptionalInt.empty(),
                data.at("truncated").isTrue(),
                readImages(data));
    }

    static void writeUsage(JsonGenerator json, Usage usage) throws IOException {
        json.writeObjectFieldStart("usage");
        json.writeNumberField("input", usage.input());
        json.writeNumberField("output", usage.output());
        json.writeNumberField("cache_read", usage.cacheRead());
        json.writeNumberField("cache_write", usage.cacheWrite());
        json.writeNumberField("reasoning", usage.reasoning());
        json.writeBooleanField("estimated", usage.estimated());
        json.writeEndObject();
    }

    static Usage readUsage(JsonValue usage) {
        return new Usage(
                usage.at("input").asLong(),
                usage.at("output").asLong(),
                usage.at("cache_read").asLong(),
                usage.at("cache_write").asLong(),
                usage.at("reasoning").asLong(),
                usage.at("estimated").isTrue());
    }

    /** Constants of our enums are spelled in lower case in files. */
    static String wire(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The constant of that name; {@code unknown} for one that a newer version writes. */
    static <E extends Enum<E>> E unwire(String wire, E unknown) {
        for (E constant : unknown.getDeclaringClass().getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(wire)) {
                return constant;
            }
        }
        return unknown;
    }
}
