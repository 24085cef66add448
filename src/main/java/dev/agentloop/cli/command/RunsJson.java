package dev.agentloop.cli.command;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.orchestration.RunOutcome;
import dev.agentloop.orchestration.Runs;
import dev.agentloop.orchestration.SharedBudget;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What commands that start runs have in common in their JSON: fields in their order. */
public final class RunsJson {
    private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

    /** The object that a command prints. */
    public static RunsJson result(String type, int exitCode) {
        return new RunsJson()
                .with("schema_version", "1.0")
                .with("type", type)
                .with("exit_code", exitCode);
    }

    /** Text, number, boolean, list, {@link RunsJson}, or null. */
    public RunsJson with(String name, @Nullable Object value) {
        fields.put(name, plain(value));
        return this;
    }

    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case BigDecimal usd -> new BigDecimal(usd.stripTrailingZeros().toPlainString());
            case RunsJson object -> object.fields;
            case List<?> list -> {
                List<@Nullable Object> all = new ArrayList<>();
                list.forEach(item -> all.add(plain(item)));
                yield all;
            }
            default -> value;
        };
    }

    public RunsJson cost(SharedBudget purse) {
        return with(
                "cost", new RunsJson().with("usd", purse.spent()).with("cap_usd", purse.total()));
    }

    /** The fields of one run. */
    public RunsJson outcome(RunOutcome run) {
        return with("status", run.status())
                .with("stop_reason", run.stopReason())
                .with("exit_code", run.exitCode())
                .with("steps", run.steps())
                .with("tokens", run.tokens())
                .with("usd", run.usd())
                .with("duration_ms", run.took().toMillis())
                .with("session_id", run.sessionId())
                .with("result", run.text())
                .with("error", run.error());
    }

    /** Why nothing could begin: a run says so, and another one would say the same. */
    public RunsJson error(RunOutcome refused) {
        return with(
                "error",
                new RunsJson()
                        .with("code", refused.stopReason())
                        .with("message", refused.error())
                        .with("retryable", false)
                        .with("retry_after_s", null));
    }

    public RunsJson checks(List<Runs.CheckOutcome> checks) {
        return with(
                "checks",
                checks.stream()
                        .map(check ->
                                new RunsJson()
                                        .with("command", check.command())
                                        .with("passed", check.passed())
                                        .with("exit_code", check.exitCode())
                                        .with("output", check.output()))
                        .toList());
    }

    /** The object as one line of JSON, with its line feed. */
    public String text() {
        return Json.text(json -> new JsonValue(fields).writeTo(json)) + "\n";
    }
}
