package dev.agentloop.llm.openai;

import static dev.agentloop.llm.openai.ChatWire.chunk;
import static dev.agentloop.llm.openai.ChatWire.event;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.llm.AdapterFixture;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.message.Usage;
import dev.agentloop.testing.RawServer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that speak Chat Completions with an accent. */
final class OddServersTest extends AdapterFixture {
    OddServersTest() {
        super(new ChatSubject());
    }

    private List<String> calls(String... deltas) {
        StringBuilder stream = new StringBuilder();
        for (String delta : deltas) {
            stream.append(chunk("{\"tool_calls\":[" + delta + "]}", "null"));
        }
        LlmResponse reply = ask(stream + chunk("{}", "\"tool_calls\"") + wire().end());
        return reply.toolCalls().stream()
                .map(call -> call.id() + " " + call.name() + " " + call.arguments())
                .toList();
    }

    private static String delta(String index, String id, String name, String arguments) {
        return "{%s%s\"function\":{%s\"arguments\":\"%s\"}}"
                .formatted(
                        index.isEmpty() ? "" : "\"index\":" + index + ",",
                        id.isEmpty() ? "" : "\"id\":\"" + id + "\",",
                        name.isEmpty() ? "" : "\"name\":\"" + name + "\",",
                        arguments.replace("\"", "\\\""));
    }

