package dev.agentloop.session.jsonl.journal;

import static dev.agentloop.session.jsonl.journal.MessageCodec.readText;
import static dev.agentloop.session.jsonl.journal.MessageCodec.writeText;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.Compaction;
import dev.agentloop.message.Usage;
import dev.agentloop.session.JournalRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Journal records to and from the {@code d} object of a line. Names and meanings never change;
 * records may grow fields. A reader ignores fields and types that it does not know.
 */
public final class JournalCodec {
    private JournalCodec() {}

    /**
     * Writes the fields of {@code record} into an object that the caller has opened. By name, as
     * reading goes: the first switch over patterns costs 8 ms and this is on the way to the first
     * request. A test holds that no record is forgotten.
     */
    static void write(JsonGenerator json, JournalRecord record) throws IOException {
        switch (record.type()) {
            case "session" -> writeOpened(json, (JournalRecord.Opened) record);
            case "user" -> writeUserSaid(json, (JournalRecord.UserSaid) record);
            case "route" -> writeRouted(json, (JournalRecord.Routed) record);
            case "caps" -> writeCapped(json, (JournalRecord.Capped) record);
            case "terms" -> TermsCodec.write(json, (JournalRecord.Terms) record);
            case "llm_req" -> writeRequestSent(json, (JournalRecord.RequestSent) record);
            case "llm_fail" -> writeRequestFailed(json, (JournalRecord.RequestFailed) record);
            case "llm_resp" -> writeReplied(json, (JournalRecord.Replied) record);
            case "decision" -> writeDecided(json, (JournalRecord.Decided) record);
            case "intent" -> writeIntended(json, (JournalRecord.Intended) record);
            case "touch" -> TouchCodec.write(json, (JournalRecord.Touched) record);
            case "left" -> TouchCodec.write(json, (JournalRecord.Left) record);
            case "undo" -> TouchCodec.write(json, (JournalRecord.Undone) record);
            case "rewind" -> json.writeNumberField("step", ((JournalRecord.Rewound) record).step());
            case "output" -> writeOutput(json, (JournalRecord.OutputSoFar) record);
            case "result" -> writeAnswered(json, (JournalRecord.Answered) record);
            case "compact" -> writeCompacted(json, (JournalRecord.Compacted) record);
            case "hook_result" -> writeHookRan(json, (JournalRecord.HookRan) record);
            case "limit" -> writeLimit(json, (JournalRecord.LimitReached) record);
            case "signal" -> writeSignal(json, (JournalRecord.Signalled) record);
            case "resume" -> writeResumed(json, (JournalRecord.Resumed) record);
            case "fork" -> writeForked(json, (JournalRecord.Forked) record);
            case "end" -> writeEnded(json, (JournalRecord.Ended) record);
            default -> throw new IllegalStateException("no form for " + record.type());
        }
    }

    /** The record of that type; empty for a type that only a newer version knows. */
    public static Optional<JournalRecord> read(String type, JsonValue d) {
        return Optional.ofNullable(
                switch (type) {
                    case "session" -> readOpened(d);
                    case "user" -> readUserSaid(d);
                    case "terms" -> TermsCodec.read(d);
                    case "llm_req" -> readRequestSent(d);
                    case "llm_fail" -> readRequestFailed(d);
                    case "llm_resp" -> readReplied(d);
                    case "decision" -> readDecided(d);
                    case "intent" -> readIntended(d);
                    case "touch" -> TouchCodec.readTouched(d);
                    case "left" -> TouchCodec.readLeft(d);
                    case "undo" -> TouchCodec.readUndone(d);
                    case "rewind" -> new JournalRecord.Rewound(number(d, "step"));
                    case "output" ->
                            new JournalRecord.OutputSoFar(text(d, "call"), text(d, "text"));
                    case "result" -> readAnswered(d);
                    case "compact" -> readCompacted(d);
                    case "hook_result" -> readHookRan(d);
                    case "limit" -> new JournalRecord.LimitReached(text(d, "stop_reason"));
                    case "caps" -> new JournalRecord.Capped(text(d, "usd"), text(d, "tokens"));
                    case "route" ->
                            new JournalRecord.Routed(text(d, "base_url"), text(d, "api_key_env"));
                    case "signal" -> new JournalRecord.Signalled(text(d, "signal"));
                    case "resume" -> readResumed(d);
                    case "fork" ->
                            new JournalRecord.Forked(text(d, "from"), d.at("records").asLong());
                    case "end" -> readEnded(d);
                    default -> null;
                });
    }

    private static void writeOpened(JsonGenerator json, JournalRecord.Opened it)
            throws IOException {
        writeText(json, "app", it.appVersion());
        writeText(json, "workspace", it.workspace());
        writeText(json, "model", it.model());
        writeText(json, "agent", it.agent());
        writeText(json, "system_prompt", it.systemPrompt());
    }

