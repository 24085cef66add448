package dev.agentloop.llm;

import static dev.agentloop.testing.RawServer.SSE;
import static dev.agentloop.testing.RawServer.answer;
import static dev.agentloop.testing.RawServer.begin;
import static dev.agentloop.testing.RawServer.events;
import static dev.agentloop.testing.RawServer.hangUp;
import static dev.agentloop.testing.RawServer.reset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.llm.LlmException.BrokenReply;
import dev.agentloop.llm.http.HttpLimits;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.testing.RawServer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every adapter makes of streams, in whatever form they come or break off. */
@Timeout(30)
public abstract class StreamContract extends AdapterFixture {
    protected StreamContract(Subject subject) {
        super(subject);
    }

    @Test
    @Tag("A40")
    @DisplayName("one byte at a time gives the same reply")
    void byteByByte() {
        Wire w = wire();
        String stream =
                w.start()
                        + w.text("Grüße 👍")
                        + w.call(0, "i", "t", "{\"ü\":1}")
                        + w.finish(w.toolUse(), USAGE)
                        + w.end();
        LlmResponse reply =
                ask(at(server(RawServer.byteByByte(stream.getBytes(StandardCharsets.UTF_8)))));

        assertEquals(ask(stream), reply);
        assertEquals("Grüße 👍", reply.message().text());
    }

    @Test
    @Tag("A40")
    @DisplayName("100,000 one-character deltas take less than 2 s of CPU")
    void manySmallDeltas() {
        Wire w = wire();
        String[] deltas = new String[100_000];
        Arrays.fill(deltas, "x");
        String stream = w.start() + w.text(deltas) + w.finish(w.natural(), USAGE) + w.end();
        LlmAdapter adapter = at(server(RawServer.events(stream)), HttpLimits.DEFAULT);
        long before = cpuNanos();
        LlmResponse reply = ask(adapter);
        long used = cpuNanos() - before;

        assertEquals("x".repeat(100_000), reply.message().text());
        System.out.println(
                "A40: 100,000 one-byte deltas took "
                        + used / 1_000_000
                        + " ms of CPU, "
                        + getClass().getName());
        assertTrue(used < 2_000_000_000L, used / 1_000_000 + " ms");
    }

    @Test
    @Tag("A41")
    @DisplayName("a character whose halves come in two deltas is reported whole")
    void surrogateSplitOverDeltas() {
        Wire w = wire();
        String stream =
                w.start() + w.text("a\uD83D", "\uDE00b") + w.finish(w.natural(), USAGE) + w.end();
        String escaped = stream.replace("\uD83D", "\\ud83d").replace("\uDE00", "\\ude00");
        LlmResponse reply = ask(escaped);

        assertEquals("a😀b", reply.message().text());
        assertEquals(List.of("a", "😀b"), heard.deltas);
    }

    @Test
    @Tag("A42")
    @DisplayName("bytes that are not UTF-8 become U+FFFD, with one warning")
    void invalidUtf8IsReplaced() {
        byte[] stream = said("a~b~c").getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < stream.length; i++) {
            stream[i] = stream[i] == '~' ? (byte) 0xFF : stream[i];
        }
        LlmResponse reply = ask(at(server(RawServer.byteByByte(stream))));

