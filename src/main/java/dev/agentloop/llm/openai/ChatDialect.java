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
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes requests as Chat Completions wants them. */
final class ChatDialect implements Dialect {
    // one string, not a list of parts: chat templates of local servers know only strings
    private static final Frame USER =
            new Frame("{\"role\":\"user\",\"content\":\"", "\\n\\n", "\"}", true);

    private final ModelInfo model;
    private final Capabilities can;
    private final boolean original;
    private final CallIds ids;

    /**
     * @param original whether the server is OpenAI's own; others know fewer members
     */
    ChatDialect(ModelInfo model, boolean original, CallIds ids) {
        this.model = model;
        this.can = model.capabilities();
        this.original = original;
        this.ids = ids;
    }

    @Override
    public byte[] head(LlmRequest request) {
        return Dialect.open(
                json -> {
                    json.writeStringField("model", model.name());
                    json.writeBooleanField("stream", request.stream());
                    if (request.stream()) {
                        json.writeObjectFieldStart("stream_options");
                        json.writeBooleanField("include_usage", true);
                        json.writeEndObject();
                    }
                    if (request.maxOutputTokens() > 0) {
                        boolean newName = original || can.maxCompletionTokens();
                        json.writeNumberField(
                                newName ? "max_completion_tokens" : "max_tokens",
                                request.maxOutputTokens());
                    }
                    writeGeneration(json, request.generation());
                    OpenAiWords.writeTools(
                            json,
                            request,
                            can,
                            function -> {
                                json.writeObjectFieldStart("function");
                                function.to(json);
                                json.writeEndObject();
                            });
                },
                "messages");
    }

    @Override
    public byte[] tail(LlmRequest request) {
        return OpenAiWords.tail(request, can);
    }

    @Override
    public boolean systemInHead() {
        return false;
    }

    @Override
    public boolean resultsCarryImages() {
        return !can.images(); // a model that takes none is told in the results that there were
    }

    @Override
    public Frame frame(Message message) {
        boolean joins =
                message instanceof Message.User user && OpenAiWords.images(user, can).isEmpty();
        return joins ? USER : Frame.NONE;
    }

    @Override
    public byte[] piece(Message message) {
        return switch (message) {
            case Message.User user when !OpenAiWords.images(user, can).isEmpty() ->
                    Json.bytes(json -> withImages(json, user));
            case Message.User user -> {
                String text = OpenAiWords.text(user, can);
                String quoted = Json.quote(Json.wellFormed(text));
                yield quoted.substring(1, quoted.length() - 1).getBytes(StandardCharsets.UTF_8);
            }
            case Message.System(String text) -> Json.bytes(json -> simple(json, "system", text));
            case Message.Assistant assistant -> Json.bytes(json -> assistant(json, assistant));
            case Message.Tool tool -> Json.bytes(json -> tool(json, tool));
        };
    }

    private void writeGeneration(JsonGenerator json, Generation generation) throws IOException {
        OpenAiWords.writeGeneration(
                json,
                generation,
                can,
                effort -> json.writeStringField("reasoning_effort", effort),
                schema -> {
                    json.writeObjectFieldStart("response_format");
                    json.writeStringField("type", "json_schema");
                    json.writeObjectFieldStart("json_schema");
                    OpenAiWords.writeSchema(json, schema);
                    json.writeEndObject();
                    json.writeEndObject();
                });
        if (original) {
            OpenAiWords.writeSessionKey(json, generation);
        }
    }

    private void withImages(JsonGenerator json, Message.User message) throws IOException {
        json.writeStartObject();
        json.writeStringField("role", "user");
        json.writeArrayFieldStart("content");
        if (!message.text().isEmpty()) {
            json.writeStartObject();
            json.writeStringField("type", "text");
            json.writeStringField("text", Json.wellFormed(message.text()));
            json.writeEndObject();
        }
        for (Image image : message.images()) {
            json.writeStartObject();
            json.writeStringField("type", "image_url");
            json.writeObjectFieldStart("image_url");
            json.writeStringField("url", OpenAiWords.dataUrl(image));
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
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
        if (can.reasoningGoesBack()) {
            ChatReasoning.write(json, message);
        }
        if (!calls.isEmpty()) {
            json.writeArrayFieldStart("tool_calls");
            for (ToolCall call : calls) {
                ids.taken(call.id());
                json.writeStartObject();
                json.writeStringField("id", Json.wellFormed(call.id()));
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

    private void tool(JsonGenerator json, Message.Tool message) throws IOException {
        json.writeStartObject();
        json.writeStringField("role", "tool");
        json.writeStringField("tool_call_id", Json.wellFormed(message.callId()));
        json.writeStringField("content", OpenAiWords.text(message.result(), can));
        json.writeEndObject();
    }

    private static void simple(JsonGenerator json, String role, String text) throws IOException {
        json.writeStartObject();
        json.writeStringField("role", role);
        json.writeStringField("content", Json.wellFormed(text));
        json.writeEndObject();
    }
}
