package dev.agentloop.output;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One JSON object a line for each event: {@code --output-format stream-json}. */
public final class JsonLines implements EventSink {
    private final Consumer<byte[]> out;
    private final Supplier<Instant> clock;
    private String sessionId = "";
    private long seq;

    /**
     * @param out takes one line of UTF-8 with its line feed; one write each, so that no line is
     *     torn
     */
    public JsonLines(Consumer<byte[]> out, Supplier<Instant> clock) {
        this.out = out;
        this.clock = clock;
    }

    @Override
    public void emit(AgentEvent event) {
        if (event instanceof AgentEvent.SessionStarted started) {
            sessionId = started.sessionId();
        }
        out.accept(line(event));
        seq++;
    }

    private byte[] line(AgentEvent event) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        try (JsonGenerator json = Json.writer(line)) {
            json.writeStartObject();
            json.writeStringField("schema_version", ResultJson.SCHEMA_VERSION);
            json.writeNumberField("seq", seq);
            json.writeStringField("ts", clock.get().toString());
            json.writeStringField("session_id", sessionId);
            json.writeStringField("type", EventJson.type(event));
            EventJson.writeFields(json, event);
            json.writeEndObject();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e); // memory does not fail: a bug of ours
        }
        line.write('\n');
        return line.toByteArray();
    }
}
