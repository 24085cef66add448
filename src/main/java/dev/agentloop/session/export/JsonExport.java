package dev.agentloop.session.export;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.message.Block;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.session.Blobs;
import dev.agentloop.session.SavedSession;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** One JSON object with everything; {@code docs/sessions.md} describes it. */
record JsonExport() implements SessionExport {
    private static final String VERSION = "1.0";

    @Override
    public String text(SavedSession session, Blobs contents) {
        return Json.text(json -> write(json, session)) + "\n";
    }

    private static void write(JsonGenerator json, SavedSession session) throws IOException {
        json.writeStartObject();
        json.writeStringField("schema_version", VERSION);
        string(json, "id", session.summary().id());
        string(json, "title", session.summary().title());
        string(json, "started", session.summary().started().toString());
        string(json, "updated", session.summary().updated().toString());
        string(json, "workspace", session.summary().workspace());
        string(json, "model", session.summary().model());
        string(json, "agent", session.summary().agent());
        string(json, "status", session.summary().status());
        json.writeNumberField("steps", session.steps());
        json.writeNumberField("tool_calls", session.toolCalls());
        json.writeNumberField("duration_ms", session.millis());
        usage(json, session);
        json.writeFieldName("cost_usd");
        if (session.usd() == null) {
            json.writeNull();
        } else {
            json.writeNumber(session.usd());
        }
        json.writeArrayFieldStart("messages");
        for (Message message : session.transcript()) {
            message(json, message);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("files_changed");
        for (FileChange change : session.changes()) {
            change(json, change);
        }
        json.writeEndArray();
        strings(json, "unresolved_calls", session.unresolved());
        strings(json, "notes", session.notes());
        json.writeEndObject();
    }

    private static void usage(JsonGenerator json, SavedSession session) throws IOException {
        json.writeObjectFieldStart("usage");
        json.writeNumberField("input_tokens", session.usage().input());
        json.writeNumberField("output_tokens", session.usage().output());
        json.writeNumberField("cache_read_tokens", session.usage().cacheRead());
        json.writeNumberField("cache_write_tokens", session.usage().cacheWrite());
        json.writeNumberField("reasoning_tokens", session.usage().reasoning());
        json.writeBooleanField("estimated", session.usage().estimated());
        json.writeEndObject();
    }

    private static void message(JsonGenerator json, Message message) throws IOException {
        json.writeStartObject();
        switch (message) {
            case Message.System(String text) -> {
                json.writeStringField("role", "system");
                string(json, "text", text);
            }
            case Message.User(String text, List<Image> images) -> {
                json.writeStringField("role", "user");
                string(json, "text", text);
                images(json, images);
            }
            case Message.Assistant reply -> {
                json.writeStringField("role", "assistant");
                json.writeArrayFieldStart("blocks");
                for (Block block : reply.blocks()) {
                    block(json, block);
                }
                json.writeEndArray();
            }
            case Message.Tool(String callId, ToolResult result) -> {
                json.writeStringField("role", "tool");
                string(json, "call_id", callId);
                result(json, result);
            }
        }
        json.writeEndObject();
    }

    private static void block(JsonGenerator json, Block block) throws IOException {
        json.writeStartObject();
        switch (block) {
            case Block.Text(String text) -> {
                json.writeStringField("type", "text");
                string(json, "text", text);
            }
            case Block.Reasoning(String text, _) -> {
                json.writeStringField("type", "reasoning");
                string(json, "text", text);
            }
            case Block.Call(ToolCall call) -> {
                json.writeStringField("type", "call");
                string(json, "id", call.id());
                string(json, "name", call.name());
                string(json, "arguments", call.arguments());
            }
        }
        json.writeEndObject();
    }

    private static void result(JsonGenerator json, ToolResult result) throws IOException {
        json.writeStringField("kind", result.kind().name().toLowerCase(Locale.ROOT));
        string(json, "text", result.text());
        if (result.exitCode().isPresent()) {
            json.writeNumberField("exit_code", result.exitCode().getAsInt());
        }
        json.writeBooleanField("truncated", result.truncated());
        images(json, result.images());
    }

    private static void images(JsonGenerator json, List<Image> images) throws IOException {
        if (!images.isEmpty()) {
            json.writeNumberField("images", images.size());
        }
    }

    private static void change(JsonGenerator json, FileChange change) throws IOException {
        json.writeStartObject();
        string(json, "path", change.path());
        json.writeStringField("kind", change.kind().name().toLowerCase(Locale.ROOT));
        json.writeNumberField("added", change.added());
        json.writeNumberField("removed", change.removed());
        json.writeEndObject();
    }

    private static void strings(JsonGenerator json, String name, List<String> texts)
            throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(Json.wellFormed(text));
        }
        json.writeEndArray();
    }

    private static void string(JsonGenerator json, String name, String text) throws IOException {
        json.writeStringField(name, Json.wellFormed(text));
    }
}
