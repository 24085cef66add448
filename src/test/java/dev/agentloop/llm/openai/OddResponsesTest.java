package dev.agentloop.llm.openai;

import static dev.agentloop.llm.openai.ResponsesWire.event;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.llm.AdapterFixture;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.Wire;
import dev.agentloop.message.Block;
import dev.agentloop.testing.RawServer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that speak Responses with an accent. */
final class OddResponsesTest extends AdapterFixture {
    private static final String MESSAGE =
            """
            {"type":"message","content":[{"type":"output_text","text":"Hi"},\
            {"type":"output_text","text":" you"}]}\
            """;

    OddResponsesTest() {
        super(new ResponsesSubject());
    }

    private static String completed(String output) {
        return event("response.completed", "\"response\":{\"output\":[" + output + "]}");
    }

    private static String done(String members, String item) {
        return event("response.output_item.done", members + "\"item\":" + item);
    }

    private static String call(String members, String arguments) {
        return "{\"type\":\"function_call\",%s\"name\":\"t\",\"arguments\":\"%s\"}"
                .formatted(members, arguments.replace("\"", "\\\""));
    }

    private List<String> calls(String stream) {
        return ask(stream + completed("")).toolCalls().stream()
                .map(call -> call.id() + " " + call.name() + " " + call.arguments())
                .toList();
    }

    @Test
    void textThatComesOnlyWithTheEndCountsOnce() {
        String part =
                event(
                        "response.output_text.done",
                        "\"output_index\":0,\"content_index\":0,\"text\":\"Hi\"");
        String item = done("\"output_index\":0,", MESSAGE);
        for (String stream : List.of("", part, item, part + item, item + part)) {
            heard.text.setLength(0);
            assertEquals("Hi you", ask(stream + completed(MESSAGE)).message().text(), stream);
            assertEquals("Hi you", heard.text.toString(), stream);
        }
    }

    @Test
    void piecesWithoutTheBeginningOfTheirItem() {
        String text = event("response.output_text.delta", "\"item_id\":\"m\",\"delta\":\"Hi\"");
        String more = event("response.output_text.delta", "\"item_id\":\"m\",\"delta\":\" you\"");
        String bare = event("response.output_text.delta", "\"delta\":\"!\"");

        LlmResponse reply = ask(text + more + bare + completed(""));
        assertEquals(List.of(new Block.Text("Hi you!")), reply.message().blocks());
    }

    @Test
    @Tag("A53")
    @DisplayName("neither index nor id: each whole item is a call of its own")
    void neitherIndexNorId() {
        assertEquals(
                List.of("a t {}", "b t {\"x\":1}", "call_1 t {}"),
                calls(
                        done("", call("\"call_id\":\"a\",", "{}"))
                                + done("", call("\"call_id\":\"b\",", "{\"x\":1}"))
                                + done("", call("", "{}"))));
    }

    @Test
    @Tag("A53")
    @DisplayName("index 0 for every item: the ids tell them apart")
    void indexZeroForAll() {
        StringBuilder stream = new StringBuilder();
        for (String id : List.of("one", "two")) {
            String item = call("\"id\":\"%s\",\"call_id\":\"c_%s\",".formatted(id, id), "");
            stream.append(
                    event("response.output_item.added", "\"output_index\":0,\"item\":" + item));
        }
        for (String id : List.of("one", "two", "one", "two")) {
            stream.append(
                    event(
                            "response.function_call_arguments.delta",
                            "\"output_index\":0,\"item_id\":\"%s\",\"delta\":\"%s\""
                                    .formatted(id, id.charAt(0))));
        }

        assertEquals(List.of("c_one t oo", "c_two t tt"), calls(stream.toString()));
    }

