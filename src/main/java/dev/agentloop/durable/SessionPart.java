package dev.agentloop.durable;

import dev.agentloop.durable.engine.DurableException;
import dev.agentloop.durable.engine.ObjectLogic;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A part of a session: some lines of its journal and the contents that they name.
 *
 * @param folder of the session below the folder of all sessions, e.g. {@code 2026/11/01KJ…}
 * @param lines whole lines of the journal, each with its line feed
 * @param blobs contents by their names
 */
record SessionPart(String folder, String lines, Map<String, byte[]> blobs) {
    private static final int MOST_BYTES = 64_000_000; // unpacked; a journal's line has 8 MB at most

    SessionPart {
        blobs = Map.copyOf(blobs);
    }

    /** Packed, so that long journals stay within what engines take as one message. */
    String packed() {
        byte[] json =
                Json.bytes(out -> {
                    out.writeStartObject();
                    out.writeStringField("folder", folder);
                    out.writeStringField("lines", lines);
                    out.writeObjectFieldStart("blobs");
                    for (Map.Entry<String, byte[]> blob : blobs.entrySet()) {
                        out.writeStringField(
                                blob.getKey(), Base64.getEncoder().encodeToString(blob.getValue()));
                    }
                    out.writeEndObject();
                    out.writeEndObject();
                });
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    static SessionPart unpacked(String packed) throws DurableException {
        byte[] json;
        try (GZIPInputStream zip =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(packed)))) {
            json = zip.readNBytes(MOST_BYTES);
        } catch (IOException | IllegalArgumentException e) {
            throw new DurableException("A piece of the task's journal cannot be read: " + e);
        }
        JsonValue it = ObjectLogic.parsed(new String(json, StandardCharsets.UTF_8), "{}");
        Map<String, byte[]> blobs = new LinkedHashMap<>();
        for (String name : it.at("blobs").keys()) {
            blobs.put(name, Base64.getDecoder().decode(it.at("blobs").at(name).textOr("")));
        }
        return new SessionPart(it.at("folder").textOr(""), it.at("lines").textOr(""), blobs);
    }
}
