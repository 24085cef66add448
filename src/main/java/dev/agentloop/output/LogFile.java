package dev.agentloop.output;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Set;
import java.util.function.Supplier;

/** The log file: every event as one JSON line with its level, and the traces of our own bugs. */
public final class LogFile implements EventSink, AutoCloseable {
    private final FileChannel channel;
    private final Supplier<Instant> clock;

    private LogFile(FileChannel channel, Supplier<Instant> clock) {
        this.channel = channel;
        this.clock = clock;
    }

    /** Opens the file for appending; a new one is the user's alone, because it holds everything. */
    public static LogFile open(Path file, Supplier<Instant> clock) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("not a regular file");
        }
        return new LogFile(
                FileChannel.open(
                        file,
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE,
                                StandardOpenOption.APPEND),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------"))),
                clock);
    }

    @Override
    public void emit(AgentEvent event) {
        write(
                Level.of(event),
                json -> {
                    json.writeStringField("type", EventJson.type(event));
                    EventJson.writeFields(json, event);
                });
    }

    /** A bug of ours with its stack trace. */
    public void bug(String message, String trace) {
        write(
                Level.ERROR,
                json -> {
                    json.writeStringField("type", "bug");
                    EventJson.text(json, "message", message);
                    EventJson.text(json, "stack", trace);
                });
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            lost();
        }
    }

    private void write(Level level, Json.Writing fields) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        try (JsonGenerator json = Json.writer(line)) {
            json.writeStartObject();
            json.writeStringField("ts", clock.get().toString());
            json.writeStringField("level", level.wireName());
            json.writeNumberField("level_no", level.number());
            fields.to(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e); // memory does not fail: a bug of ours
        }
        line.write('\n');
        try {
            channel.write(ByteBuffer.wrap(line.toByteArray()));
        } catch (IOException e) {
            lost();
        }
    }

    /** A log that cannot be written must not end the run that it describes. */
    private void lost() {}
}