    @Test
    void aNewIdInEachEvent() {
        String item = call("\"id\":\"%s\",\"call_id\":\"c\",", "{}");
        String stream =
                event(
                                "response.output_item.added",
                                "\"output_index\":0,\"item\":" + item.formatted("x1"))
                        + event(
                                "response.function_call_arguments.delta",
                                "\"output_index\":0,\"item_id\":\"x2\",\"delta\":\"{}\"")
                        + done("\"output_index\":0,", item.formatted("x3"))
                        + completed(item.formatted("x4"));

        assertEquals(List.of("c t {}"), calls(stream));
    }

    @Test
    void argumentsAsObject() {
        String item =
                "{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"t\","
                        + "\"arguments\":{\"x\":[1,null]}}";

        assertEquals(List.of("c t {\"x\":[1,null]}"), calls(done("\"output_index\":0,", item)));
    }

    @Test
    void theWholeTextHoldsWhereItsPiecesDiffer() {
        String piece = event("response.output_text.delta", "\"output_index\":0,\"delta\":\"Ho\"");

        LlmResponse reply = ask(piece + done("\"output_index\":0,", MESSAGE) + completed(""));
        assertEquals("Hi you", reply.message().text());
        assertEquals("Ho", heard.text.toString());
        assertEquals(1, heard.warnings.size());
    }

    @Test
    @Tag("A59")
    @DisplayName("a refusal part is a refusal, its text is shown")
    void refusalPart() {
        String part = "\"output_index\":0,\"content_index\":0,";
        String stream =
                event("response.refusal.delta", part + "\"delta\":\"I must\"")
                        + event("response.refusal.done", part + "\"refusal\":\"I must not.\"");
        LlmResponse reply = ask(stream + completed(""));

        assertEquals(FinishReason.REFUSAL, reply.finish());
        assertEquals("I must not.", heard.text.toString());
        String item =
                "{\"type\":\"message\",\"content\":[{\"type\":\"refusal\",\"refusal\":\"No.\"}]}";
        assertEquals(FinishReason.REFUSAL, ask(completed(item)).finish());
    }

    @Test
    @Tag("A72")
    @DisplayName("reasoning that the server could not find again is shown but stays here")
    void reasoningWithoutItsContent() {
        String item =
                "{\"type\":\"reasoning\",\"id\":\"rs\",\"encrypted_content\":null,\"content\":[],"
                        + "\"summary\":[{\"text\":\"one\"},{\"text\":\"two\"},{}]}";
        LlmResponse reply = ask(done("\"output_index\":0,", item) + completed(item));

        assertEquals(List.of(new Block.Reasoning("one\n\ntwo", "")), reply.message().blocks());
        assertEquals("one\n\ntwo", heard.thinking.toString());
    }

    @Test
    void reasoningThatEndsAfterTheTextStandsBeforeIt() {
        String thought =
                "{\"type\":\"reasoning\",\"content\":[{\"type\":\"reasoning_text\",\"text\":\"hm\"}]}";
        String stream =
                event(
                                "response.output_item.added",
                                "\"output_index\":0,\"item\":{\"type\":\"reasoning\"}")
                        + event(
                                "response.reasoning_text.delta",
                                "\"output_index\":0,\"content_index\":0,\"delta\":\"hm\"")
                        + done("\"output_index\":1,", MESSAGE)
                        + done("\"output_index\":0,", thought);

        assertEquals(
                List.of(new Block.Reasoning("hm", thought), new Block.Text("Hi you")),
                ask(stream + completed("")).message().blocks());
    }

    @Test
    void ofSeveralAnswersTheLastOneCounts() {
        String begun = event("response.created", "\"response\":{\"error\":null}");
        String first = begun + done("", call("\"call_id\":\"c\",", "{}")) + completed("");

        LlmResponse reply = ask(first + begun + done("", MESSAGE) + completed(""));
        assertEquals(List.of(new Block.Text("Hi you")), reply.message().blocks());
        assertEquals(FinishReason.END_TURN, reply.finish());
        assertEquals(1, heard.warnings.size());
        fails(LlmException.BrokenReply.class, RawServer.events(first + begun));
        fails(
                LlmException.BrokenReply.class,
                RawServer.events(begun + done("", MESSAGE) + begun + completed("")));
    }