    private static void writeRouted(JsonGenerator json, JournalRecord.Routed it)
            throws IOException {
        writeText(json, "base_url", it.baseUrl());
        writeText(json, "api_key_env", it.apiKeyEnv());
    }

    private static void writeCapped(JsonGenerator json, JournalRecord.Capped it)
            throws IOException {
        writeText(json, "usd", it.usd());
        writeText(json, "tokens", it.tokens());
    }

    private static JournalRecord readOpened(JsonValue d) {
        return new JournalRecord.Opened(
                text(d, "app"),
                text(d, "workspace"),
                text(d, "model"),
                text(d, "agent"),
                text(d, "system_prompt"));
    }

    private static void writeUserSaid(JsonGenerator json, JournalRecord.UserSaid it)
            throws IOException {
        writeText(json, "text", it.text());
        writeText(json, "origin", it.origin());
        MessageCodec.writeImages(json, it.images());
    }

    private static JournalRecord readUserSaid(JsonValue d) {
        return new JournalRecord.UserSaid(
                text(d, "text"), text(d, "origin"), MessageCodec.readImages(d));
    }

    private static void writeRequestSent(JsonGenerator json, JournalRecord.RequestSent it)
            throws IOException {
        json.writeNumberField("step", it.step());
        json.writeNumberField("estimated_tokens", it.estimatedTokens());
        if (it.estimatedUsd() != null) {
            writeText(json, "estimated_usd", it.estimatedUsd());
        }
        JournalRecord.Reserved reserved = it.reserved();
        if (reserved != null) {
            json.writeObjectFieldStart("reserved");
            json.writeNumberField("input", reserved.input());
            json.writeNumberField("output", reserved.output());
            if (reserved.usd() != null) {
                writeText(json, "usd", reserved.usd());
            }
            json.writeEndObject();
        }
        writeBy(json, it.by());
    }

    private static JournalRecord readRequestSent(JsonValue d) {
        JsonValue reserved = d.at("reserved");
        return new JournalRecord.RequestSent(
                number(d, "step"),
                d.at("estimated_tokens").asLong(),
                d.has("estimated_usd") ? text(d, "estimated_usd") : null,
                reserved.has("input")
                        ? new JournalRecord.Reserved(
                                reserved.at("input").asLong(),
                                reserved.at("output").asLong(),
                                usd(reserved))
                        : null,
                text(d, "by"));
    }

    private static void writeBy(JsonGenerator json, String by) throws IOException {
        if (!by.isEmpty()) {
            writeText(json, "by", by);
        }
    }

    private static void writeRequestFailed(JsonGenerator json, JournalRecord.RequestFailed it)
            throws IOException {
        writeText(json, "code", it.code());
        writeText(json, "message", it.message());
        json.writeBooleanField("will_retry", it.willRetry());
        if (it.lostTokens() > 0) {
            json.writeNumberField("lost_tokens", it.lostTokens());
        }
        if (it.usage().total() > 0) {
            writeCost(json, it.usage(), it.usd(), it.source());
        }
        writeBy(json, it.by());
    }

    private static JournalRecord readRequestFailed(JsonValue d) {
        return new JournalRecord.RequestFailed(
                text(d, "code"),
                text(d, "message"),
                d.at("will_retry").isTrue(),
                d.at("lost_tokens").asLong(),
                MessageCodec.readUsage(d.at("usage")),
                usd(d),
                text(d, "source"),
                text(d, "by"));
    }

    private static void writeCost(
            JsonGenerator json, Usage usage, @Nullable String usd, String source)
            throws IOException {
        MessageCodec.writeUsage(json, usage);
        if (usd != null) {
            writeText(json, "usd", usd);
        }
        writeText(json, "source", source);
    }

    private static @Nullable String usd(JsonValue d) {
        return d.at("usd").isText() ? d.at("usd").text() : null;
    }

    private static void writeReplied(JsonGenerator json, JournalRecord.Replied it)
            throws IOException {
        MessageCodec.writeBlocks(json, it.message());
        writeText(json, "finish", it.finish());
        writeCost(json, it.usage(), it.usd(), it.source());
        writeText(json, "request_id", it.requestId());
        writeBy(json, it.by());
    }

    private static JournalRecord readReplied(JsonValue d) {
        return new JournalRecord.Replied(
                MessageCodec.readBlocks(d),
                text(d, "finish"),
                MessageCodec.readUsage(d.at("usage")),
                usd(d),
                text(d, "source"),
                text(d, "request_id"),
                text(d, "by"));
    }

