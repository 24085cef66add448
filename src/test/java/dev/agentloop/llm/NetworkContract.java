package dev.agentloop.llm;

import static dev.agentloop.testing.RawServer.begin;
import static dev.agentloop.testing.RawServer.events;
import static dev.agentloop.testing.RawServer.hangUp;
import static dev.agentloop.testing.RawServer.reset;
import static dev.agentloop.testing.RawServer.silence;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cause;
import dev.agentloop.control.SystemTime;
import dev.agentloop.llm.LlmException.BrokenReply;
import dev.agentloop.llm.LlmException.Unavailable;
import dev.agentloop.llm.decorator.TimedLlm;
import dev.agentloop.llm.http.HttpLimits;
import dev.agentloop.testing.RawServer;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every adapter makes of networks that fail, and of cancellation. */
@Timeout(30)
public abstract class NetworkContract extends AdapterFixture {
    protected NetworkContract(Subject subject) {
        super(subject);
    }

    @Test
    @Tag("A01")
    @DisplayName("nothing listens: host, port and 'connection refused'")
    void connectionRefused() {
        // Port 1: nobody listens there, and no other test can be given it meanwhile.
        Unavailable failure = fails(Unavailable.class, at("http://127.0.0.1:1", LIMITS));

        assertEquals("127.0.0.1:1: connection refused", failure.getMessage());
    }

    @Test
    @Tag("A03")
    @DisplayName("a host that does not resolve is named and tried only once more")
    void unknownHost() {
        Unavailable failure = fails(Unavailable.class, at("http://nowhere.invalid:8080", LIMITS));

        assertEquals("cannot resolve nowhere.invalid", failure.getMessage());
        assertEquals(1, failure.worthwhileRetries());
    }

    @Test
    @Tag("A06")
    @DisplayName("no headers: 'no response'")
    void noHeaders() {
        RawServer server = server(silence());
        Unavailable failure = fails(Unavailable.class, at(server, LIMITS));

        assertEquals(
                "127.0.0.1:" + server.port() + ": no response in 400 ms", failure.getMessage());
    }

    @Test
    @Tag("A26")
    @DisplayName("a reset before the headers may pass")
    void resetBeforeHeaders() {
        Unavailable failure = fails(Unavailable.class, reset());

        assertTrue(failure.getMessage().endsWith(": connection reset"), failure.getMessage());
    }

    @Test
    @Tag("A27")
    @DisplayName("a kept connection that closes after our request: no silent second POST")
    void keptConnectionCloses() {
        RawServer server = server(events(said("one")), hangUp(), events(said("three")));
        LlmAdapter adapter = at(server);

        assertEquals("one", ask(adapter).message().text());
        fails(Unavailable.class, adapter);
        assertEquals(2, server.requests().size());
        assertEquals("three", ask(adapter).message().text());
        assertEquals(3, server.requests().size());
    }

    @Test
    @Tag("A28")
    @DisplayName("a reset after text is a broken reply")
    void resetAfterText() {
        Wire w = wire();
        BrokenReply failure =
                fails(BrokenReply.class, begin(w.start() + w.text("a", "b", "c"), reset()));

        assertEquals("abc", heard.text.toString());
        assertTrue(failure.getMessage().contains("connection reset"), failure.getMessage());
    }

    @Test
    @Tag("A29")
    @DisplayName("a whole call without the end of its answer is a broken reply")
    void resetAfterCall() {
        Wire w = wire();
        fails(BrokenReply.class, begin(w.start() + w.call(0, "i", "t", "{}"), reset()));
        fails(BrokenReply.class, begin(w.start() + w.call(0, "i", "t", "{}"), hangUp()));
    }

    @Test
    @Tag("A34")
    @DisplayName("silence after the headers, or after some events, ends the call")
    void silentStream() {
        Wire w = wire();
        fails(BrokenReply.class, at(server(begin("", silence())), LIMITS));
        BrokenReply failure =
                fails(
                        BrokenReply.class,
                        at(server(begin(w.start() + w.text("x"), silence())), LIMITS));

        assertTrue(
                failure.getMessage().endsWith("the stream was silent for 400 ms"),
                failure.getMessage());
    }

    @Test
    @Tag("A35")
    @DisplayName("comments alone keep a stream alive only so long")
    void onlyComments() {
        Wire w = wire();
        long start = System.nanoTime();
        BrokenReply failure =
                fails(
                        BrokenReply.class,
                        at(server(begin(w.start(), (_, out) -> ping(out, 100))), LIMITS));
        long millis = (System.nanoTime() - start) / 1_000_000;

        assertTrue(failure.getMessage().endsWith("comments for 900 ms"), failure.getMessage());
        assertTrue(millis >= 850 && millis < 3000, millis + " ms");
    }

