package dev.agentloop.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.Block;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.RawServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every adapter promises about the bytes of its requests. */
public abstract class RequestContract extends AdapterFixture {
    protected RequestContract(Subject subject) {
        super(subject);
    }

    protected String sent(List<Message> history, boolean mayCallTools) {
        RawServer server = server(RawServer.events(said("x")));
        at(server)
                .complete(
                        new LlmRequest(history, List.of(READ), mayCallTools, 0, true),
                        heard,
                        cancellation);
        return server.lastRequest().text();
    }

    /** A task from its question to its answer, with one call that goes well and one that fails. */
    protected static List<Message> work(Image image, List<Block> thoughts, String... ids) {
        List<Block> blocks = new ArrayList<>(thoughts);
        blocks.add(new Block.Text(" \n"));
        blocks.add(call(ids[0], "read_file", "{\"x\":1}"));
        blocks.add(call(ids[1], "read_file", ""));
        return List.of(
                new Message.System("Be brief."),
                new Message.User("One", List.of(image)),
                new Message.User("two"),
                new Message.Assistant(blocks),
                new Message.Tool(ids[0], ToolResult.ok("fine")),
                new Message.Tool(ids[1], ToolResult.error("no such file")),
                new Message.User("go on"),
                new Message.Assistant(List.of(new Block.Text("Done."))));
    }

    /** The request that follows this reply and the results of its calls. */
    protected String sentAfter(LlmResponse reply) {
        List<Message> history = new ArrayList<>(history());
        history.add(reply.message());
        for (ToolCall call : reply.toolCalls()) {
            history.add(new Message.Tool(call.id(), ToolResult.ok("x")));
        }
        return sent(history, true);
    }

    protected static List<Message> step(int number) {
        return List.of(
                new Message.Assistant(
                        List.of(
                                new Block.Text("Step " + number),
                                new Block.Call(
                                        new ToolCall(
                                                "id_" + number,
                                                "read_file",
                                                "{\"file_path\":\"a\"}")))),
                new Message.Tool("id_" + number, ToolResult.ok("content " + number)));
    }

    /** A step that looks at an image, and reads a file after that. */
    protected static List<Message> look(int number) {
        ToolResult seen =
                ToolResult.ok("[a.png]").withImages(List.of(new Image("image/png", "iV" + number)));
        return List.of(
                new Message.Assistant(
                        List.of(
                                call("look_" + number, "view_image", "{}"),
                                call("read_" + number, "read_file", "{}"))),
                new Message.Tool("look_" + number, seen),
                new Message.Tool("read_" + number, ToolResult.ok("text")));
    }

    /** What stands for the image and the two results in the request. */
    protected abstract String looked();

    @Test
    void imagesOfResultsAreShown() {
        List<Message> history = new ArrayList<>(history());
        history.addAll(look(7));

        String text = wire().withoutMarks(sent(history, true));
        assertTrue(text.contains(looked()), text);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void requestsAreTheSameWhetherKeptOrMadeAnew(long seed) {
        Random random = new Random(seed);
        RawServer server = server(RawServer.events(said("x")));
        LlmAdapter adapter = at(server);
        List<Message> history = new ArrayList<>(history());
        for (int i = 0; i < 30; i++) {
            if (random.nextInt(8) == 0) { // compaction, or a rewritten end
                history.subList(1 + random.nextInt(history.size() - 1), history.size()).clear();
                history.add(new Message.User("summary " + i));
            } else if (random.nextInt(3) == 0) {
                history.add(new Message.User("\uD83D\uDE00 \uD83D \"quoted\"\n" + i));
            } else if (random.nextInt(3) == 0) {
                history.addAll(look(i));
            } else {
                history.addAll(step(i));
            }
            boolean mayCall = random.nextInt(6) > 0;
            LlmRequest request =
                    new LlmRequest(List.copyOf(history), List.of(READ), mayCall, 0, true);
            adapter.complete(request, heard, cancellation);

            assertEquals(
                    wire().withoutMarks(sent(history, mayCall)),
                    wire().withoutMarks(server.lastRequest().text()));
        }
    }

    @Test
    void eachRequestRepeatsTheBytesOfTheOneBefore() throws JsonException {
        RawServer server = server(RawServer.events(said("x")));
        LlmAdapter adapter = at(server);
        List<Message> history = new ArrayList<>(history());
        List<dev.agentloop.tool.ToolSpec> tools = List.of(READ);
        String before = "";
        for (int i = 0; i < 5; i++) {
            adapter.complete(
                    new LlmRequest(List.copyOf(history), tools, true, 0, true),
                    heard,
                    cancellation);
            String text = wire().withoutMarks(server.lastRequest().text());
            Json.parse(text);
            if (!before.isEmpty()) {
                String open = before.substring(0, before.length() - "]}".length());
                String shared = open.endsWith("]}") ? open.substring(0, open.length() - 2) : open;
                assertTrue(text.startsWith(shared), before + "\n" + text);
            }
            before = text;
            history.addAll(step(i));
        }
    }

    @Test
    void staticFieldsStandBeforeTheMessages() {
        String text = sent(history(), true);
        int messages = text.indexOf(wire().messagesStart());

        assertTrue(text.indexOf("\"tools\":[") < messages, text);
        assertTrue(text.indexOf("\"model\":") < messages, text);
        assertTrue(text.lastIndexOf("]}") == text.length() - 2, text);
    }

    @Test
    void theClosingCallDeclaresToolsButForbidsThem() throws JsonException {
        JsonValue closing = Json.parse(sent(history(), false));
        JsonValue normal = Json.parse(sent(history(), true));

        assertEquals(normal.at("tools"), closing.at("tools"));
        assertEquals("", wire().toolChoice(normal));
        assertEquals("none", wire().toolChoice(closing));
    }

    @Test
    void oddCallsGoBackInAFormThatStrictServersTake() throws JsonException {
        List<Message> history = new ArrayList<>(history());
        history.add(
                new Message.Assistant(
                        List.of(
                                call("1", "functions.read file", "{\"a\":"),
                                call("2", "", ""),
                                call("3", "ok", "[1]"),
                                call("4", "ok", "{\"a\":1}"))));
        for (int i = 1; i <= 4; i++) {
            history.add(new Message.Tool("" + i, ToolResult.error("no")));
        }

        assertEquals(
                List.of(
                        "functions_read_file {invalid_arguments={\"a\":}",
                        "_ {}",
                        "ok {invalid_arguments=[1]}",
                        "ok {a=1}"),
                callsIn(Json.parse(sent(history, true))));
    }

    /** Name and parsed arguments of all calls in a request. */
    protected abstract List<String> callsIn(JsonValue request) throws JsonException;

    private static Block call(String id, String name, String arguments) {
        return new Block.Call(new ToolCall(id, name, arguments));
    }
}