    private static void writeDecided(JsonGenerator json, JournalRecord.Decided it)
            throws IOException {
        writeText(json, "call", it.callId());
        writeText(json, "verdict", it.verdict());
        writeText(json, "rule", it.rule());
        writeText(json, "by", it.by());
    }

    private static JournalRecord readDecided(JsonValue d) {
        return new JournalRecord.Decided(
                text(d, "call"), text(d, "verdict"), text(d, "rule"), text(d, "by"));
    }

    private static void writeIntended(JsonGenerator json, JournalRecord.Intended it)
            throws IOException {
        writeText(json, "call", it.callId());
        writeText(json, "tool", it.tool());
        writeText(json, "effect", it.effect());
    }

    private static JournalRecord readIntended(JsonValue d) {
        return new JournalRecord.Intended(text(d, "call"), text(d, "tool"), text(d, "effect"));
    }

    private static void writeOutput(JsonGenerator json, JournalRecord.OutputSoFar it)
            throws IOException {
        writeText(json, "call", it.callId());
        writeText(json, "text", it.text());
    }

    private static void writeAnswered(JsonGenerator json, JournalRecord.Answered it)
            throws IOException {
        writeText(json, "call", it.callId());
        MessageCodec.writeResult(json, it.result());
    }

    private static JournalRecord readAnswered(JsonValue d) {
        return new JournalRecord.Answered(text(d, "call"), MessageCodec.readResult(d));
    }

    private static void writeCompacted(JsonGenerator json, JournalRecord.Compacted it)
            throws IOException {
        Compaction what = it.what();
        writeText(json, "by", what.by().wireName());
        writeText(json, "first_kept", what.firstKept());
        if (what.least() != Compaction.LEAST) {
            json.writeNumberField("least", what.least());
        }
        if (what.by() != Compaction.By.CLEARING) {
            json.writeNumberField("users", what.users());
            writeText(json, "summary", what.summary());
        }
    }

    private static JournalRecord readCompacted(JsonValue d) {
        return new JournalRecord.Compacted(
                new Compaction(
                        MessageCodec.unwire(text(d, "by"), Compaction.By.WINDOW),
                        text(d, "first_kept"),
                        number(d, "users"),
                        text(d, "summary"),
                        Math.max(Compaction.LEAST, number(d, "least"))));
    }

    private static void writeHookRan(JsonGenerator json, JournalRecord.HookRan it)
            throws IOException {
        writeText(json, "name", it.name());
        writeText(json, "event", it.event());
        json.writeNumberField("exit_code", it.exitCode());
        json.writeNumberField("millis", it.millis());
    }

    private static JournalRecord readHookRan(JsonValue d) {
        return new JournalRecord.HookRan(
                text(d, "name"), text(d, "event"), number(d, "exit_code"), d.at("millis").asLong());
    }

    private static void writeResumed(JsonGenerator json, JournalRecord.Resumed it)
            throws IOException {
        json.writeNumberField("torn_bytes", it.tornBytes());
        json.writeArrayFieldStart("unresolved");
        for (String id : it.unresolved()) {
            json.writeString(Json.wellFormed(id));
        }
        json.writeEndArray();
    }

    private static JournalRecord readResumed(JsonValue d) {
        List<String> unresolved = new ArrayList<>();
        d.at("unresolved").items().forEach(id -> unresolved.add(id.text()));
        return new JournalRecord.Resumed(d.at("torn_bytes").asLong(), unresolved);
    }

    private static void writeLimit(JsonGenerator json, JournalRecord.LimitReached it)
            throws IOException {
        writeText(json, "stop_reason", it.stopReason());
    }

    private static void writeSignal(JsonGenerator json, JournalRecord.Signalled it)
            throws IOException {
        writeText(json, "signal", it.signal());
    }

    private static void writeForked(JsonGenerator json, JournalRecord.Forked it)
            throws IOException {
        writeText(json, "from", it.from());
        json.writeNumberField("records", it.records());
    }

    private static void writeEnded(JsonGenerator json, JournalRecord.Ended it) throws IOException {
        writeText(json, "status", it.status());
        writeText(json, "stop_reason", it.stopReason());
        json.writeNumberField("exit_code", it.exitCode());
        json.writeNumberField("steps", it.steps());
        json.writeNumberField("millis", it.millis());
    }

    private static JournalRecord readEnded(JsonValue d) {
        return new JournalRecord.Ended(
                text(d, "status"),
                text(d, "stop_reason"),
                number(d, "exit_code"),
                number(d, "steps"),
                d.at("millis").asLong());
    }

    private static String text(JsonValue d, String name) {
        return readText(d.at(name));
    }

    private static int number(JsonValue d, String name) {
        return (int) d.at(name).asLong();
    }
}
