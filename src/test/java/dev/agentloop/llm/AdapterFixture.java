package dev.agentloop.llm;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.SystemTime;
import dev.agentloop.llm.http.HttpLimits;
import dev.agentloop.llm.http.HttpTransport;
import dev.agentloop.llm.provider.ProviderEndpoint;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.Usage;
import dev.agentloop.testing.RawServer;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** An adapter at a scripted server, and the canary key that no message may carry. */
public abstract class AdapterFixture {
    protected static final String KEY = "sk-canary-Zm9v/YmFy+123456";
    protected static final Usage USAGE = new Usage(100, 20, 0, 0, 0, false);
    protected static final ToolSpec READ =
            new ToolSpec(
                    "read_file",
                    "Reads a file",
                    "{\"type\":\"object\",\"properties\":{\"file_path\":{\"type\":\"string\"}}}",
                    Effect.values()[0]);

    /** The header of an answer that is no stream. */
    protected static final String JSON = "Content-Type: application/json\r\n";

    /** Short waits, for tests that are about them; the others wait as the product does. */
    protected static final HttpLimits LIMITS =
            new HttpLimits(
                    Duration.ofSeconds(5),
                    Duration.ofMillis(400),
                    Duration.ofMillis(400),
                    Duration.ofMillis(900),
                    256 << 10,
                    32L << 20);

    protected final Heard heard = new Heard();
    protected final Cancellation cancellation = new Cancellation();
    private final List<AutoCloseable> open = new ArrayList<>();
    private String peer = "";

    private final Subject subject;

    protected AdapterFixture(Subject subject) {
        this.subject = subject;
    }

    protected Wire wire() {
        return subject.wire();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable it : open.reversed()) {
            it.close();
        }
    }

    protected RawServer server(RawServer.Script... scripts) {
        RawServer server = RawServer.start(scripts);
        open.add(server);
        peer = "127.0.0.1:" + server.port();
        return server;
    }

    /** Host and port of the server opened last. */
    protected String peer() {
        return peer;
    }

    protected LlmAdapter at(RawServer server) {
        return at(server, HttpLimits.DEFAULT);
    }

    protected LlmAdapter at(RawServer server, HttpLimits limits) {
        return at(server.url(), limits);
    }

    protected LlmAdapter at(String address, HttpLimits limits) {
        HttpTransport transport = new HttpTransport(new SystemTime(), Map.of(), limits);
        ProviderEndpoint endpoint =
                new ProviderEndpoint(
                        "canary", subject.base(address), KEY, "CANARY_API_KEY", Map.of());
        LlmAdapter adapter = subject.adapter(endpoint, transport);
        open.add(adapter);
        return adapter;
    }

    /** The reply to one question whose answer the server streams. */
    protected LlmResponse ask(String stream) {
        return ask(at(server(RawServer.events(stream)), HttpLimits.DEFAULT));
    }

    /** The reply to one question whose answer comes in a piece. */
    protected LlmResponse askWhole(String body) {
        return ask(at(server(RawServer.answer(200, JSON, body))));
    }

    protected LlmResponse ask(LlmAdapter adapter) {
        return adapter.complete(request(true), heard, cancellation);
    }

    protected <E extends LlmException> E fails(Class<E> kind, RawServer.Script script) {
        return fails(kind, at(server(script)));
    }

    protected <E extends LlmException> E fails(Class<E> kind, LlmAdapter adapter) {
        E failure = assertThrows(kind, () -> ask(adapter));
        for (Throwable e = failure; e != null; e = e.getCause()) {
            assertFalse(String.valueOf(e.getMessage()).contains("canary-Zm9v"), e.getMessage());
        }
        return failure;
    }

    protected static LlmRequest request(boolean stream) {
        return new LlmRequest(history(), List.of(READ), true, 0, stream);
    }

    protected static List<Message> history() {
        return List.of(new Message.System("Be brief."), new Message.User("Hello"));
    }

    protected String said(String text) {
        Wire wire = wire();
        return wire.start() + wire.text(text) + wire.finish(wire.natural(), USAGE) + wire.end();
    }

    protected static List<String> arguments(LlmResponse reply) {
        return reply.toolCalls().stream().map(ToolCall::arguments).toList();
    }
}
