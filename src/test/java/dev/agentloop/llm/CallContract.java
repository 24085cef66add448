package dev.agentloop.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.RawServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every adapter makes of tool calls. */
@Timeout(30)
public abstract class CallContract extends AdapterFixture {
    protected CallContract(Subject subject) {
        super(subject);
    }

    @Test
    void oneToolIsCalled() {
        Wire w = wire();
        LlmResponse reply =
                ask(
                        w.start()
                                + w.call(0, "id_1", "read_file", "{\"file_", "path\":\"a\"}")
                                + w.finish(w.toolUse(), USAGE)
                                + w.end());

        assertEquals(
                List.of(new ToolCall("id_1", "read_file", "{\"file_path\":\"a\"}")),
                reply.toolCalls());
        assertEquals(FinishReason.TOOL_USE, reply.finish());
        assertEquals("", heard.text.toString());
    }

    @Test
    @Tag("A50")
    @DisplayName("two calls whose arguments come interleaved over 2000 pieces are both intact")
    void twoInterleavedCallsAreIntact() {
        Wire w = wire();
        String first = "{\"a\":\"" + "x".repeat(990) + "\"}";
        String second = "{\"b\":\"" + "é".repeat(990) + "\"}";
        LlmResponse reply =
                ask(
                        w.start()
                                + w.twoCalls(first, second, 1)
                                + w.finish(w.toolUse(), USAGE)
                                + w.end());

        assertEquals(
                List.of(new ToolCall("id_a", "one", first), new ToolCall("id_b", "two", second)),
                reply.toolCalls());
    }

    @Test
    @Tag("A51")
    @DisplayName("arguments are handed on as the model wrote them, whatever they are")
    void argumentsAreHandedOn() {
        Wire w = wire();
        assumeTrue(w.argumentsAreText(), "a protocol of JSON cannot carry what is none");
        List<String> odd =
                List.of("{\"a\":", "[1]", "\"\"", "7", "{} x", "{\"a\":1,\"a\":2}", deep(2000));
        StringBuilder calls = new StringBuilder();
        for (int i = 0; i < odd.size(); i++) {
            calls.append(w.call(i, "id_" + i, "t", odd.get(i)));
        }
        LlmResponse reply = ask(w.start() + calls + w.finish(w.toolUse(), USAGE) + w.end());

        assertEquals(odd, arguments(reply));
        assertEquals(Set.of(), reply.cutCalls());
    }

    @Test
    @Tag("A51")
    @DisplayName("arguments of 5 MB are received")
    void hugeArgumentsAreReceived() {
        Wire w = wire();
        String huge = "{\"a\":\"" + "y".repeat(5 << 20) + "\"}";
        LlmResponse reply =
                ask(
                        w.start()
                                + w.call(0, "id", "t", huge.substring(0, 9), huge.substring(9))
                                + w.finish(w.toolUse(), USAGE)
                                + w.end());

        assertEquals(List.of(huge), arguments(reply));
    }

    @Test
    @Tag("A53")
    @DisplayName("missing and repeated call ids become unique ones, in and across turns")
    void callIdsAreUnique() {
        Wire w = wire();
        String turn =
                w.start()
                        + w.call(0, "same", "a", "{}")
                        + w.call(1, "same", "b", "{\"x\":1}")
                        + w.call(2, "", "c", "{}")
                        + w.finish(w.toolUse(), USAGE)
                        + w.end();
        LlmAdapter adapter = at(server(RawServer.events(turn)));
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            ask(adapter).toolCalls().forEach(call -> ids.add(call.id()));
        }

        assertEquals(6, new HashSet<>(ids).size(), ids.toString());
        assertFalse(ids.contains(""));
        assertEquals("same", ids.getFirst());
    }

    @Test
    @Tag("A53")
    @DisplayName("ids of a resumed history are not given again")
    void idsOfTheHistoryAreTaken() {
        Wire w = wire();
        RawServer server =
                server(
                        RawServer.events(
                                w.start()
                                        + w.call(0, "old", "a", "{}")
                                        + w.finish(w.toolUse(), USAGE)
                                        + w.end()));
        List<Message> history =
                List.of(
                        new Message.User("go"),
                        new Message.Assistant(
                                List.of(new Block.Call(new ToolCall("old", "a", "{}")))),
                        new Message.Tool("old", ToolResult.ok("fine")));
        LlmResponse reply =
                at(server)
                        .complete(
                                new LlmRequest(history, List.of(READ), true, 0, true),
                                heard,
                                cancellation);

        assertEquals("call_1", reply.toolCalls().getFirst().id());
    }

    @Test
    @Tag("A55")
    @DisplayName("text and calls of one message keep their order")
    void textAndCallsKeepTheirOrder() {
        Wire w = wire();
        LlmResponse reply =
                ask(
                        w.start()
                                + w.text("Let me look.")
                                + w.call(0, "id_1", "read_file", "{}")
                                + w.finish(w.toolUse(), USAGE)
                                + w.end());

        assertEquals(
                List.of(
                        new Block.Text("Let me look."),
                        new Block.Call(new ToolCall("id_1", "read_file", "{}"))),
                reply.message().blocks());
    }

    @Test
    @Tag("A60")
    @DisplayName("a natural end with calls present is a tool use")
    void callsCountMoreThanTheReason() {
        Wire w = wire();
        String calls = w.start() + w.call(0, "i", "t", "{}");

        assertEquals(
                FinishReason.TOOL_USE,
                ask(calls + w.finish(w.natural(), USAGE) + w.end()).finish());
    }

    @Test
    @Tag("A60")
    @DisplayName("a tool use without calls is reported as the provider said it")
    void toolUseWithoutCalls() {
        Wire w = wire();
        assumeFalse(w.toolUse().equals(w.natural()), "the protocol has one word for both");
        LlmResponse reply = ask(w.start() + w.text("hm") + w.finish(w.toolUse(), USAGE) + w.end());

        assertEquals(FinishReason.TOOL_USE, reply.finish());
        assertEquals(List.of(), reply.toolCalls());
    }

    @Test
    @Tag("A58")
    @DisplayName("a call that the output limit cut is marked")
    void cutCallIsMarked() {
        Wire w = wire();
        LlmResponse reply =
                ask(
                        w.start()
                                + w.call(0, "good", "t", "{\"a\":1}")
                                + w.call(1, "bad", "t", "{\"a\":\"hal")
                                + w.finish(w.length(), USAGE)
                                + w.end());

        assertEquals(Set.of("bad"), reply.cutCalls());
    }

    @Test
    @Tag("A58")
    @DisplayName("a call that was cut before its arguments began is marked")
    void callWithoutArgumentsIsCutToo() {
        Wire w = wire();
        LlmResponse reply =
                ask(w.start() + w.call(0, "bad", "t") + w.finish(w.length(), USAGE) + w.end());

        assertEquals(Set.of("bad"), reply.cutCalls());
    }

    private static String deep(int levels) {
        return "{\"a\":".repeat(levels) + "1" + "}".repeat(levels);
    }
}