    @Test
    @DisplayName("text of an answer that the server replaced is withdrawn; both answers are paid")
    void replacedTextIsWithdrawn() {
        String begun = event("response.created", "\"response\":{\"error\":null}");
        String first = done("", MESSAGE.replace("Hi", "Wait,"));
        Wire wire = wire();
        String paid = wire.finish(wire.natural(), USAGE);

        LlmResponse reply = ask(begun + first + paid + begun + done("", MESSAGE) + paid);

        assertEquals("Hi you", reply.message().text());
        assertEquals("Wait, youHi you", heard.text.toString());
        assertEquals(List.of("1 0 broken_reply true"), heard.retries);
        assertEquals(List.of(), heard.warnings);
        assertEquals(USAGE.plus(USAGE), reply.usage());
    }

    @ParameterizedTest(name = "A46 {0} is {1}")
    @CsvSource({
        "rate_limit_exceeded, provider_unavailable",
        "server_error, provider_unavailable",
        "invalid_prompt, bad_request",
        "context_length_exceeded, context_overflow",
        "insufficient_quota, bad_request",
    })
    void failedResponse(String code, String kind) {
        String response =
                "\"response\":{\"status\":\"failed\",\"error\":{\"code\":\"%s\",\"message\":\"m!\"}}";
        LlmException failure =
                fails(
                        LlmException.class,
                        RawServer.events(event("response.failed", response.formatted(code))));

        assertEquals(kind, failure.code());
        assertTrue(failure.getMessage().contains("m!"), failure.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"failed", "cancelled"})
    void aFailureWithoutAReasonIsABrokenReply(String how) {
        fails(
                LlmException.BrokenReply.class,
                RawServer.events(event("response." + how, "\"response\":null")));
        fails(
                LlmException.BrokenReply.class,
                RawServer.answer(200, JSON, "{\"output\":[],\"status\":\"" + how + "\"}"));
    }

    @ParameterizedTest(name = "A57 incomplete for {0} is {1}")
    @CsvSource({
        "max_output_tokens, MAX_TOKENS",
        "content_filter, REFUSAL",
        ", MAX_TOKENS",
    })
    void incompleteInOnePiece(String why, FinishReason finish) {
        String details = why == null ? "null" : "{\"reason\":\"" + why + "\"}";
        String body =
                "{\"output\":[%s],\"status\":\"incomplete\",\"incomplete_details\":%s}"
                        .formatted(MESSAGE, details);
        LlmResponse reply = askWhole(body);

        assertEquals(finish, reply.finish());
        assertEquals("Hi you", reply.message().text());
    }

    @Test
    @Tag("A31")
    @DisplayName("the end marker without a completed response is an end")
    void doneWithoutCompleted() {
        LlmResponse reply = ask(done("", MESSAGE) + "data: [DONE]\n\n");

        assertEquals(FinishReason.END_TURN, reply.finish());
        assertEquals("Hi you", reply.message().text());
    }

    @ParameterizedTest(name = "A44 {0} is no matter")
    @ValueSource(
            strings = {
                "{\"type\":\"response.output_item.done\"}",
                "{\"type\":\"response.output_item.added\",\"item\":[]}",
                "{\"type\":\"response.output_text.delta\",\"delta\":{\"a\":1}}",
                "{\"type\":\"response.output_text.delta\",\"output_index\":-1,\"delta\":\"\"}",
                "{\"type\":[\"response.completed\"]}",
                "[]",
                "7",
            })
    void oddEvents(String odd) {
        String stream = "data: " + odd + "\n\n";

        LlmResponse reply = ask(stream + done("", MESSAGE) + stream + completed("") + stream);
        assertEquals(List.of(new Block.Text("Hi you")), reply.message().blocks());
    }
}
