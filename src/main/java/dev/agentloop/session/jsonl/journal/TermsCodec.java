package dev.agentloop.session.jsonl.journal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.session.JournalRecord;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What a run may do, as JSON in the journal. */
final class TermsCodec {
    private TermsCodec() {}

    static void write(JsonGenerator json, JournalRecord.Terms it) throws IOException {
        MessageCodec.writeText(json, "confirm", it.confirm());
        strings(json, "allow", it.allow());
        strings(json, "ask", it.ask());
        strings(json, "deny", it.deny());
        MessageCodec.writeText(json, "sandbox", it.sandbox());
        json.writeBooleanField("network", it.network());
        if (it.writable().isPresent()) {
            strings(json, "writable", it.writable().get());
        }
        if (!it.added().isEmpty()) {
            strings(json, "added", it.added());
        }
        strings(json, "tools", it.tools());
    }

    static JournalRecord.Terms read(JsonValue d) {
        return new JournalRecord.Terms(
                d.at("confirm").text(),
                strings(d.at("allow")),
                strings(d.at("ask")),
                strings(d.at("deny")),
                d.at("sandbox").text(),
                d.at("network").isTrue(),
                d.has("writable") ? Optional.of(strings(d.at("writable"))) : Optional.empty(),
                strings(d.at("added")),
                strings(d.at("tools")));
    }

    private static void strings(JsonGenerator json, String name, List<String> texts)
            throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(Json.wellFormed(text));
        }
        json.writeEndArray();
    }

    private static List<String> strings(JsonValue array) {
        return array.items().stream().map(JsonValue::text).toList();
    }
}
