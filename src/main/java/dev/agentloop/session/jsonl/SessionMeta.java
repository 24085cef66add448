package dev.agentloop.session.jsonl;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.session.SessionSummary;
import dev.agentloop.session.jsonl.journal.MessageCodec;
import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;

/**
 * The summary of a session in {@code meta.json}, so that lists need not open journals. A cache: it
 * may be missing, stale or wrong without harm.
 *
 * @param journalBytes length of the journal that it sums up
 */
record SessionMeta(SessionSummary summary, long journalBytes) {
    private static final String NAME = "meta.json";
    private static final long MAX_BYTES = 64 * 1024; // far more than a summary takes

    static void write(Path dir, SessionMeta meta) throws IOException {
        Path fresh = dir.resolve(NAME + ".tmp");
        Files.deleteIfExists(fresh);
        try (FileChannel out = PrivateFiles.createFile(fresh, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(Json.bytes(meta::writeTo));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }
        Files.move(fresh, dir.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }

    /** The cached summary of the session in {@code dir}, if there is a readable one. */
    static Optional<SessionMeta> read(Path dir, String id) {
        try (FileChannel in = PrivateFiles.openFile(dir.resolve(NAME), StandardOpenOption.READ)) {
            if (in.size() > MAX_BYTES) {
                return Optional.empty();
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) in.size());
            while (bytes.hasRemaining() && in.read(bytes) >= 0) {}
            SessionMeta meta = of(Json.parse(bytes.array(), 0, bytes.position()));
            return meta.summary.id().equals(id) ? Optional.of(meta) : Optional.empty();
        } catch (IOException | JsonException e) {
            return Optional.empty();
        }
    }

    private void writeTo(JsonGenerator json) throws IOException {
        json.writeStartObject();
        MessageCodec.writeText(json, "id", summary.id());
        json.writeNumberField("started", summary.started().toEpochMilli());
        json.writeNumberField("updated", summary.updated().toEpochMilli());
        MessageCodec.writeText(json, "workspace", summary.workspace());
        MessageCodec.writeText(json, "model", summary.model());
        MessageCodec.writeText(json, "agent", summary.agent());
        MessageCodec.writeText(json, "title", summary.title());
        MessageCodec.writeText(json, "status", summary.status());
        json.writeNumberField("steps", summary.steps());
        json.writeNumberField("journal_bytes", journalBytes);
        json.writeEndObject();
    }

    private static SessionMeta of(JsonValue json) {
        return new SessionMeta(
                new SessionSummary(
                        json.at("id").text(),
                        Instant.ofEpochMilli(json.at("started").asLong()),
                        Instant.ofEpochMilli(json.at("updated").asLong()),
                        json.at("workspace").text(),
                        json.at("model").text(),
                        json.at("agent").text(),
                        json.at("title").text(),
                        json.at("status").text(),
                        (int) json.at("steps").asLong()),
                json.at("journal_bytes").asLong());
    }
}
