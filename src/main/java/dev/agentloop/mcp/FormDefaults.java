package dev.agentloop.mcp;

import dev.agentloop.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fills a form with what its schema says is the default, as a person does who only says yes. */
final class FormDefaults implements Elicitor {

    @Override
    public Map<String, @Nullable Object> answer(JsonValue params) {
        JsonValue properties = params.at("requestedSchema").at("properties");
        Map<String, @Nullable Object> content = new LinkedHashMap<>();
        for (String name : properties.keys()) {
            if (properties.at(name).has("default")) {
                content.put(name, properties.at(name).at("default").raw());
            }
        }
        for (JsonValue required : params.at("requestedSchema").at("required").items()) {
            if (!content.containsKey(required.text())) {
                return Map.of("action", "decline"); // nobody is there to make something up
            }
        }
        return Map.of("action", "accept", "content", content);
    }
}
