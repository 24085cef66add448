package dev.agentloop.session.jsonl.journal;

import static dev.agentloop.session.jsonl.journal.MessageCodec.readText;
import static dev.agentloop.session.jsonl.journal.MessageCodec.writeText;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.session.FileState;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.PreImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The records about files in the journal. */
final class TouchCodec {
    private TouchCodec() {}

    static void write(JsonGenerator json, JournalRecord.Touched it) throws IOException {
        writeText(json, "call", it.callId());
        json.writeArrayFieldStart("files");
        for (PreImage file : it.files()) {
            json.writeStartObject();
            writeText(json, "path", file.path());
            json.writeObjectFieldStart("before");
            writeState(json, file.before());
            json.writeEndObject();
            json.writeObjectFieldStart("planned");
            writeState(json, file.planned());
            json.writeEndObject();
            if (!file.blob().isEmpty()) {
                writeText(json, "blob", file.blob());
            }
            if (file.isMove()) {
                writeText(json, "moved_to", file.movedTo());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static JournalRecord readTouched(JsonValue d) {
        List<PreImage> files = new ArrayList<>();
        for (JsonValue file : d.at("files").items()) {
            files.add(
                    new PreImage(
                            readText(file.at("path")),
                            readState(file.at("before")),
                            readState(file.at("planned")),
                            readText(file.at("blob")),
                            readText(file.at("moved_to"))));
        }
        return new JournalRecord.Touched(readText(d.at("call")), files);
    }

    static void write(JsonGenerator json, JournalRecord.Left it) throws IOException {
        writeText(json, "call", it.callId());
        json.writeArrayFieldStart("files");
        for (Map.Entry<String, FileState> file : it.files().entrySet()) {
            json.writeStartObject();
            writeText(json, "path", file.getKey());
            writeState(json, file.getValue());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static JournalRecord readLeft(JsonValue d) {
        Map<String, FileState> files = new LinkedHashMap<>();
        for (JsonValue file : d.at("files").items()) {
            files.put(readText(file.at("path")), readState(file));
        }
        return new JournalRecord.Left(readText(d.at("call")), files);
    }

    static void write(JsonGenerator json, JournalRecord.Undone it) throws IOException {
        json.writeArrayFieldStart("touches");
        for (long seq : it.effects()) {
            json.writeNumber(seq);
        }
        json.writeEndArray();
        writeNames(json, "restored", it.restored());
        writeNames(json, "refused", it.refused());
    }

    static JournalRecord readUndone(JsonValue d) {
        List<Long> effects = new ArrayList<>();
        d.at("touches").items().forEach(seq -> effects.add(seq.asLong()));
        return new JournalRecord.Undone(
                effects, readNames(d.at("restored")), readNames(d.at("refused")));
    }

    private static void writeState(JsonGenerator json, FileState state) throws IOException {
        json.writeStringField("kind", MessageCodec.wire(state.kind()));
        if (!state.mark().isEmpty()) {
            writeText(json, "mark", state.mark());
        }
        if (state.mode() != 0) {
            json.writeNumberField("mode", state.mode());
        }
    }

    private static FileState readState(JsonValue state) {
        return new FileState(
                MessageCodec.unwire(state.at("kind").text(), FileState.Kind.OTHER),
                readText(state.at("mark")),
                (int) state.at("mode").asLong());
    }

    private static void writeNames(JsonGenerator json, String field, List<String> names)
            throws IOException {
        json.writeArrayFieldStart(field);
        for (String name : names) {
            json.writeString(Json.wellFormed(name));
        }
        json.writeEndArray();
    }

    private static List<String> readNames(JsonValue names) {
        List<String> read = new ArrayList<>();
        names.items().forEach(name -> read.add(readText(name)));
        return read;
    }
}
