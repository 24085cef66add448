package dev.agentloop.replay.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolResult;
import java.io.IOException;
import java.util.Locale;

/** A step of a recorded run as JSON, for {@code agent replay --json}; docs/replay.md has fields. */
public final class StepJson {
    private StepJson() {}

    /** One object on one line. */
    public static String of(StepView step) {
        return Json.text(json -> {
            json.writeStartObject();
            json.writeNumberField("step", step.number());
            json.writeBooleanField("closing", step.closing());
            texts(json, "user", step.said());
            text(json, "text", step.text());
            json.writeArrayFieldStart("calls");
            for (StepView.Call call : step.calls()) {
                write(json, call);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("hooks");
            for (StepView.Hook hook : step.hooks()) {
                json.writeStartObject();
                text(json, "name", hook.name());
                text(json, "event", hook.event());
                json.writeNumberField("exit_code", hook.exitCode());
                text(json, "output", hook.output());
                json.writeEndObject();
            }
            json.writeEndArray();
            texts(json, "notices", step.notices());
            boolean counted = step.tokens() > 0 || step.number() == 0;
            json.writeFieldName("tokens");
            if (counted) {
                json.writeNumber(step.tokens());
            } else {
                json.writeNull();
            }
            json.writeFieldName("usd");
            json.writeNumber(counted ? step.usd() : null); // null is written as such
            json.writeEndObject();
        })
                + "\n";
    }

    private static void write(JsonGenerator json, StepView.Call call) throws IOException {
        json.writeStartObject();
        text(json, "id", call.call().id());
        text(json, "tool", call.call().name());
        text(json, "arguments", call.call().arguments());
        if (!call.verdict().isEmpty()) {
            text(json, "verdict", call.verdict());
        }
        ToolResult result = call.result();
        if (result != null) {
            text(json, "kind", word(result.kind()));
            text(json, "result", result.text());
        }
        if (call.took() != null) {
            json.writeNumberField("duration_ms", call.took().toMillis());
        }
        json.writeArrayFieldStart("changes");
        for (FileChange change : call.changes()) {
            json.writeStartObject();
            text(json, "path", change.path());
            text(json, "kind", word(change.kind()));
            json.writeNumberField("added", change.added());
            json.writeNumberField("removed", change.removed());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static void text(JsonGenerator json, String name, String text) throws IOException {
        json.writeStringField(name, Json.wellFormed(text));
    }

    private static void texts(JsonGenerator json, String name, Iterable<String> texts)
            throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(Json.wellFormed(text));
        }
        json.writeEndArray();
    }
}
