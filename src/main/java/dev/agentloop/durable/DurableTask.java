package dev.agentloop.durable;

import dev.agentloop.durable.engine.ObjectLogic;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import java.util.List;

/**
 * A task as it was submitted: no keys, no policy; those are the worker's.
 *
 * @param workspace absolute path on the workers' machines
 * @param options words for {@code agent run}, of those that a task may carry
 * @param usd the most that the task may cost, decimal text; empty for what the configuration says
 * @param group whose tasks share a budget; empty for none
 */
public record DurableTask(
        String id,
        String prompt,
        String workspace,
        List<String> options,
        String usd,
        String group) {
    public DurableTask {
        options = List.copyOf(options);
    }

    String json() {
        return Json.text(json -> {
            json.writeStartObject();
            json.writeStringField("id", id);
            json.writeStringField("prompt", Json.wellFormed(prompt));
            json.writeStringField("workspace", workspace);
            json.writeArrayFieldStart("options");
            for (String option : options) {
                json.writeString(option);
            }
            json.writeEndArray();
            json.writeStringField("usd", usd);
            json.writeStringField("group", group);
            json.writeEndObject();
        });
    }

    static DurableTask parse(String text) {
        JsonValue it = ObjectLogic.parsed(text, "{}");
        return new DurableTask(
                it.at("id").textOr(""),
                it.at("prompt").textOr(""),
                it.at("workspace").textOr(""),
                it.at("options").items().stream().map(option -> option.textOr("")).toList(),
                it.at("usd").textOr(""),
                it.at("group").textOr(""));
    }
}
