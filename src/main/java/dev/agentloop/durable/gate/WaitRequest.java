package dev.agentloop.durable.gate;

import dev.agentloop.durable.engine.ObjectLogic;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;

/**
 * What a run that waits tells its worker.
 *
 * @param call id of the call that waits
 * @param signal name; empty for a time alone
 * @param millis how long at most, from when the call was first made
 */
public record WaitRequest(String call, String signal, long millis) {
    /** The line of a run begins with it. */
    public static final String WORD = "WAITS ";

    /** As it follows the word, on one line. */
    public String json() {
        return "{\"call\":"
                + Json.quote(call)
                + ",\"signal\":"
                + Json.quote(signal)
                + ",\"millis\":"
                + millis
                + "}";
    }

    /** Reads {@link #json}. */
    public static WaitRequest parse(String json) {
        JsonValue it = ObjectLogic.parsed(json, "{}");
        return new WaitRequest(
                it.at("call").textOr(""), it.at("signal").textOr(""), it.at("millis").asLong());
    }
}
