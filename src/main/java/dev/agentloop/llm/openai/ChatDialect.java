package dev.agentloop.llm.openai;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.llm.CallIds;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.SafeCall;
import dev.agentloop.llm.http.Dialect;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.tool.ToolSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes requests as Chat Completions wants them. */
final class ChatDialect implements Dialect {
    // one string, not a list of parts: chat templates of local servers know only strings
    private static final Frame USER =
            new Frame("{\"role\":\"user\",\"content\":\"", "\\n\\n", "\"}", true);

    private final String model;
    private final String limitName;
    private final CallIds ids;

    ChatDialect(String model, String limitName, CallIds ids) {
        this.model = model;
        this.limitName = limitName;
        this.ids = ids;
    }

    @Override
    public byte[] head(LlmRequest request) {
        byte[] object =
                Json.bytes(json -> {
                    json.writeStartObject();
                    json.writeStringField("model", model);
                    json.writeBooleanField("stream", request.stream());
                    if (request.stream()) {
                        json.writeObjectFieldStart("stream_options");
                        json.writeBooleanField("include_usage", true);
                        json.writeEndObject();
                    }
                    if (request.maxOutputTokens() > 0) {
                        json.writeNumberField(limitName, request.maxOutputTokens());
                    }
                    writeTools(json, request.tools());
                    json.writeArrayFieldStart("messages");
                    json.writeEndArray();
                    json.writeEndObject();
                });
        return Dialect.open(object);
    }

    @Override
    public byte[] tail(LlmRequest request) {
        boolean forbidden = !request.mayCallTools() && !request.tools().isEmpty();
        return (forbidden ? "],\"tool_choice\":\"none\"}" : "]}").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean systemInHead() {
        return false;
    }

    @Override
    public Frame frame(Message message) {
        return message instanceof Message.User ? USER : Frame.NONE;
    }

    @Override
    public byte[] piece(Message message) {
        return switch (message) {
            case Message.User(String text, _) -> {
                String quoted = Json.quote(Json.wellFormed(text));
                yield quoted.substring(1, quoted.length() - 1).getBytes(StandardCharsets.UTF_8);
            }
            case Message.System(String text) -> Json.bytes(json -> simple(json, "system", text));
            case Message.Assistant assistant -> Json.bytes(json -> assistant(json, assistant));
            case Message.Tool tool -> Json.bytes(json -> tool(json, tool));
        };
    }

    private void assistant(JsonGenerator json, Message.Assistant message) throws IOException {
        json.writeStartObject();
        json.writeStringField("role", "assistant");
        String text = Json.wellFormed(message.text());
        List<ToolCall> calls = message.toolCalls();
        if (text.isEmpty() && !calls.isEmpty()) {
            json.writeNullField("content");
        } else {
            json.writeStringField("content", text);
        }
        if (!calls.isEmpty()) {
            json.writeArrayFieldStart("tool_calls");
            for (ToolCall call : calls) {
                ids.taken(call.id());
                json.writeStartObject();
                json.writeStringField("id", call.id());
                json.writeStringField("type", "function");
                json.writeObjectFieldStart("function");
                json.writeStringField("name", SafeCall.name(call.name()));
                json.writeStringField("arguments", SafeCall.arguments(call.arguments()));
                json.writeEndObject();
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private static void tool(JsonGenerator json, Message.Tool message) throws IOException {
        json.writeStartObject();
        json.writeStringField("role", "tool");
        json.writeStringField("tool_call_id", message.callId());
        json.writeStringField("content", Json.wellFormed(message.result().text()));
        json.writeEndObject();
    }

    private static void simple(JsonGenerator json, String role, String text) throws IOException {
        json.writeStartObject();
        json.writeStringField("role", role);
        json.writeStringField("content", Json.wellFormed(text));
        json.writeEndObject();
    }

    private static void writeTools(JsonGenerator json, List<ToolSpec> tools) throws IOException {
        if (tools.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("tools");
        for (ToolSpec tool : tools) {
            json.writeStartObject();
            json.writeStringField("type", "function");
            json.writeObjectFieldStart("function");
            json.writeStringField("name", tool.name());
            json.writeStringField("description", tool.description());
            json.writeFieldName("parameters");
            json.writeRawValue(tool.parameters());
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
