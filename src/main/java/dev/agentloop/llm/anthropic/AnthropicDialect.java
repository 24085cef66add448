package dev.agentloop.llm.anthropic;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.llm.CallIds;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.SafeCall;
import dev.agentloop.llm.provider.Dialect;
import dev.agentloop.message.Block;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.ToolSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes requests as the Messages API wants them. Tools and system prompt carry one cache mark
 * together, the newest and the one before of the user's messages one each: three of four allowed.
 */
final class AnthropicDialect implements Dialect {
    private static final int DEFAULT_MAX_TOKENS = 8192; // the field is required

    private static final Frame USER =
            new Frame("{\"role\":\"user\",\"content\":[", ",", "]}", true);
    private static final Frame ASSISTANT =
            new Frame("{\"role\":\"assistant\",\"content\":[", ",", "]}", true);
    private static final byte[] MARK =
            ",\"cache_control\":{\"type\":\"ephemeral\"}".getBytes(StandardCharsets.UTF_8);

    private final ModelInfo model;
    private final CallIds ids;

    AnthropicDialect(ModelInfo model, CallIds ids) {
        this.model = model;
        this.ids = ids;
    }

    @Override
    public byte[] head(LlmRequest request) {
        return Dialect.open(
                json -> {
                    json.writeStringField("model", model.name());
                    json.writeNumberField("max_tokens", maxTokens(request));
                    json.writeBooleanField("stream", request.stream());
                    AnthropicSettings.write(json, model, request.generation());
                    writeTools(json, request.tools());
                    writeSystem(json, request.systemText());
                },
                "messages");
    }

    @Override
    public byte[] tail(LlmRequest request) {
        return ("]" + toolChoice(request) + "}").getBytes(StandardCharsets.UTF_8);
    }

    private String toolChoice(LlmRequest request) {
        if (request.tools().isEmpty()) {
            return "";
        }
        if (!request.mayCallTools()) {
            return ",\"tool_choice\":{\"type\":\"none\"}";
        }
        return model.capabilities().parallelTools()
                ? ""
                : ",\"tool_choice\":{\"type\":\"auto\",\"disable_parallel_tool_use\":true}";
    }

    @Override
    public boolean systemInHead() {
        return true;
    }

    @Override
    public Frame frame(Message message) {
        return message instanceof Message.Assistant ? ASSISTANT : USER;
    }

    @Override
    public byte[] piece(Message message) {
        return Dialect.elements(json -> writeBlocks(json, message));
    }

    @Override
    public byte[] cacheMark() {
        return MARK;
    }

    @Override
    public boolean takesCacheMark(Message message) {
        return !(message instanceof Message.Assistant); // the step's results are the last to come
    }

    private int maxTokens(LlmRequest request) {
        if (request.maxOutputTokens() > 0) {
            return request.maxOutputTokens();
        }
        return model.maxOutputTokens() > 0 ? model.maxOutputTokens() : DEFAULT_MAX_TOKENS;
    }

    private void writeBlocks(JsonGenerator json, Message message) throws IOException {
        switch (message) {
            case Message.System(String text) -> writeText(json, text);
            case Message.User(String text, List<Image> images) -> {
                for (Image image : images) {
                    writeImage(json, image);
                }
                writeText(json, text);
            }
            case Message.Tool tool -> writeResult(json, tool);
            case Message.Assistant(List<Block> blocks) -> {
                for (Block block : blocks.subList(0, endOfWords(blocks))) {
                    writeBlock(json, block);
                }
            }
        }
    }

    /** The API refuses a message whose last block is a thought: those behind all else stay here. */
    private static int endOfWords(List<Block> blocks) {
        int end = blocks.size();
        while (end > 0 && !isWord(blocks.get(end - 1))) {
            end--;
        }
        return end;
    }

    private static boolean isWord(Block block) {
        return switch (block) {
            case Block.Text(String text) -> !text.isBlank();
            case Block.Reasoning(_, String provenance) -> AnthropicBlock.isKept(provenance);
            case Block.Call _ -> true;
        };
    }

    private void writeBlock(JsonGenerator json, Block block) throws IOException {
        switch (block) {
            case Block.Text(String text) -> writeText(json, text);
            case Block.Reasoning(_, String provenance) -> {
                String own = AnthropicBlock.goesBack(provenance);
                if (own != null) {
                    json.writeRawValue(own);
                }
            }
            case Block.Call(ToolCall call) -> {
                ids.taken(call.id());
                json.writeStartObject();
                json.writeStringField("type", "tool_use");
                json.writeStringField("id", SafeCall.word(call.id()));
                json.writeStringField("name", SafeCall.name(call.name()));
                json.writeFieldName("input");
                json.writeRawValue(SafeCall.arguments(call.arguments()));
                json.writeEndObject();
            }
        }
    }

    /** Text that is empty or blank is refused by the API, and says nothing anyway. */
    private static void writeText(JsonGenerator json, String text) throws IOException {
        if (text.isBlank()) {
            return;
        }
        json.writeStartObject();
        json.writeStringField("type", "text");
        json.writeStringField("text", Json.wellFormed(text));
        json.writeEndObject();
    }

    private static void writeImage(JsonGenerator json, Image image) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "image");
        json.writeObjectFieldStart("source");
        json.writeStringField("type", "base64");
        json.writeStringField("media_type", image.mediaType());
        json.writeStringField("data", image.base64());
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void writeResult(JsonGenerator json, Message.Tool message) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "tool_result");
        json.writeStringField("tool_use_id", SafeCall.word(message.callId()));
        ToolResult result = message.result();
        if (result.images().isEmpty()) {
            json.writeStringField("content", Json.wellFormed(result.text()));
        } else {
            json.writeArrayFieldStart("content");
            writeText(json, result.text());
            for (Image image : result.images()) {
                writeImage(json, image);
            }
            json.writeEndArray();
        }
        if (result.isError()) {
            json.writeBooleanField("is_error", true);
        }
        json.writeEndObject();
    }

    private static void writeSystem(JsonGenerator json, String text) throws IOException {
        if (text.isBlank()) {
            return;
        }
        json.writeArrayFieldStart("system");
        json.writeStartObject();
        json.writeStringField("type", "text");
        json.writeStringField("text", Json.wellFormed(text));
        writeMark(json); // covers the tools before it, too
        json.writeEndObject();
        json.writeEndArray();
    }

    private static void writeTools(JsonGenerator json, List<ToolSpec> tools) throws IOException {
        if (tools.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("tools");
        for (ToolSpec tool : tools) {
            json.writeStartObject();
            Dialect.declaration(tool, "input_schema").to(json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeMark(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("cache_control");
        json.writeStringField("type", "ephemeral");
        json.writeEndObject();
    }
}
