package dev.agentloop.event;

import dev.agentloop.evaluation.Evaluation;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Usage;
import dev.agentloop.verification.Verification;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended: the machine facts of its result. Status and exit code are derived from {@code
 * stopReason} where they are shown.
 *
 * @param stopReason wire name of the stop reason
 * @param signal name without SIG of the signal that cut the run; empty if none did
 * @param text final text; may be empty
 * @param structuredOutput the answer as JSON text, where the user gave a schema and it fits; empty
 *     otherwise
 * @param partialText of a reply that broke off and was not replaced; may be empty
 * @param usd null when any call's price is unknown
 * @param model of the last answer; before the first, the one that was chosen, as far as known
 * @param evaluation null when nobody judged the work
 * @param verification what the last check behind the last change said
 * @param leftRunning background commands that go on after the run
 * @param basis where prices come from: list, config, unknown
 * @param durable whether all of the session was kept; true without one
 * @param cassette that is recorded or replayed; null for most runs
 */
public record RunSummary(
        String sessionId,
        String stopReason,
        String status,
        int exitCode,
        String signal,
        String text,
        String structuredOutput,
        String partialText,
        List<Problem> errors,
        List<String> warnings,
        String agent,
        String model,
        List<ModelUse> modelsUsed,
        int steps,
        int toolCalls,
        Duration took,
        Duration apiTook,
        int retries,
        Usage usage,
        @Nullable BigDecimal usd,
        @Nullable BigDecimal capUsd,
        String basis,
        List<CostLine> breakdown,
        List<ToolUse> toolsUsed,
        List<FileChange> changes,
        int commandsFailed,
        List<Denial> denials,
        List<HookUse> hooks,
        List<String> planned,
        @Nullable Evaluation evaluation,
        Verification verification,
        List<LeftRunning> leftRunning,
        String sandbox,
        String journal,
        boolean durable,
        @Nullable CassetteUse cassette) {

    /** The same with each text that was not ours changed by {@code change}. */
    public RunSummary withTexts(UnaryOperator<String> change) {
        return new RunSummary(
                sessionId,
                stopReason,
                status,
                exitCode,
                signal,
                change.apply(text),
                change.apply(structuredOutput),
                change.apply(partialText),
                errors.stream().map(error -> error.withMessage(change)).toList(),
                warnings.stream().map(change).toList(),
                change.apply(agent),
                change.apply(model),
                modelsUsed.stream().map(use -> use.withTexts(change)).toList(),
                steps,
                toolCalls,
                took,
                apiTook,
                retries,
                usage,
                usd,
                capUsd,
                basis,
                breakdown,
                toolsUsed.stream().map(use -> use.withTexts(change)).toList(),
                changes.stream().map(file -> withTexts(file, change)).toList(),
                commandsFailed,
                denials.stream().map(denial -> denial.withTexts(change)).toList(),
                hooks.stream().map(hook -> hook.withTexts(change)).toList(),
                planned.stream().map(change).toList(),
                evaluation == null ? null : evaluation.withTexts(change),
                new Verification(verification.state(), change.apply(verification.by())),
                leftRunning.stream().map(left -> left.withTexts(change)).toList(),
                sandbox,
                journal,
                durable,
                cassette);
    }

    private static FileChange withTexts(FileChange file, UnaryOperator<String> change) {
        return new FileChange(change.apply(file.path()), file.kind(), file.added(), file.removed());
    }

    /**
     * The cassette of a run.
     *
     * @param replays what is answered from it: {@code run} for all, {@code model} for the model
     *     alone, empty when it is being recorded
     */
    public record CassetteUse(String file, String replays) {}

    /**
     * A command that was left running.
     *
     * @param name its command line, shortened
     * @param pid of the process group that it leads
     * @param stop command that ends it
     */
    public record LeftRunning(String name, long pid, String stop) {
        LeftRunning withTexts(UnaryOperator<String> change) {
            return new LeftRunning(change.apply(name), pid, stop);
        }
    }

    /** One error that shaped the run. */
    public record Problem(
            String code, String message, boolean retryable, @Nullable Duration retryAfter) {
        Problem withMessage(UnaryOperator<String> change) {
            return new Problem(code, change.apply(message), retryable, retryAfter);
        }
    }

    /** What one model answered; {@code basis} as above, for its price alone. */
    public record ModelUse(
            String model, int calls, @Nullable BigDecimal usd, long tokens, String basis) {
        ModelUse withTexts(UnaryOperator<String> change) {
            return new ModelUse(change.apply(model), calls, usd, tokens, basis);
        }
    }

    /** Cost of one source: agent, close, … */
    public record CostLine(String source, @Nullable BigDecimal usd, long tokens) {}

    /** How often a tool was used. */
    public record ToolUse(String name, int calls, int failures, int denied) {
        ToolUse withTexts(UnaryOperator<String> change) {
            return new ToolUse(change.apply(name), calls, failures, denied);
        }
    }

    /** A call that the policy or a person refused. */
    public record Denial(String tool, String rule, String reason) {
        Denial withTexts(UnaryOperator<String> change) {
            return new Denial(change.apply(tool), change.apply(rule), change.apply(reason));
        }
    }

    /** One run of a hook. */
    public record HookUse(String name, String event, int exitCode, Duration took) {
        HookUse withTexts(UnaryOperator<String> change) {
            return new HookUse(change.apply(name), event, exitCode, took);
        }
    }
}
