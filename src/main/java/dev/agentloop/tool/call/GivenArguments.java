package dev.agentloop.tool.call;

import dev.agentloop.json.JsonValue;

/**
 * Arguments of a tool whose parameters somebody else describes: an object as the model wrote it.
 *
 * @param object never anything but a JSON object
 */
public record GivenArguments(JsonValue object) {}
