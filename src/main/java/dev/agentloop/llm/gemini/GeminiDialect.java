package dev.agentloop.llm.gemini;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.llm.CallIds;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.SafeCall;
import dev.agentloop.llm.gemini.GeminiSignature.Part;
import dev.agentloop.llm.provider.Dialect;
import dev.agentloop.message.Block;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.tool.ToolSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes requests as generateContent wants them; the model stands in the address. */
final class GeminiDialect implements Dialect {
    // one content for all results of a step: the API counts them against the calls before
    private static final Frame USER = new Frame("{\"role\":\"user\",\"parts\":[", ",", "]}", true);
    private static final Frame MODEL =
            new Frame("{\"role\":\"model\",\"parts\":[", ",", "]}", true);

    private final ModelInfo model;
    private final CallIds ids;
    private final Map<String, String> namesOfCalls = new HashMap<>(); // results repeat the name

    GeminiDialect(ModelInfo model, CallIds ids) {
        this.model = model;
        this.ids = ids;
    }

    @Override
    public byte[] head(LlmRequest request) {
        return Dialect.open(
                json -> {
                    writeSystem(json, request.systemText());
                    writeTools(json, request.tools());
                    writeGeneration(json, request);
                },
                "contents");
    }

    @Override
    public byte[] tail(LlmRequest request) {
        boolean forbidden = !request.mayCallTools() && !request.tools().isEmpty();
        String end =
                forbidden
                        ? "],\"toolConfig\":{\"functionCallingConfig\":{\"mode\":\"NONE\"}}}"
                        : "]}";
        return end.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean systemInHead() {
        return true;
    }

    @Override
    public boolean resultsCarryImages() {
        return false; // only the newest models take them there, all take them beside the results
    }

    @Override
    public Frame frame(Message message) {
        return message instanceof Message.Assistant ? MODEL : USER;
    }

    @Override
    public byte[] piece(Message message) {
        return Dialect.elements(json -> writeParts(json, message));
    }

    private void writeParts(JsonGenerator json, Message message) throws IOException {
        switch (message) {
            case Message.System(String text) -> writeText(json, text, null);
            case Message.User(String text, List<Image> images) -> {
                for (Image image : images) {
                    writeImage(json, image);
                }
                writeText(json, text, null);
            }
            case Message.Tool tool -> writeResult(json, tool);
            case Message.Assistant(List<Block> blocks) -> writeBlocks(json, blocks);
        }
    }

    private void writeBlocks(JsonGenerator json, List<Block> blocks) throws IOException {
        GeminiSignature before = null;
        String missing =
                GeminiSignature.isDemandedBy(model.name()) ? GeminiSignature.FOREIGN : null;
        for (Block block : blocks) {
            GeminiSignature signature = null;
            switch (block) {
                case Block.Text(String text) -> writeText(json, text, valueFor(Part.TEXT, before));
                case Block.Call(ToolCall call) -> {
                    String own = valueFor(Part.CALL, before);
                    writeCall(json, call, own == null ? missing : own);
                    missing = null; // only the first call of a step is signed
                }
                case Block.Reasoning(String text, String provenance) -> {
                    signature = GeminiSignature.read(provenance);
                    writeSigned(json, text, signature);
                }
            }
            before = signature;
        }
    }

    private static @Nullable String valueFor(Part part, @Nullable GeminiSignature before) {
        return before != null && before.part() == part ? before.value() : null;
    }

    /** Parts that are nothing without their signature; thoughts without one need not go back. */
    private static void writeSigned(
            JsonGenerator json, String text, @Nullable GeminiSignature signature)
            throws IOException {
        boolean thought = signature != null && signature.part() == Part.THOUGHT;
        if (signature == null || !thought && signature.part() != Part.EMPTY) {
            return;
        }
        json.writeStartObject();
        json.writeStringField("text", Json.wellFormed(text));
        if (thought) {
            json.writeBooleanField("thought", true);
        }
        json.writeStringField("thoughtSignature", signature.value());
        json.writeEndObject();
    }

    private static void writeText(JsonGenerator json, String text, @Nullable String signature)
            throws IOException {
        if (text.isBlank() && signature == null) {
            return; // some servers refuse empty text, and it says nothing anyway
        }
        json.writeStartObject();
        json.writeStringField("text", Json.wellFormed(text));
        writeSignature(json, signature);
        json.writeEndObject();
    }

    private static void writeImage(JsonGenerator json, Image image) throws IOException {
        json.writeStartObject();
        json.writeObjectFieldStart("inlineData");
        json.writeStringField("mimeType", image.mediaType());
        json.writeStringField("data", image.base64());
        json.writeEndObject();
        json.writeEndObject();
    }

    private void writeCall(JsonGenerator json, ToolCall call, @Nullable String signature)
            throws IOException {
        String name = SafeCall.name(call.name());
        ids.taken(call.id());
        namesOfCalls.put(call.id(), name);
        json.writeStartObject();
        json.writeObjectFieldStart("functionCall");
        writeId(json, call.id());
        json.writeStringField("name", name);
        json.writeFieldName("args");
        json.writeRawValue(SafeCall.arguments(call.arguments()));
        json.writeEndObject();
        writeSignature(json, signature);
        json.writeEndObject();
    }

    private void writeResult(JsonGenerator json, Message.Tool message) throws IOException {
        json.writeStartObject();
        json.writeObjectFieldStart("functionResponse");
        writeId(json, message.callId());
        json.writeStringField("name", namesOfCalls.getOrDefault(message.callId(), "_"));
        json.writeObjectFieldStart("response");
        json.writeStringField(
                message.result().isError() ? "error" : "output",
                Json.wellFormed(message.result().text()));
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndObject();
    }

    /** Where the provider sent no id, name and order pair a result with its call. */
    private static void writeId(JsonGenerator json, String id) throws IOException {
        if (!CallIds.isMade(id)) {
            json.writeStringField("id", Json.wellFormed(id));
        }
    }

    private static void writeSignature(JsonGenerator json, @Nullable String signature)
            throws IOException {
        if (signature != null) {
            json.writeStringField("thoughtSignature", signature);
        }
    }

    private static void writeSystem(JsonGenerator json, String text) throws IOException {
        if (text.isBlank()) {
            return;
        }
        json.writeObjectFieldStart("systemInstruction");
        json.writeArrayFieldStart("parts");
        writeText(json, text, null);
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void writeTools(JsonGenerator json, List<ToolSpec> tools) throws IOException {
        if (tools.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("tools");
        json.writeStartObject();
        json.writeArrayFieldStart("functionDeclarations");
        for (ToolSpec tool : tools) {
            json.writeStartObject();
            Dialect.declaration(tool, "parametersJsonSchema").to(json);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
    }

    private void writeGeneration(JsonGenerator json, LlmRequest request) throws IOException {
        byte[] config =
                Json.bytes(inner -> {
                    inner.writeStartObject();
                    writeSettings(inner, request);
                    inner.writeEndObject();
                });
        if (config.length > "{}".length()) {
            json.writeFieldName("generationConfig");
            json.writeRawValue(new String(config, StandardCharsets.UTF_8));
        }
    }

    private void writeSettings(JsonGenerator json, LlmRequest request) throws IOException {
        if (request.maxOutputTokens() > 0) {
            json.writeNumberField("maxOutputTokens", request.maxOutputTokens());
        }
        Double temperature = request.generation().temperatureFor(model.capabilities());
        if (temperature != null) {
            json.writeNumberField("temperature", temperature);
        }
        String schema = request.generation().answerSchema();
        // beside declared functions the API refuses a schema of the answer
        if (schema != null && request.tools().isEmpty() && model.capabilities().answerSchema()) {
            json.writeStringField("responseMimeType", "application/json");
            json.writeFieldName("responseJsonSchema");
            json.writeRawValue(schema);
        }
        GeminiThinking.write(json, model, request.generation().effort(), request.maxOutputTokens());
    }
}