        assertEquals("a\uFFFDb\uFFFDc", reply.message().text());
        assertEquals(1, heard.warnings.size());
    }

    @ParameterizedTest(name = "A43 line ends {0} and a byte order mark")
    @ValueSource(strings = {"\r\n", "\r", "\n"})
    void everyLineEndIsRead(String lineEnd) {
        String stream = "\uFEFFretry: 5\nid: 7\n: hello\n" + said("fine");
        LlmResponse reply = ask(stream.replace("\n", lineEnd).replace("data: ", "data:"));

        assertEquals("fine", reply.message().text());
    }

    @Test
    @Tag("A44")
    @DisplayName("what is unknown is ignored")
    void unknownThingsAreIgnored() {
        Wire w = wire();
        LlmResponse reply =
                ask(
                        w.start()
                                + w.oddities()
                                + w.text("fine")
                                + w.oddities()
                                + w.finish(w.natural(), USAGE)
                                + w.end());

        assertEquals(new Message.Assistant(List.of(new Block.Text("fine"))), reply.message());
    }

    private static long cpuNanos() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    @Test
    @Tag("A30")
    @DisplayName("a stream that ends within an event is cut, though its end is orderly")
    void endWithinAnEvent() {
        String stream = said("some text");
        for (int cut : new int[] {stream.indexOf("text") + 2, 17}) {
            fails(BrokenReply.class, begin(stream.substring(0, cut), hangUp()));
        }
    }

    @Test
    @Tag("A31")
    @DisplayName("the reason of the end is enough, without the end marker")
    void noEndMarker() {
        Wire w = wire();
        String stream = w.start() + w.text("all") + w.finish(w.natural(), USAGE);

        assertEquals("all", ask(at(server(begin(stream, hangUp())))).message().text());
        assertEquals("all", ask(at(server(begin(stream, reset())))).message().text());
        String unterminated = stream.stripTrailing();
        assertEquals("all", ask(at(server(begin(unterminated, hangUp())))).message().text());
    }

    @Test
    @Tag("A32")
    @DisplayName("text without any end is a broken reply")
    void textWithoutEnd() {
        Wire w = wire();
        BrokenReply failure = fails(BrokenReply.class, begin(w.start() + w.text("half"), hangUp()));

        assertTrue(failure.getMessage().contains("cut"), failure.getMessage());
    }

    @Test
    @Tag("A33")
    @DisplayName("a chunked body without its last chunk, and a short Content-Length, are cut")
    void bodyTooShort() {
        Wire w = wire();
        byte[] half = (w.start() + w.text("half")).getBytes(StandardCharsets.UTF_8);
        fails(
                BrokenReply.class,
                (_, out) -> {
                    out.write(RawServer.head(200, SSE + "Transfer-Encoding: chunked\r\n"));
                    out.write(RawServer.chunk(half));
                    return false;
                });
        fails(
                BrokenReply.class,
                (_, out) -> {
                    out.write(RawServer.head(200, SSE + "Content-Length: 100000\r\n"));
                    out.write(half);
                    return false;
                });
    }

    @Test
    @Tag("A39")
    @DisplayName("an event without end is refused at the cap")
    void endlessEvent() {
        byte[] block = bytes("data: " + "x".repeat(100_000));
        RawServer server =
                server(
                        begin(
                                "",
                                (_, out) -> {
                                    while (true) {
                                        out.write(block);
                                    }
                                }));
        BrokenReply failure = fails(BrokenReply.class, at(server, LIMITS));

        assertTrue(failure.getMessage().contains("larger than 262144"), failure.getMessage());
        assertEquals(1, failure.worthwhileRetries());
    }

    @Test
    @Tag("A69")
    @DisplayName("an answer that unpacks to more than the cap is refused")
    void compressedBomb() {
        HttpLimits small =
                new HttpLimits(
                        LIMITS.connect(),
                        LIMITS.headers(),
                        LIMITS.idle(),
                        LIMITS.noData(),
                        LIMITS.maxEventBytes(),
                        1 << 20);
        RawServer server =
                server((_, out) -> {
                    out.write(
                            RawServer.head(
                                    200,
                                    SSE + "Content-Encoding: gzip\r\n" + "Connection: close\r\n"));
                    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
                        byte[] line = bytes(": " + "0".repeat(60_000) + "\n");
                        for (int i = 0; i < 10_000; i++) {
                            zip.write(line);
                        }
                    }
                    return false;
                });
        BrokenReply failure = fails(BrokenReply.class, at(server, small));

        assertTrue(failure.getMessage().contains("larger than 1048576"), failure.getMessage());
    }

    @Test
    @Tag("A45")
    @DisplayName("malformed JSON in an event is a broken reply")
    void malformedEvent() {
        Wire w = wire();
        fails(
                BrokenReply.class,
                events(w.start() + w.text("x") + "data: {\"a\":\n\n" + w.text("y") + w.end()));
    }

    @ParameterizedTest(name = "A46 {0} inside a good stream counts as its status would")
    @CsvSource({
        "overloaded_error,Overloaded,provider_unavailable",
        "rate_limit_error,Slow down,provider_unavailable",
        "api_error,Internal server error,provider_unavailable",
        "authentication_error,invalid key,auth_error",
        "context_length_exceeded,too many tokens,context_overflow",
        "invalid_request_error,prompt is too long: 9 > 8,context_overflow",
        "insufficient_quota,no money,bad_request",
        "invalid_request_error,no such thing,bad_request",
        "content_filter,against the rules,bad_request",
        "oops,something,broken_reply",
    })
    void errorInStream(String type, String message, String code) {
        Wire w = wire();
        LlmException failure =
                fails(LlmException.class, events(w.start() + w.text("x") + w.error(type, message)));

        assertEquals(code, failure.code());
        assertTrue(failure.getMessage().contains(message), failure.getMessage());
    }

    @Test
    @Tag("A47")
    @DisplayName("a stream with a wrong or no content type is still read")
    void streamWithoutType() {
        assertEquals("x", ask(at(server(answer(200, "", said("x"))))).message().text());
        assertEquals(
                "x",
                ask(at(server(answer(200, "Content-Type: text/plain\r\n", said("x")))))
                        .message()
                        .text());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
