package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What is left of a run: its words, its streams, its exit code.
 *
 * @param peakKb most memory the process was seen to use; 0 if nobody looked
 */
public record Ended(
        List<String> words, int exitCode, String out, String err, Duration took, long peakKb) {
    private static final ObjectMapper JSON = new ObjectMapper();

    boolean isRun() {
        return !words.isEmpty()
                && (words.getFirst().equals("run") || words.getFirst().equals("resume"));
    }

    boolean isJson() {
        return words.stream().anyMatch(word -> word.matches("--json|(.*=)?json"));
    }

    boolean isStreamJson() {
        return words.stream().anyMatch(word -> word.endsWith("stream-json"));
    }

    /** The result object, of either JSON format. */
    public JsonNode result() {
        return isStreamJson() ? events().getLast() : parse(out);
    }

    /** A text of the result object. */
    public String result(String field) {
        return result().path(field).asText();
    }

    /** The first error's message in the result object. */
    public String errorMessage() {
        return result().path("errors").path(0).path("message").asText();
    }

    public List<JsonNode> events() {
        List<JsonNode> events = new ArrayList<>();
        out.lines().forEach(line -> events.add(parse(line)));
        return events;
    }

    public List<JsonNode> events(String type) {
        return events().stream().filter(e -> e.path("type").asText().equals(type)).toList();
    }

    static JsonNode parse(String json) {
        try (var parser = JSON.createParser(json)) {
            JsonNode node = JSON.readTree(parser);
            if (node == null || parser.nextToken() != null) {
                throw new AssertionError("not exactly one JSON document: <" + json + ">");
            }
            return node;
        } catch (IOException e) {
            throw new AssertionError("not JSON: <" + json + ">", e);
        }
    }

    @Override
    public String toString() {
        return "agent "
                + String.join(" ", words)
                + "\n-- exit code "
                + exitCode
                + " after "
                + took.toMillis()
                + " ms\n-- stdout\n"
                + out
                + "\n-- stderr\n"
                + err;
    }
}
