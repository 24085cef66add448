package dev.agentloop.llm.gemini;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.genai.ApiClient;
import com.google.genai.JsonSerializable;
import com.google.genai.Models;
import com.google.genai.types.GenerateContentParameters;
import dev.agentloop.llm.SdkContract;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Google's library has no type for the body, only for what its caller says; so it is told what our
 * body says, and must send the same. What it does not know gets lost on the way.
 */
final class GeminiSdkTest extends SdkContract {
    private static final ObjectMapper JSON =
            JsonSerializable.objectMapper()
                    .copy()
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    GeminiSdkTest() {
        super(new GeminiSubject());
    }

    @Override
    protected String knownModel() {
        return "";
    }

    @Override
    protected String listOfMessages() {
        return "contents";
    }

    @Override
    protected ObjectNode invalidMessage() {
        return JSON.createObjectNode().put("role", "user").put("parts", "text");
    }

    @Override
    protected List<String> unknown(String request) throws IOException {
        ObjectNode ours = (ObjectNode) JSON.readTree(request);
        List<String> lost = new ArrayList<>();
        compare("", ours, theirs(ours), lost);
        return lost;
    }

    /** What the library sends to the same end. */
    private static JsonNode theirs(ObjectNode ours) throws IOException {
        ObjectNode config = ours.deepCopy();
        JsonNode contents = config.remove("contents");
        if (config.remove("generationConfig") instanceof ObjectNode settings) {
            config.setAll(settings); // callers name them beside the instructions and tools
        }
        ObjectNode said = JSON.createObjectNode();
        said.set("contents", contents);
        said.set("config", config);
        JsonNode known = JSON.valueToTree(JSON.treeToValue(said, GenerateContentParameters.class));
        return JSON.readTree(body(known).toString()); // its numbers and bytes as they are written
    }

    /** The step of {@link Models} between arguments and the network, which is not public. */
    private static Object body(JsonNode arguments) {
        try {
            Constructor<Models> models = Models.class.getDeclaredConstructor(ApiClient.class);
            Method body =
                    Models.class.getDeclaredMethod(
                            "generateContentParametersToMldev",
                            ApiClient.class,
                            JsonNode.class,
                            ObjectNode.class,
                            JsonNode.class);
            body.setAccessible(true);
            Object noClient = null;
            Object none = null;
            return body.invoke(
                    models.newInstance(noClient),
                    noClient,
                    arguments,
                    none,
                    JSON.createObjectNode());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("google-genai has changed within", e);
        }
    }

    private static void compare(String at, JsonNode ours, JsonNode theirs, List<String> lost) {
        if (ours.isObject() && theirs.isObject()) {
            ours.properties()
                    .forEach(field ->
                            compare(
                                    at + "." + field.getKey(),
                                    field.getValue(),
                                    theirs.path(field.getKey()),
                                    lost));
        } else if (ours.isArray() && ours.size() == theirs.size()) {
            for (int i = 0; i < ours.size(); i++) {
                compare(at + "[" + i + "]", ours.path(i), theirs.path(i), lost);
            }
        } else if (!ours.equals(theirs)) {
            lost.add(at + ": " + ours + ", theirs " + theirs);
        }
    }
}
