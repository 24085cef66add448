package dev.agentloop.output;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.evaluation.Evaluation;
import dev.agentloop.event.RunSummary;
import dev.agentloop.json.Json;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Usage;
import dev.agentloop.verification.Verification;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The result object of {@code --json}: the public shape, see result.schema.json. */
public final class ResultJson {
    /** Adding a field raises the second number, anything else the first. */
    public static final String SCHEMA_VERSION = "1.6";

    private ResultJson() {}

    /** The whole object, as UTF-8 bytes on one line, without line feed. */
    public static byte[] bytes(RunSummary summary) {
        return Json.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("schema_version", SCHEMA_VERSION);
            json.writeStringField("type", "result");
            json.writeStringField("session_id", summary.sessionId());
            writeFields(json, summary);
            json.writeEndObject();
        });
    }

    /** Everything below the envelope. */
    static void writeFields(JsonGenerator json, RunSummary summary) throws IOException {
        json.writeStringField("status", summary.status());
        json.writeStringField("stop_reason", summary.stopReason());
        json.writeNumberField("exit_code", summary.exitCode());
        json.writeBooleanField("is_error", summary.exitCode() != 0);
        if (!summary.signal().isEmpty()) {
            json.writeStringField("signal", summary.signal());
        }
        json.writeStringField("result", Json.wellFormed(summary.text()));
        if (!summary.structuredOutput().isEmpty()) {
            json.writeFieldName("structured_output");
            json.writeRawValue(summary.structuredOutput());
        }
        if (!summary.partialText().isEmpty()) {
            json.writeStringField("partial_output", Json.wellFormed(summary.partialText()));
        }
        writeProblems(json, summary);
        json.writeStringField("agent", summary.agent());
        json.writeStringField("model", Json.wellFormed(summary.model()));
        writeModels(json, summary);
        json.writeNumberField("steps", summary.steps());
        json.writeNumberField("tool_calls", summary.toolCalls());
        json.writeNumberField("duration_ms", summary.took().toMillis());
        json.writeNumberField("api_duration_ms", summary.apiTook().toMillis());
        json.writeNumberField("retries", summary.retries());
        writeUsage(json, summary.usage());
        writeCost(json, summary);
        writeWork(json, summary);
        writeEvaluation(json, summary.evaluation());
        json.writeStringField("sandbox", summary.sandbox());
        if (!summary.journal().isEmpty()) {
            json.writeStringField("journal", Json.wellFormed(summary.journal()));
        }
        if (!summary.durable()) {
            json.writeObjectFieldStart("session");
            json.writeBooleanField("durable", false);
            json.writeEndObject();
        }
        writeCassette(json, summary.cassette());
    }

    private static void writeCassette(JsonGenerator json, RunSummary.@Nullable CassetteUse cassette)
            throws IOException {
        if (cassette == null) {
            return;
        }
        json.writeStringField("cassette", Json.wellFormed(cassette.file()));
        if (!cassette.replays().isEmpty()) {
            json.writeStringField("replay", cassette.replays());
        }
    }

    private static void writeProblems(JsonGenerator json, RunSummary summary) throws IOException {
        json.writeArrayFieldStart("errors");
        for (RunSummary.Problem problem : summary.errors()) {
            json.writeStartObject();
            json.writeStringField("code", problem.code());
            json.writeStringField("message", Json.wellFormed(problem.message()));
            json.writeBooleanField("retryable", problem.retryable());
            writeRetryAfter(json, problem.retryAfter());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("warnings");
        for (String warning : summary.warnings()) {
            json.writeString(Json.wellFormed(warning));
        }
        json.writeEndArray();
    }

    static void writeRetryAfter(JsonGenerator json, @Nullable Duration wait) throws IOException {
        if (wait != null) {
            json.writeNumberField("retry_after_s", wait.plusMillis(999).toSeconds());
        }
    }

    static void writeUsage(JsonGenerator json, Usage usage) throws IOException {
        json.writeObjectFieldStart("usage");
        json.writeNumberField("input_tokens", usage.input());
        json.writeNumberField("output_tokens", usage.output());
        json.writeNumberField("cache_read_tokens", usage.cacheRead());
        json.writeNumberField("cache_write_tokens", usage.cacheWrite());
        json.writeNumberField("reasoning_tokens", usage.reasoning());
        json.writeBooleanField("estimated", usage.estimated());
        json.writeEndObject();
    }

    private static void writeModels(JsonGenerator json, RunSummary summary) throws IOException {
        json.writeArrayFieldStart("models_used");
        for (RunSummary.ModelUse use : summary.modelsUsed()) {
            json.writeStartObject();
            json.writeStringField("model", Json.wellFormed(use.model()));
            json.writeNumberField("calls", use.calls());
            writeDecimal(json, "usd", use.usd());
            json.writeNumberField("tokens", use.tokens());
            json.writeStringField("basis", use.basis());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeCost(JsonGenerator json, RunSummary summary) throws IOException {
        json.writeObjectFieldStart("cost");
        writeDecimal(json, "usd", summary.usd());
        writeDecimal(json, "cap_usd", summary.capUsd());
        json.writeStringField("basis", summary.basis());
        json.writeArrayFieldStart("breakdown");
        for (RunSummary.CostLine line : summary.breakdown()) {
            json.writeStartObject();
            json.writeStringField("source", line.source());
            writeDecimal(json, "usd", line.usd());
            json.writeNumberField("tokens", line.tokens());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void writeEvaluation(JsonGenerator json, @Nullable Evaluation evaluation)
            throws IOException {
        if (evaluation == null) {
            return;
        }
        json.writeObjectFieldStart("evaluation");
        json.writeStringField("mode", evaluation.mode());
        json.writeBooleanField("passed", evaluation.passed());
        json.writeBooleanField("completed", evaluation.judgement().completed());
        writeDecimal(json, "confidence", evaluation.judgement().confidence());
        json.writeArrayFieldStart("issues");
        for (String issue : evaluation.judgement().issues()) {
            json.writeString(Json.wellFormed(issue));
        }
        json.writeEndArray();
        json.writeStringField("suggestion", Json.wellFormed(evaluation.judgement().suggestion()));
        json.writeNumberField("attempts", evaluation.attempts());
        json.writeEndObject();
    }

    static void writeDecimal(JsonGenerator json, String name, @Nullable BigDecimal number)
            throws IOException {
        json.writeFieldName(name);
        if (number == null) {
            json.writeNull();
        } else {
            json.writeNumber(plain(number)); // exact: a JSON number has no precision of its own
        }
    }

    private static String plain(BigDecimal usd) {
        BigDecimal plain = usd.stripTrailingZeros();
        return plain.scale() < 0 ? plain.setScale(0).toPlainString() : plain.toPlainString();
    }

    private static void writeWork(JsonGenerator json, RunSummary summary) throws IOException {
        json.writeArrayFieldStart("tools_used");
        for (RunSummary.ToolUse use : summary.toolsUsed()) {
            json.writeStartObject();
            json.writeStringField("name", Json.wellFormed(use.name()));
            json.writeNumberField("calls", use.calls());
            json.writeNumberField("failures", use.failures());
            json.writeNumberField("denied", use.denied());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("files_changed");
        for (FileChange change : summary.changes()) {
            json.writeStartObject();
            writeChange(json, change);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeNumberField("commands_failed", summary.commandsFailed());
        writeVerification(json, summary.verification());
        writeLeftRunning(json, summary);
        writeDenials(json, summary);
        writeHooks(json, summary);
        writePlanned(json, summary);
    }

    private static void writeVerification(JsonGenerator json, Verification verification)
            throws IOException {
        json.writeObjectFieldStart("verification");
        json.writeStringField("state", verification.state().wireName());
        if (!verification.by().isEmpty()) {
            json.writeStringField("by", Json.wellFormed(verification.by()));
        }
        json.writeEndObject();
    }

    private static void writeLeftRunning(JsonGenerator json, RunSummary summary)
            throws IOException {
        json.writeArrayFieldStart("left_running");
        for (RunSummary.LeftRunning left : summary.leftRunning()) {
            json.writeStartObject();
            json.writeStringField("name", Json.wellFormed(left.name()));
            json.writeNumberField("pid", left.pid());
            json.writeStringField("stop", left.stop());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** The fields of one changed file; the caller has begun the object. */
    public static void writeChange(JsonGenerator json, FileChange change) throws IOException {
        json.writeStringField("path", Json.wellFormed(change.path()));
        json.writeStringField("kind", change.kind().name().toLowerCase(Locale.ROOT));
        json.writeNumberField("added", change.added());
        json.writeNumberField("removed", change.removed());
    }

    private static void writeDenials(JsonGenerator json, RunSummary summary) throws IOException {
        json.writeArrayFieldStart("denials");
        for (RunSummary.Denial denial : summary.denials()) {
            json.writeStartObject();
            json.writeStringField("tool", Json.wellFormed(denial.tool()));
            json.writeStringField("rule", Json.wellFormed(denial.rule()));
            json.writeStringField("reason", Json.wellFormed(denial.reason()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeHooks(JsonGenerator json, RunSummary summary) throws IOException {
        json.writeArrayFieldStart("hooks");
        for (RunSummary.HookUse hook : summary.hooks()) {
            json.writeStartObject();
            json.writeStringField("name", Json.wellFormed(hook.name()));
            json.writeStringField("event", hook.event());
            json.writeNumberField("exit_code", hook.exitCode());
            json.writeNumberField("duration_ms", hook.took().toMillis());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writePlanned(JsonGenerator json, RunSummary summary) throws IOException {
        if (summary.planned().isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("planned");
        for (String action : summary.planned()) {
            json.writeString(Json.wellFormed(action));
        }
        json.writeEndArray();
    }
}
