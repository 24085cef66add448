package dev.agentloop.durable;

import dev.agentloop.durable.engine.ObjectLogic;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;

/**
 * How a task ended.
 *
 * @param exitCode of the run
 * @param result what {@code agent run --json} printed; empty if the run could not begin
 * @param error the end of what was written for people, if there is no result
 */
public record Outcome(int exitCode, String result, String error) {
    private static final int PARTIAL = 2; // exit codes of agent run
    private static final int TIMEOUT = 5;

    /** done, partial (ended early) or failed. */
    String state() {
        if (exitCode == 0) {
            return "done";
        }
        boolean early = exitCode == PARTIAL || exitCode == TIMEOUT;
        String status = of("status");
        return status.equals("partial") || status.isEmpty() && early ? "partial" : "failed";
    }

    /** Why its run ended, a word of {@code stop_reason}; empty if none began. */
    public String stopReason() {
        return of("stop_reason");
    }

    private String of(String field) {
        try {
            return result.isEmpty() ? "" : Json.parse(result).at(field).textOr("");
        } catch (JsonException e) {
            return ""; // what a run prints is not ours to trust
        }
    }

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
