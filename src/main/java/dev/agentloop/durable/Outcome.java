package dev.agentloop.durable;

import dev.agentloop.durable.engine.ObjectLogic;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;

/**
 * How a task ended.
 *
 * @param exitCode of the run
 * @param result what {@code agent run --json} printed; empty if the run could not begin
 * @param error the end of what was written for people, if there is no result
 */
public record Outcome(int exitCode, String result, String error) {
    String json() {
        return Json.text(json -> {
            json.writeStartObject();
            json.writeNumberField("exit_code", exitCode);
            json.writeStringField("result", Json.wellFormed(result));
            json.writeStringField("error", Json.wellFormed(error));
            json.writeEndObject();
        });
    }

    static Outcome parse(String text) {
        JsonValue it = ObjectLogic.parsed(text, "{}");
        return new Outcome(
                (int) it.at("exit_code").asLong(),
                it.at("result").textOr(""),
                it.at("error").textOr(""));
    }
}
