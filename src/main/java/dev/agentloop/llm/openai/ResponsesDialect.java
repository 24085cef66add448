package dev.agentloop.llm.openai;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.llm.CallIds;
import dev.agentloop.llm.Capabilities;
import dev.agentloop.llm.Generation;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.SafeCall;
import dev.agentloop.llm.provider.Dialect;
import dev.agentloop.message.Block;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.io.IOException;
import java.util.List;

/**
 * Writes requests as the Responses API wants them. Nothing is stored at the provider: each request
 * carries the whole history, the model's reasoning in its encrypted form included.
 */
final class ResponsesDialect implements Dialect {
    private static final Frame USER =
            new Frame("{\"type\":\"message\",\"role\":\"user\",\"content\":[", ",", "]}", true);

    private final ModelInfo model;
    private final Capabilities can;
    private final CallIds ids;

    ResponsesDialect(ModelInfo model, CallIds ids) {
        this.model = model;
        this.can = model.capabilities();
        this.ids = ids;
    }

    @Override
    public byte[] head(LlmRequest request) {
        return Dialect.open(
                json -> {
                    json.writeStringField("model", model.name());
                    json.writeBooleanField("stream", request.stream());
                    json.writeBooleanField("store", false);
                    if (!can.efforts().isEmpty()) { // models that do not reason refuse it
                        json.writeArrayFieldStart("include");
                        json.writeString("reasoning.encrypted_content");
                        json.writeEndArray();
                    }
                    if (request.maxOutputTokens() > 0) {
                        json.writeNumberField("max_output_tokens", request.maxOutputTokens());
                    }
                    writeGeneration(json, request.generation());
                    writeCompaction(json, request.generation().compactAt());
                    OpenAiWords.writeTools(
                            json,
                            request,
                            can,
                            function -> {
                                function.to(json);
                                // else all parameters become required
                                json.writeBooleanField("strict", false);
                            });
                    if (!request.systemText().isEmpty()) {
                        json.writeStringField(
                                "instructions", Json.wellFormed(request.systemText()));
                    }
                },
                "input");
    }

    @Override
    public byte[] tail(LlmRequest request) {
        return OpenAiWords.tail(request, can);
    }

    @Override
    public boolean systemInHead() {
        return true;
    }

    @Override
    public Frame frame(Message message) {
        return message instanceof Message.User ? USER : Frame.NONE;
    }

    @Override
    public byte[] piece(Message message) {
        return Dialect.elements(json -> {
            switch (message) {
                case Message.System(String text) -> writeMessage(json, "system", text, "");
                case Message.User user -> writeParts(json, user);
                case Message.Assistant(List<Block> blocks) -> writeBlocks(json, blocks);
                case Message.Tool tool -> writeResult(json, tool);
            }
        });
    }

    private void writeGeneration(JsonGenerator json, Generation generation) throws IOException {
        OpenAiWords.writeGeneration(
                json,
                generation,
                can,
                effort -> {
                    json.writeObjectFieldStart("reasoning");
                    json.writeStringField("effort", effort);
                    json.writeStringField("summary", "auto");
                    json.writeEndObject();
                },
                schema -> {
                    json.writeObjectFieldStart("text");
                    json.writeObjectFieldStart("format");
                    json.writeStringField("type", "json_schema");
                    OpenAiWords.writeSchema(json, schema);
                    json.writeEndObject();
                    json.writeEndObject();
                });
        OpenAiWords.writeSessionKey(json, generation);
    }

    private static void writeCompaction(JsonGenerator json, long tokens) throws IOException {
        if (tokens > 0) {
            json.writeArrayFieldStart("context_management");
            json.writeStartObject();
            json.writeStringField("type", ResponsesItem.COMPACTION);
            json.writeNumberField("compact_threshold", tokens);
            json.writeEndObject();
            json.writeEndArray();
        }
    }

    private void writeParts(JsonGenerator json, Message.User message) throws IOException {
        String text = OpenAiWords.text(message, can);
        List<Image> images = OpenAiWords.images(message, can);
        if (!text.isEmpty() || images.isEmpty()) {
            writeText(json, text);
        }
        writeImages(json, images);
    }

    private static void writeText(JsonGenerator json, String text) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "input_text");
        json.writeStringField("text", Json.wellFormed(text));
        json.writeEndObject();
    }

    private static void writeImages(JsonGenerator json, List<Image> images) throws IOException {
        for (Image image : images) {
            json.writeStartObject();
            json.writeStringField("type", "input_image");
            json.writeStringField("image_url", OpenAiWords.dataUrl(image));
            json.writeStringField("detail", "auto");
            json.writeEndObject();
        }
    }

    /** Reasoning that leads to nothing, as in a cut reply, would be refused. */
    private void writeBlocks(JsonGenerator json, List<Block> blocks) throws IOException {
        int last = blocks.size();
        while (last > 0 && !isSaid(blocks.get(last - 1))) {
            last--;
        }
        String phase = "";
        for (Block block : blocks.subList(0, last)) {
            switch (block) {
                case Block.Text(String text) -> {
                    if (isSaid(block)) {
                        writeMessage(json, "assistant", text, phase);
                    }
                    phase = "";
                }
                case Block.Reasoning(_, String provenance) -> {
                    phase = ResponsesItem.phase(provenance);
                    if (ResponsesItem.goesBack(provenance)) {
                        json.writeRawValue(provenance);
                    }
                }
                case Block.Call(ToolCall call) -> writeCall(json, call);
            }
        }
    }

    private static boolean isSaid(Block block) {
        return switch (block) {
            case Block.Call _ -> true;
            case Block.Text(String text) -> !text.isEmpty();
            case Block.Reasoning(_, String provenance) -> ResponsesItem.isSummary(provenance);
        };
    }

    /**
     * @param phase as JSON; models take a preamble for the answer if it does not come back to them
     */
    private static void writeMessage(JsonGenerator json, String role, String text, String phase)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "message");
        json.writeStringField("role", role);
        if (!phase.isEmpty()) {
            json.writeFieldName("phase");
            json.writeRawValue(phase);
        }
        json.writeStringField("content", Json.wellFormed(text));
        json.writeEndObject();
    }

    private void writeCall(JsonGenerator json, ToolCall call) throws IOException {
        ids.taken(call.id());
        json.writeStartObject();
        json.writeStringField("type", "function_call");
        json.writeStringField("call_id", Json.wellFormed(call.id()));
        json.writeStringField("name", SafeCall.name(call.name()));
        json.writeStringField("arguments", SafeCall.arguments(call.arguments()));
        json.writeEndObject();
    }

    private void writeResult(JsonGenerator json, Message.Tool message) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", "function_call_output");
        json.writeStringField("call_id", Json.wellFormed(message.callId()));
        ToolResult result = message.result();
        if (result.images().isEmpty() || !can.images()) {
            json.writeStringField("output", OpenAiWords.text(result, can));
        } else {
            json.writeArrayFieldStart("output");
            writeText(json, result.text());
            writeImages(json, result.images());
            json.writeEndArray();
        }
        json.writeEndObject();
    }
}
