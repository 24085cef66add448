package dev.agentloop.orchestration;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended, from its result object; of one that gave none, from its exit code.
 *
 * @param status success, partial or failed
 * @param stopReason wire name; {@code killed} of a run that gave no result
 * @param text the final answer
 * @param usd null when unknown
 * @param tokens in and out
 * @param error first error in one line; empty if there was none
 * @param changed names of files, as the run knows them
 * @param diff what has changed in its work tree; empty if nobody has looked
 */
public record RunOutcome(
        int exitCode,
        String status,
        String stopReason,
        String text,
        String sessionId,
        int steps,
        @Nullable BigDecimal usd,
        long tokens,
        Duration took,
        String error,
        List<String> changed,
        WorkDiff diff) {
    private static final int INTERRUPTED = 130; // its exit code behind a signal
    private static final int OUT_OF_TIME = 5; // and behind its own --timeout
    private static final int MOST_ERROR = 2_000; // characters of what a person reads of a failure

    public RunOutcome {
        changed = List.copyOf(changed);
    }

    /** Whether the task is done: a run that closed early, or was only told so, is not. */
    public boolean succeeded() {
        return exitCode == 0;
    }

    /** A run that could not be started. */
    static RunOutcome notStarted(String why) {
        return new RunOutcome(
                1,
                "failed",
                "not_started",
                "",
                "",
                0,
                null,
                0,
                Duration.ZERO,
                why,
                List.of(),
                WorkDiff.NONE);
    }

    /** A run for which no money was left. */
    static RunOutcome unpaid() {
        return new RunOutcome(
                2,
                "failed",
                "budget_exceeded",
                "",
                "",
                0,
                BigDecimal.ZERO,
                0,
                Duration.ZERO,
                "the budget is spent: not begun",
                List.of(),
                WorkDiff.NONE);
    }

    /**
     * Reads what a run has printed.
     *
     * @param out its standard output, one JSON object
     * @param err its standard error
     */
    static RunOutcome of(int exitCode, String out, String err, Duration took) {
        JsonValue result;
        try {
            result = Json.parse(out);
        } catch (JsonException e) {
            String last = err.strip();
            last = last.substring(Math.max(0, last.length() - MOST_ERROR));
            return new RunOutcome(
                    exitCode == 0 ? 1 : exitCode,
                    "failed",
                    "killed",
                    "",
                    "",
                    0,
                    null,
                    0,
                    took,
                    last.isEmpty() ? "the run ended without a result" : last,
                    List.of(),
                    WorkDiff.NONE);
        }
        JsonValue usage = result.at("usage");
        return new RunOutcome(
                exitCode,
                result.at("status").textOr("failed"),
                result.at("stop_reason").textOr("unknown"),
                result.at("result").text(),
                result.at("session_id").text(),
                (int) result.at("steps").asLong(),
                decimal(result.at("cost").at("usd")),
                usage.at("input_tokens").asLong()
                        + usage.at("output_tokens").asLong()
                        + usage.at("cache_read_tokens").asLong()
                        + usage.at("cache_write_tokens").asLong(),
                took,
                result.at("errors").at(0).at("message").text(),
                names(result.at("files_changed")),
                WorkDiff.NONE);
    }

    /** If a signal has ended it: that was sent when the time of all was over, not by a person. */
    RunOutcome outOfTime() {
        return exitCode != INTERRUPTED
                ? this
                : new RunOutcome(
                        OUT_OF_TIME,
                        status,
                        "timeout",
                        "Stopped: the time for all runs was over.",
                        sessionId,
                        steps,
                        usd,
                        tokens,
                        took,
                        error,
                        changed,
                        diff);
    }

    /** The outcome of the same run, with what git has seen it change. */
    RunOutcome with(WorkDiff seen) {
        return new RunOutcome(
                exitCode,
                status,
                stopReason,
                text,
                sessionId,
                steps,
                usd,
                tokens,
                took,
                error,
                changed,
                seen);
    }

    private static @Nullable BigDecimal decimal(JsonValue number) {
        return number.raw() == null ? null : new BigDecimal(String.valueOf(number.raw()));
    }

    private static List<String> names(JsonValue changes) {
        List<String> names = new ArrayList<>();
        changes.items().forEach(change -> names.add(change.at("path").text()));
        return names;
    }
}
