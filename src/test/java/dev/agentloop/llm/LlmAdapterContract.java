package dev.agentloop.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.cost.Price;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.Usage;
import dev.agentloop.testing.RawServer;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every adapter makes of good answers. */
@Timeout(30)
public abstract class LlmAdapterContract extends AdapterFixture {
    protected LlmAdapterContract(Subject subject) {
        super(subject);
    }

    @Test
    void textIsReportedAndReturned() {
        Wire w = wire();
        LlmResponse reply =
                ask(
                        w.start()
                                + w.text("Hel", "lo", " there")
                                + w.finish(w.natural(), USAGE)
                                + w.end());

        assertEquals(
                new Message.Assistant(List.of(new Block.Text("Hello there"))), reply.message());
        assertEquals(FinishReason.END_TURN, reply.finish());
        assertEquals(USAGE, reply.usage());
        assertEquals(List.of("Hel", "lo", " there"), heard.deltas);
        assertEquals(Set.of(Thread.currentThread()), new HashSet<>(heard.threads));
    }

    @Test
    void reasoningIsItsOwnBlock() {
        Wire w = wire();
        LlmResponse reply =
                ask(
                        w.start()
                                + w.reasoning("I th", "ink.")
                                + w.text("So.")
                                + w.finish(w.natural(), USAGE)
                                + w.end());

        assertEquals("I think.", heard.thinking.toString());
        assertEquals("So.", reply.message().text());
        assertTrue(
                reply.message().blocks().getFirst() instanceof Block.Reasoning(String text, _)
                        && text.equals("I think."));
    }

    @Test
    @Tag("A57")
    @DisplayName("a reply at the output limit says so")
    void lengthIsMaxTokens() {
        Wire w = wire();
        LlmResponse reply =
                ask(w.start() + w.text("half a") + w.finish(w.length(), USAGE) + w.end());

        assertEquals(FinishReason.MAX_TOKENS, reply.finish());
        assertEquals("half a", reply.message().text());
    }

    @Test
    @Tag("A59")
    @DisplayName("a refusal is a refusal; an unknown reason is an end with a warning")
    void refusalAndUnknownReason() {
        Wire w = wire();
        assertEquals(
                FinishReason.REFUSAL,
                ask(w.start() + w.text("No.") + w.finish(w.refusal(), USAGE) + w.end()).finish());
        assertEquals(
                FinishReason.END_TURN,
                ask(w.start() + w.text("x") + w.finish("full_moon", USAGE) + w.end()).finish());
        assertTrue(heard.warnings.getLast().contains("full_moon"), heard.warnings.toString());
    }

    @Test
    @Tag("E05")
    @DisplayName("whatever counts as part of what, each kind of token costs its own price")
    void cachedAndReasoningTokensAreCounted() {
        Wire w = wire();
        Usage usage = new Usage(70, 50, 30, 0, 40, false);
        Price price = new Price(usd("10"), usd("1"), usd("12.5"), usd("30"), usd("40"));

        Usage told = ask(w.start() + w.text("x") + w.finish(w.natural(), usage) + w.end()).usage();

        assertEquals(usage, told);
        // 70 * 10 + 30 * 1 + (50 - 40) * 30 + 40 * 40, in millionths of a dollar
        assertEquals(0, usd("0.00263").compareTo(price.of(told)));
    }

    private static BigDecimal usd(String text) {
        return new BigDecimal(text);
    }

    @ParameterizedTest(name = "A65 usage {0} is estimated")
    @MethodSource("impossibleUsages")
    void impossibleUsageIsEstimated(Usage usage) {
        Wire w = wire();
        Usage counted =
                ask(w.start() + w.text("x".repeat(40)) + w.finish(w.natural(), usage) + w.end())
                        .usage();

        assertTrue(counted.estimated());
        assertTrue(counted.prompt() > 30 && counted.prompt() < 1000, counted.toString());
        assertEquals(10, counted.output());
    }

    static Stream<Usage> impossibleUsages() {
        return Stream.of(
                Usage.NONE,
                new Usage(-5, -7, 0, 0, 0, false),
                new Usage(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, 0, 0, 0, false));
    }

    @Test
    void theRequestIdIsKept() {
        String stream = said("x");
        LlmResponse reply =
                ask(
                        at(
                                server(
                                        RawServer.answer(
                                                200,
                                                RawServer.SSE + "x-request-id: r7\r\n",
                                                stream))));

        assertEquals("r7", reply.requestId());
    }

    @ParameterizedTest(name = "A47 one JSON answer is accepted, asked for a stream: {0}")
    @ValueSource(booleans = {true, false})
    void oneJsonAnswerIsAccepted(boolean stream) {
        Wire w = wire();
        String body = w.whole("Look:", "id_1", "read_file", "{\"file_path\":\"a\"}", USAGE);
        RawServer server = server(RawServer.answer(200, JSON, body));
        LlmResponse reply = at(server).complete(request(stream), heard, cancellation);

        assertEquals(
                List.of(
                        new Block.Text("Look:"),
                        new Block.Call(new ToolCall("id_1", "read_file", "{\"file_path\":\"a\"}"))),
                reply.message().blocks());
        assertEquals(USAGE, reply.usage());
        assertEquals("Look:", heard.text.toString());
        assertTrue(w.asks(server.lastRequest(), stream));
    }

    @Test
    @Tag("A48")
    @DisplayName("an answer without content is an empty reply")
    void emptyReply() {
        Wire w = wire();
        LlmResponse reply = ask(w.start() + w.finish(w.natural(), USAGE) + w.end());

        assertEquals(List.of(), reply.message().blocks());
        assertEquals(FinishReason.END_TURN, reply.finish());
    }
}
