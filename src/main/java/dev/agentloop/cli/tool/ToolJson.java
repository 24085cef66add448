package dev.agentloop.cli.tool;

import dev.agentloop.json.Json;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolResult;
import dev.agentloop.output.ResultJson;
import dev.agentloop.tool.ToolSpec;
import java.util.List;
import java.util.Locale;

/** The one JSON object of {@code agent tools --json}; its names are those of the events. */
final class ToolJson {
    private ToolJson() {}

    static String list(List<ToolSpec> specs) {
        return object(json -> {
            json.writeArrayFieldStart("tools");
            for (ToolSpec spec : specs) {
                json.writeStartObject();
                json.writeStringField("name", spec.name());
                json.writeStringField("effect", spec.effect().name().toLowerCase(Locale.ROOT));
                json.writeStringField("description", spec.description());
                json.writeFieldName("parameters");
                json.writeRawValue(spec.parameters());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    static String result(String tool, ToolResult result) {
        return object(json -> {
            json.writeStringField("tool", Json.wellFormed(tool));
            json.writeStringField("kind", result.kind().name().toLowerCase(Locale.ROOT));
            json.writeStringField("text", Json.wellFormed(result.text()));
            json.writeBooleanField("truncated", result.truncated());
            if (result.exitCode().isPresent()) {
                json.writeNumberField("exit_code", result.exitCode().getAsInt());
            }
            json.writeNumberField("images", result.images().size());
            json.writeArrayFieldStart("files_changed");
            for (FileChange change : result.changes()) {
                json.writeStartObject();
                ResultJson.writeChange(json, change);
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    private static String object(Json.Writing fields) {
        return Json.text(json -> {
            json.writeStartObject();
            fields.to(json);
            json.writeEndObject();
        })
                + "\n";
    }
}
