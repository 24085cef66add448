package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * One request as the server saw it.
 *
 * @param target path and query of its address
 */
public record Asked(
        Protocol protocol,
        String target,
        Map<String, String> headers,
        JsonNode body,
        String raw,
        Instant at) {

    public boolean isStream() {
        return protocol.form.isStream(this);
    }

    /** The history, in the protocol's own words. */
    public List<JsonNode> messages() {
        return list(protocol.form.history(body));
    }

    /** The history, in the same words for all protocols. */
    List<Said> said() {
        return protocol.form.said(body);
    }

    /** Names of the offered tools. */
    public List<String> tools() {
        return protocol.form.tools(body);
    }

    /** Whether tools are declared but may not be called. */
    public boolean forbidsTools() {
        return protocol.form.forbidsTools(body);
    }

    /** The instructions. */
    public String system() {
        return protocol.form.system(body);
    }

    /** The schema of the answer that is asked for; missing if none is. */
    JsonNode answerSchema() {
        return protocol.form.answerSchema(body);
    }

    /** Text of the newest message, which is the user's. */
    public String lastText() {
        return said().getLast().text();
    }

    /** The newest task as it was given, without what the program says below it. */
    public String lastTask() {
        return lastText().split("\n\n<surroundings>\n", 2)[0];
    }

    /** Texts of all results of tools, oldest first. */
    public List<String> toolResults() {
        return said().stream()
                .flatMap(said -> said.results().stream())
                .map(Said.Result::text)
                .toList();
    }

    public String lastToolResult() {
        return toolResults().getLast();
    }

    /** Tokens that the reply may have. */
    int mostOutput() {
        return Stream.of(
                        "/max_tokens",
                        "/max_completion_tokens",
                        "/max_output_tokens",
                        "/generationConfig/maxOutputTokens")
                .map(body::at)
                .filter(JsonNode::isInt)
                .mapToInt(JsonNode::asInt)
                .findFirst()
                .orElse(Integer.MAX_VALUE);
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