    @Test
    @Tag("A36")
    @DisplayName("comments during a long thought, then an answer")
    void commentsThenData() {
        RawServer server =
                server(
                        begin(
                                "",
                                (_, out) -> {
                                    ping(out, 7);
                                    out.write(bytes(said("thought")));
                                    return false;
                                }));
        LlmResponse reply = ask(at(server, LIMITS));

        assertEquals("thought", reply.message().text());
    }

    @Test
    @Tag("A37")
    @DisplayName("after the answer no watch goes off and nothing is reported")
    void noLateWatch() {
        LlmAdapter adapter = at(server(events(said("one")), events(said("two"))), LIMITS);
        ask(adapter);
        RawServer.pause(1000);

        assertEquals("two", ask(adapter).message().text());
    }

    @Test
    @Tag("A31")
    @DisplayName("a whole reply whose end does not come is kept when its attempt's time is up")
    void wholeReplyOutlivesItsAttempt() {
        Wire w = wire();
        RawServer server =
                server(begin(w.start() + w.text("all") + w.finish(w.natural(), USAGE), silence()));
        LlmAdapter timed = new TimedLlm(at(server), new SystemTime(), Duration.ofSeconds(1));
        LlmResponse reply = ask(timed);

        assertEquals("all", reply.message().text());
        assertEquals(USAGE, reply.usage());
        assertEquals(1, server.requests().size());
    }

    @Test
    void cancelledWhileWaitingForHeaders() {
        assertCancelledQuickly(server(silence()), "");
    }

    @Test
    void cancelledInTheMiddleOfTheAnswer() {
        Wire w = wire();
        assertCancelledQuickly(
                server(begin(w.start() + w.text("so far"), (_, out) -> ping(out, 1000))), "so far");
    }

    @Test
    void cancelledBeforeTheCall() {
        RawServer server = server(events(said("x")));
        cancellation.cancel(new Cause.RunDeadline());
        LlmException.Cancelled stop = fails(LlmException.Cancelled.class, at(server));

        assertEquals(new Cause.RunDeadline(), stop.why());
        assertEquals(0, server.requests().size());
    }

    @Test
    void anAdapterWorksOnAfterACancelledCall() {
        RawServer server = server(silence(), events(said("closing words")));
        LlmAdapter adapter = at(server);
        afterRequest(server, () -> cancellation.cancel(new Cause.RunDeadline()));
        fails(LlmException.Cancelled.class, adapter);

        LlmResponse reply =
                adapter.complete(request(true), heard, new dev.agentloop.control.Cancellation());
        assertEquals("closing words", reply.message().text());
    }

    @Test
    void oneConnectionServesManyCalls() {
        RawServer server = server(events(said("x")));
        LlmAdapter adapter = at(server);
        for (int i = 0; i < 20; i++) {
            ask(adapter);
        }

        assertEquals(1, server.connections());
        assertEquals(20, server.requests().size());
    }

    @Test
    @DisplayName("requests over 8 kB are not delayed by Nagle's algorithm")
    void bigRequestsAreNotDelayed() {
        LlmAdapter adapter = at(server(events(said("x"))));
        LlmRequest big =
                new LlmRequest(
                        List.of(new dev.agentloop.message.Message.User("y".repeat(30_000))),
                        List.of(),
                        true,
                        0,
                        true);
        List<Long> micros = new ArrayList<>();
        for (int i = 0; i < 21; i++) {
            long start = System.nanoTime();
            adapter.complete(big, heard, cancellation);
            micros.add((System.nanoTime() - start) / 1000);
        }
        micros.sort(null);

        assertTrue(micros.get(10) < 30_000, micros + " µs; with Nagle each takes 41 ms");
    }

    private void assertCancelledQuickly(RawServer server, String partialText) {
        HttpLimits patient = HttpLimits.DEFAULT;
        long[] cancelled = {0};
        afterRequest(
                server,
                () -> {
                    cancelled[0] = System.nanoTime();
                    cancellation.cancel(new Cause.Interrupt("INT"));
                });
        LlmException.Cancelled stop = fails(LlmException.Cancelled.class, at(server, patient));
        long millis = (System.nanoTime() - cancelled[0]) / 1_000_000;

        assertEquals(new Cause.Interrupt("INT"), stop.why());
        assertEquals(partialText, stop.partial().text());
        assertTrue(millis < 2000, millis + " ms"); // 100 ms promised, the machine may be busy
        assertFalse(stop.isRetryable());
    }

    /** Runs the action 200 ms after the server has read its first request. */
    private static void afterRequest(RawServer server, Runnable action) {
        Thread thread =
                new Thread(() -> {
                    while (server.requests().isEmpty()) {
                        RawServer.pause(5);
                    }
                    RawServer.pause(200);
                    action.run();
                });
        thread.setDaemon(true);
        thread.start();
    }

    private static boolean ping(OutputStream out, int times) throws java.io.IOException {
        for (int i = 0; i < times; i++) {
            out.write(bytes(": ping\n\n"));
            out.flush();
            RawServer.pause(100);
        }
        return false;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
