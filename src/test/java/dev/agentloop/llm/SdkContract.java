package dev.agentloop.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentloop.message.Block;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.RawServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Our requests in the words of the vendor's own library: its model of a request takes them, finds
 * them valid, and knows every field.
 */
public abstract class SdkContract extends AdapterFixture {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Image PIXEL = new Image("image/png", "iVBORw0KGgo=");

    protected SdkContract(Subject subject) {
        super(subject);
    }

    /**
     * A model that the library knows; it takes no others for valid, servers do. Empty where the
     * body does not name the model.
     */
    protected abstract String knownModel();

    /** What of a request the library does not know; fails unless it finds the rest valid. */
    protected abstract List<String> unknown(String request) throws IOException;

    static List<List<Message>> histories() {
        List<Message> plain = List.of(new Message.System("Be brief."), new Message.User("Hello"));
        List<Message> steps = new ArrayList<>(plain);
        steps.addAll(RequestContract.step(1));
        steps.addAll(RequestContract.step(2));
        List<Message> odd = new ArrayList<>(plain);
        odd.add(
                new Message.Assistant(
                        List.of(
                                new Block.Text("Two at once: \uD83D\uDE00"),
                                call("1", "functions.read file", "{\"a\":"),
                                call("2", "read_file", "[1]"))));
        odd.add(new Message.Tool("1", ToolResult.error("no")));
        odd.add(new Message.Tool("2", ToolResult.ok("")));
        odd.add(new Message.User("go on"));
        List<Message> thought = new ArrayList<>(plain);
        thought.add(
                new Message.Assistant(
                        List.of(new Block.Reasoning("hm", ""), new Block.Text("So."))));
        thought.add(new Message.User("And?"));
        List<Message> seen = List.of(plain.getFirst(), new Message.User("Look", List.of(PIXEL)));
        return List.of(plain, steps, odd, thought, seen);
    }

    @ParameterizedTest
    @MethodSource("histories")
    void theLibraryTakesOurRequest(List<Message> history) throws IOException {
        for (boolean mayCallTools : new boolean[] {true, false}) {
            for (boolean stream : new boolean[] {true, false}) {
                isTaken(new LlmRequest(history, List.of(READ), mayCallTools, 100, stream));
            }
        }
    }

    @Test
    void theLibraryTakesAllSettings() throws IOException {
        String schema =
                """
                {"type":"object","properties":{"a":{"type":"string"}},"required":["a"],\
                "additionalProperties":false}\
                """;
        for (Effort effort : Effort.values()) {
            Generation all = new Generation(effort, 0.5, schema, "session");
            isTaken(new LlmRequest(history(), List.of(READ), true, 32_000, true, all));
            isTaken(new LlmRequest(history(), List.of(), true, 32_000, true, all));
        }
    }

    @Test
    void whatTheLibraryDoesNotKnowIsFound() throws IOException {
        List<Message> history = histories().get(1);
        ObjectNode request = sent(new LlmRequest(history, List.of(READ), true, 100, true));
        request.put("no_such_field", 1);
        ArrayNode messages = (ArrayNode) request.path(listOfMessages());
        ((ObjectNode) messages.path(1)).put("nor_this", 2);

        assertEquals(2, unknown(request.toString()).size());
        messages.set(0, invalidMessage());
        assertThrows(Exception.class, () -> unknown(request.toString()));
    }

    /** Where the protocol keeps the history. */
    protected String listOfMessages() {
        return "messages";
    }

    /** No library can take this for a message. */
    protected ObjectNode invalidMessage() {
        return JSON.createObjectNode().put("role", "narrator").put("content", "Once upon a time");
    }

    private void isTaken(LlmRequest request) throws IOException {
        String sent = sent(request).toString();

        assertEquals(List.of(), unknown(sent), sent);
    }

    private ObjectNode sent(LlmRequest request) throws IOException {
        RawServer server = server(RawServer.events(said("x")));
        at(server).complete(request, heard, cancellation);
        ObjectNode sent = (ObjectNode) JSON.readTree(server.lastRequest().text());
        if (!knownModel().isEmpty()) {
            assertFalse(sent.path("model").asText().isEmpty());
            sent.put("model", knownModel());
        }
        return sent;
    }

    private static Block call(String id, String name, String arguments) {
        return new Block.Call(new ToolCall(id, name, arguments));
    }
}