    @Test
    @Tag("A56")
    @DisplayName("of two choices the first is the reply; the usage is of both")
    void twoChoices() {
        String both =
                "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"one\"}},"
                        + "{\"index\":1,\"delta\":{\"content\":\"two\"}}]}\n\n"
                        + "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"!\"}}]}\n\n"
                        + "data: {\"choices\":[{\"index\":1,\"delta\":{},"
                        + "\"finish_reason\":\"length\"},{\"index\":0,\"delta\":{},"
                        + "\"finish_reason\":\"stop\"}],"
                        + "\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":20}}\n\n";
        LlmResponse reply = ask(both + wire().end());
        assertEquals("one", reply.message().text());
        assertEquals(FinishReason.END_TURN, reply.finish());
        assertEquals(USAGE, reply.usage());

        String whole =
                "{\"choices\":[{\"index\":0,\"message\":{\"content\":\"one\"},"
                        + "\"finish_reason\":\"stop\"},{\"index\":1,\"message\":"
                        + "{\"content\":\"two\"},\"finish_reason\":\"length\"}],"
                        + "\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":20}}";
        LlmResponse answer = askWhole(whole);
        assertEquals("one", answer.message().text());
        assertEquals(USAGE, answer.usage());
    }

    static Stream<Arguments> indexes() {
        return Stream.of(
                Arguments.of(
                        "A53 no index: pieces belong to the last call",
                        List.of("a one {\"x\":1}", "b two {}"),
                        List.of(
                                delta("", "a", "one", "{\"x\""),
                                delta("", "", "", ":1}"),
                                delta("", "b", "two", "{"),
                                delta("", "", "", "}"))),
                Arguments.of(
                        "A53 no index, the id repeated in each piece",
                        List.of("a one {\"x\":1}", "b two {}"),
                        List.of(
                                delta("", "a", "one", "{\"x\""),
                                delta("", "b", "two", "{"),
                                delta("", "a", "", ":1}"),
                                delta("", "b", "", "}"))),
                Arguments.of(
                        "A53 index 0 for every call",
                        List.of("a one {\"x\":1}", "b two {}"),
                        List.of(delta("0", "a", "one", "{\"x\":1}"), delta("0", "b", "two", "{}"))),
                Arguments.of(
                        "A53 neither index nor id: whole calls get ids of ours",
                        List.of("call_1 one {\"x\":1}", "call_2 two {}"),
                        List.of(delta("", "", "one", "{\"x\":1}"), delta("", "", "two", "{}"))),
                Arguments.of(
                        "id and name repeated in each piece of one call",
                        List.of("a one {\"x\":1}"),
                        List.of(
                                delta("0", "a", "one", ""),
                                delta("0", "a", "one", "{\"x\""),
                                delta("0", "a", "one", ":1}"),
                                delta("0", "a", "one", ""))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("indexes")
    void piecesFindTheirCall(String how, List<String> calls, List<String> deltas) {
        assertEquals(calls, calls(deltas.toArray(String[]::new)), how);
    }

    @Test
    void argumentsAsObject() {
        assertEquals(
                List.of("a one {\"x\":[1,null]}"),
                calls(
                        "{\"id\":\"a\",\"function\":{\"name\":\"one\",\"arguments\":{\"x\":[1,n"
                                + "ull]}}}"));
    }

    @Test
    void theFirstVersionsFunctionCall() {
        LlmResponse reply =
                ask(
                        chunk("{\"function_call\":{\"name\":\"one\",\"arguments\":\"{\"}}", "null")
                                + chunk("{\"function_call\":{\"arguments\":\"}\"}}", "null")
                                + chunk("{}", "\"function_call\""));

        assertEquals(List.of("{}"), arguments(reply));
        assertEquals(FinishReason.TOOL_USE, reply.finish());
    }

    @Test
    @Tag("A59")
    @DisplayName("a refusal field is a refusal, its text is shown")
    void refusalField() {
        LlmResponse reply =
                ask(chunk("{\"refusal\":\"I must not.\"}", "\"stop\"") + "data: [DONE]\n\n");

        assertEquals(FinishReason.REFUSAL, reply.finish());
        assertEquals("I must not.", heard.text.toString());
    }

    @Test
    @Tag("A31")
    @DisplayName("the end marker without a reason is an end")
    void doneWithoutReason() {
        LlmResponse reply = ask(chunk("{\"content\":\"x\"}", "null") + "data: [DONE]\n\n");

        assertEquals(FinishReason.END_TURN, reply.finish());
    }

    @Test
    @Tag("A46")
    @DisplayName("an error inside a choice, as OpenRouter sends it")
    void errorInAChoice() {
        String choice =
                """
                {"delta":{"content":""},"finish_reason":"error",\
                "error":{"code":502,"message":"upstream"}}\
                """;
        fails(
                LlmException.Unavailable.class,
                RawServer.events(event("{\"choices\":[" + choice + "]}")));
        fails(LlmException.BrokenReply.class, RawServer.events(chunk("{}", "\"error\"")));
    }

    @Test
    @Tag("A48")
    @DisplayName("no choices, no message: an empty reply")
    void noChoices() {
        for (String body :
                List.of("{\"choices\":[]}", "{\"choices\":[{\"finish_reason\":\"stop\"}]}")) {
            assertEquals(List.of(), askWhole(body).message().blocks());
        }
    }

    @ParameterizedTest(name = "E05 {0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "\"prompt_cache_hit_tokens\":30, \"completion_tokens\":9 | 70 9 30 0 0",
                "\"prompt_tokens_details\":{\"cached_tokens\":30,\"cache_write_tokens\":20},"
                        + " \"completion_tokens\":9 | 50 9 30 20 0",
                "\"prompt_tokens_details\":{\"cached_tokens\":900}, \"completion_tokens\":9"
                        + " | 0 9 100 0 0",
                "\"completion_tokens\":9,"
                        + "\"completion_tokens_details\":{\"reasoning_tokens\":40},"
                        + " \"total_tokens\":149 | 100 49 0 0 40",
                "\"completion_tokens\":49,"
                        + "\"completion_tokens_details\":{\"reasoning_tokens\":40},"
                        + " \"total_tokens\":149 | 100 49 0 0 40"
            })
    void usageOfManyShapes(String told, String expected) {
        String stream =
                event(
                        "{\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}],"
                                + "\"usage\":{\"prompt_tokens\":100,"
                                + told
                                + "}}");
        Usage usage = ask(stream).usage();
        assertEquals(
                expected,
                "%d %d %d %d %d"
                        .formatted(
                                usage.input(),
                                usage.output(),
                                usage.cacheRead(),
                                usage.cacheWrite(),
                                usage.reasoning()));
    }

    @Test
    @Tag("A65")
    @DisplayName("usage in every chunk: the last one holds")
    void cumulativeUsage() {
        String usage = "\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":";
        String first = "{\"choices\":[{\"delta\":{\"content\":\"x\"}}],";
        String last = "{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],";
        String stream = event(first + usage + "1}}") + event(last + usage + "2}}");

        assertEquals(new Usage(5, 2, 0, 0, 0, false), ask(stream).usage());
    }

    @ParameterizedTest(name = "the error body {0} says ''{1}''")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"error\":\"plain\"} | plain",
                "{\"message\":\"top\",\"type\":\"x\"} | top",
                "{\"detail\":\"not here\"} | not here",
                "{\"error\":{\"message\":\"Provider returned"
                        + " error\",\"metadata\":{\"raw\":\"slow\"}}} | Provider returned error: slow",
                "plain text | plain text",
            })
    void errorBodies(String body, String message) {
        LlmException.BadRequest failure =
                fails(LlmException.BadRequest.class, RawServer.answer(400, JSON, body));

        assertEquals("HTTP 400 from " + peer() + ": " + message, failure.getMessage());
    }
}
