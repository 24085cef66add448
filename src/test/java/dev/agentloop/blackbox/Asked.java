package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** One request as the server saw it. */
public record Asked(
        Protocol protocol, Map<String, String> headers, JsonNode body, String raw, Instant at) {

    public boolean isStream() {
        return body.path("stream").asBoolean();
    }

    public List<JsonNode> messages() {
        return list(body.path("messages"));
    }

    /** Names of the offered tools. */
    public List<String> tools() {
        return list(body.path("tools")).stream()
                .map(tool -> tool.path("function").path("name").asText(tool.path("name").asText()))
                .toList();
    }

    /** Whether tools are declared but may not be called. */
    public boolean forbidsTools() {
        JsonNode choice = body.path("tool_choice");
        return choice.asText().equals("none") || choice.path("type").asText().equals("none");
    }

    /** The instructions. */
    public String system() {
        return protocol == Protocol.CHAT
                ? body.path("messages").path(0).path("content").asText()
                : text(body.path("system"));
    }

    /** Text of the newest message. */
    public String lastText() {
        return text(messages().getLast().path("content"));
    }

    /** Texts of all results of tools, oldest first. */
    public List<String> toolResults() {
        List<String> results = new ArrayList<>();
        for (JsonNode message : messages()) {
            if (message.path("role").asText().equals("tool")) {
                results.add(text(message.path("content")));
            }
            for (JsonNode block : message.path("content")) {
                if (block.path("type").asText().equals("tool_result")) {
                    results.add(text(block.path("content")));
                }
            }
        }
        return results;
    }

    public String lastToolResult() {
        return toolResults().getLast();
    }

    static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    static String text(JsonNode content) {
        if (content.isTextual()) {
            return content.asText();
        }
        StringBuilder text = new StringBuilder();
        content.forEach(block -> text.append(block.path("text").asText()));
        return text.toString();
    }
}
