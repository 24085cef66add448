package dev.agentloop.mcp;

import dev.agentloop.json.JsonValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers a server that wants to know something of the person. Must not block. */
interface Elicitor {
    Map<String, @Nullable Object> answer(JsonValue params);
}
