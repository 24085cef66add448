package dev.agentloop.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.RawServer;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Our requests in the words of the vendor's own library: its model of a request takes them, finds
 * them valid, and knows every field.
 */
public abstract class SdkContract extends AdapterFixture {
    private static final ObjectMapper JSON = new ObjectMapper();

    protected SdkContract(Subject subject) {
        super(subject);
    }

    /** A model that the library knows; it takes no others for valid, servers do. */
    protected abstract String knownModel();

    /** The library's body of a request; fails unless the library finds it valid. */
    protected abstract Object parsed(String request) throws IOException;

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
        return List.of(plain, steps, odd, thought);
    }

    @ParameterizedTest
    @MethodSource("histories")
    void theLibraryTakesOurRequest(List<Message> history) throws IOException {
        for (boolean mayCallTools : new boolean[] {true, false}) {
            for (boolean stream : new boolean[] {true, false}) {
                String request = sent(history, mayCallTools, stream);

                assertEquals(List.of(), unknown(parsed(request)), request);
            }
        }
    }

    @Test
    void whatTheLibraryDoesNotKnowIsFound() throws IOException {
        ObjectNode request = (ObjectNode) JSON.readTree(sent(histories().get(1), true, true));
        request.put("no_such_field", 1);
        ((ObjectNode) request.path(listOfMessages()).path(1)).put("nor_this", 2);

        assertEquals(2, unknown(parsed(request.toString())).size());
        ((ObjectNode) request.path(listOfMessages()).path(0)).put("role", "narrator");
        assertThrows(RuntimeException.class, () -> parsed(request.toString()));
    }

    /** Where the protocol keeps the history. */
    protected String listOfMessages() {
        return "messages";
    }

    private String sent(List<Message> history, boolean mayCallTools, boolean stream)
            throws IOException {
        RawServer server = server(RawServer.events(said("x")));
        at(server)
                .complete(
                        new LlmRequest(history, List.of(READ), mayCallTools, 100, stream),
                        heard,
                        cancellation);
        ObjectNode request = (ObjectNode) JSON.readTree(server.lastRequest().text());
        assertFalse(request.path("model").asText().isEmpty());
        return request.put("model", knownModel()).toString();
    }

    /** Fields that some object of the request has and the library does not know. */
    private static List<String> unknown(Object body) {
        List<String> found = new ArrayList<>();
        walk(body, Collections.newSetFromMap(new IdentityHashMap<>()), found);
        found.remove("Body.stream"); // the library adds it itself when it streams
        return found;
    }

    private static void walk(Object value, Set<Object> seen, List<String> found) {
        switch (value) {
            case Optional<?> some -> some.ifPresent(it -> walk(it, seen, found));
            case Collection<?> items -> items.forEach(item -> walk(item, seen, found));
            default -> {
                String type = value.getClass().getName();
                boolean theirs = type.startsWith("com.") && !type.contains(".JsonValue");
                if (theirs && seen.add(value) && !type.contains("Schema")) {
                    fields(value, seen, found);
                }
            }
        }
    }

    private static void fields(Object object, Set<Object> seen, List<String> found) {
        boolean free = true; // an object of nothing but additional fields is a free map
        for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                boolean skipped = Modifier.isStatic(field.getModifiers());
                Object value = skipped ? null : value(field, object);
                boolean known = value != null && value.getClass().getName().contains(".Json");
                free &= !known;
                if (value != null
                        && !field.getName().equals("additionalProperties")
                        && !field.getName().equals("_json")) {
                    walk(value, seen, found);
                }
            }
        }
        if (!free) {
            for (String name : additional(object)) {
                found.add(object.getClass().getSimpleName() + "." + name);
            }
        }
    }

    private static Set<String> additional(Object object) {
        try {
            Object map = object.getClass().getMethod("_additionalProperties").invoke(object);
            return map instanceof Map<?, ?> some
                    ? Set.copyOf(some.keySet().stream().map(String::valueOf).toList())
                    : Set.of();
        } catch (NoSuchMethodException e) {
            return Set.of();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static @org.jspecify.annotations.Nullable Object value(Field field, Object object) {
        try {
            field.setAccessible(true);
            return field.get(object);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Block call(String id, String name, String arguments) {
        return new Block.Call(new ToolCall(id, name, arguments));
    }
}
