package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Supplier;

/** How one protocol writes its answers and reads its requests. */
abstract class WireForm {
    static final ObjectMapper JSON = new ObjectMapper();

    /**
     * An answer as a stream of events.
     *
     * @param opening text and calls, in pieces so that streams are streams
     * @param end why the answer ends, and the tokens
     */
    record Answer(List<String> opening, List<String> end) {}

    abstract Answer stream(Reply reply, Supplier<String> ids);

    /** The answer in a piece. */
    abstract String whole(Reply reply, Supplier<String> ids);

    /** An event that says the provider is overloaded. */
    abstract String overloaded(String message);

    /** Whether requests go there. */
    abstract boolean isAddress(String target);

    boolean isStream(Asked asked) {
        return asked.body().path("stream").asBoolean();
    }

    /** The instructions. */
    abstract String system(JsonNode body);

    /** The history as it stands in the body. */
    JsonNode history(JsonNode body) {
        return body.path("messages");
    }

    /** The history in words of our own. */
    abstract List<Said> said(JsonNode body);

    /** Names of the offered tools. */
    List<String> tools(JsonNode body) {
        return names(body.path("tools"));
    }

    /** Whether tools are declared but may not be called. */
    boolean forbidsTools(JsonNode body) {
        JsonNode choice = body.path("tool_choice");
        return choice.asText().equals("none") || choice.path("type").asText().equals("none");
    }

    /** The schema of the answer that is asked for; missing if none is. */
    abstract JsonNode answerSchema(JsonNode body);

    /** What only this protocol wants. */
    abstract void check(Asked asked, RequestRules rules);

    static List<String> names(JsonNode tools) {
        return Asked.list(tools).stream().map(tool -> tool.path("name").asText()).toList();
    }

    static List<String> halves(String text) {
        if (text.length() < 2) {
            return text.isEmpty() ? List.of() : List.of(text);
        }
        int middle = text.offsetByCodePoints(0, text.codePointCount(0, text.length()) / 2);
        return List.of(text.substring(0, middle), text.substring(middle));
    }

    static ObjectNode typed(String type) {
        return JSON.createObjectNode().put("type", type);
    }

    /** An event whose name is the type of its data. */
    static String event(ObjectNode data) {
        return "event: " + data.get("type").asText() + "\n" + data(data);
    }

    static String data(ObjectNode data) {
        return "data: " + data + "\n\n";
    }

    static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
