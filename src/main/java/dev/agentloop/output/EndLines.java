package dev.agentloop.output;

import dev.agentloop.event.RunSummary;
import dev.agentloop.markdown.TextFlow;
import dev.agentloop.message.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last lines of the human log: outcome, reason, figures, and what needs attention. */
public final class EndLines {
    static final String INTERRUPT = "user_interrupt"; // as stop reasons are written
    private static final String BETWEEN = " · ";

    private EndLines() {}

    static String of(RunSummary summary, Style style) {
        StringBuilder lines = new StringBuilder("\n");
        lines.append(head(summary, style)).append('\n');
        lines.append("   Reason: ").append(reason(summary)).append('\n');
        lines.append("  (").append(Plural.of(summary.steps(), "step")).append(", ");
        lines.append(Plural.of(summary.toolCalls(), "tool call")).append(')');
        if (summary.usage().total() > 0) {
            lines.append("\n   Cost: ").append(cost(summary.usd(), summary.usage()));
        }
        RunSummary.CassetteUse cassette = summary.cassette();
        if (cassette != null && !cassette.replays().isEmpty()) {
            lines.append("\n   Replay: that was the cost when it was recorded; nothing was spent");
            lines.append(" now");
        }
        appendAttention(lines, summary, style);
        return lines.toString();
    }

    private static void appendAttention(StringBuilder lines, RunSummary summary, Style style) {
        for (String action : summary.planned()) {
            lines.append("\n   Dry run, not done: ").append(SafeText.line(action, 200));
        }
        for (RunSummary.Denial denial : summary.denials()) {
            lines.append("\n   ").append(style.warning()).append(" Denied: ");
            lines.append(SafeText.line(denial.tool() + ": " + denial.reason(), 300));
        }
    }

    /** The same in a line or two, and what needs attention: for a person who has seen the work. */
    static String brief(RunSummary summary, Style style, int columns) {
        StringBuilder lines = new StringBuilder("\n");
        String head =
                switch (summary.status()) {
                    case "success" -> style.ok() + " Done";
                    case "partial" -> style.warning() + stopped(summary);
                    default -> style.bad() + " Failed: " + reason(summary);
                };
        lines.append(head);
        lines.append(style.dim(figures(summary, TextFlow.width(SafeText.line(head)), columns)));
        appendAttention(lines, summary, style);
        return lines.toString();
    }

    private static String stopped(RunSummary summary) {
        boolean byKey =
                summary.stopReason().equals(INTERRUPT)
                        && (summary.signal().isEmpty() || summary.signal().equals("INT"));
        return byKey ? " Stopped by you" : " Stopped: " + reason(summary);
    }

    /**
     * No figure is broken between two lines.
     *
     * @param used columns before them
     */
    private static String figures(RunSummary summary, int used, int columns) {
        List<String> parts = new ArrayList<>();
        parts.add(Plural.of(summary.steps(), "step"));
        parts.add(HumanRenderer.seconds(summary.took().toMillis()));
        if (summary.usage().total() > 0) {
            parts.add(grouped(summary.usage().total()) + " tokens");
        }
        if (summary.usd() != null && summary.usd().signum() > 0) {
            parts.add("$" + summary.usd().setScale(4, RoundingMode.HALF_UP).toPlainString());
        }
        parts.add(checked(summary));
        StringBuilder text = new StringBuilder();
        int at = used;
        for (String part : parts.stream().filter(part -> !part.isEmpty()).toList()) {
            boolean fits = at + BETWEEN.length() + TextFlow.width(part) < columns;
            text.append(fits ? BETWEEN : "\n  ").append(part);
            at = (fits ? at + BETWEEN.length() : 2) + TextFlow.width(part);
        }
        return text.toString();
    }

    /** What the last check said of the changed files; nothing where none were changed. */
    private static String checked(RunSummary summary) {
        String by = SafeText.line(summary.verification().by(), 60);
        return switch (summary.verification().state()) {
            case PASSED -> "checked by " + by;
            case FAILED -> by + " fails";
            case NONE -> summary.changes().isEmpty() ? "" : "not checked";
        };
    }

    private static String head(RunSummary summary, Style style) {
        String steps = " (" + Plural.of(summary.steps(), "step") + ")";
        return switch (summary.status()) {
            case "success" -> style.done() + " Agent completed" + steps;
            case "partial" -> style.warning() + " Agent stopped before it was done" + steps;
            default -> style.failed() + " Agent failed" + steps;
        };
    }

    private static String but(RunSummary summary) {
        if (summary.status().equals("success")) {
            return "";
        }
        boolean judged = summary.evaluation() != null && !summary.evaluation().passed();
        boolean checked = summary.errors().stream().anyMatch(e -> e.code().equals("check_failed"));
        return checked
                ? ", but a required check fails"
                : judged
                        ? ", but its self-evaluation does not pass"
                        : ", but calls were denied (--strict-denials)";
    }

    /** Why the run ended, in words. */
    public static String reason(RunSummary summary) {
        return switch (summary.stopReason()) {
            case "llm_done" ->
                    summary.steps() == 0
                            ? "the model had nothing to do"
                            : "LLM decided it was done" + but(summary);
            case "max_steps" -> "step limit reached (raise it with --max-steps)";
            case "max_tool_calls" -> "limit of tool calls reached (raise it with --max-tool-calls)";
            case "loop_detected" -> "the model went round in circles";
            case "budget_exceeded" ->
                    "budget reached (raise it with --budget or --max-tokens-total)";
            case "timeout" -> "time limit reached (raise it with --timeout or --step-timeout)";
            case "context_full" -> "the context window is full";
            case INTERRUPT ->
                    summary.signal().isEmpty() ? "stopped by you" : "SIG" + summary.signal();
            case "output_limit" -> "the model's output limit cut the answer";
            case "refused" -> "the model refused";
            case "hook_terminated" -> "a hook ended the run";
            case "schema_mismatch" -> "the answer does not match the JSON schema";
            case "empty_response" -> "the model gave an empty answer twice";
            default -> summary.stopReason();
        };
    }

    private static String cost(@Nullable BigDecimal usd, Usage usage) {
        String money =
                usd == null
                        ? "unknown price"
                        : "$" + usd.setScale(4, RoundingMode.HALF_UP).toPlainString();
        return money
                + " ("
                + grouped(usage.prompt())
                + " in / "
                + grouped(usage.output())
                + " out / "
                + grouped(usage.cacheRead())
                + " cached"
                + (usage.estimated() ? ", estimated" : "")
                + ")";
    }

    /** 12450 becomes 12,450; without locale data, which costs 20 ms at first use. */
    static String grouped(long number) {
        StringBuilder digits = new StringBuilder(Long.toString(number));
        for (int at = digits.length() - 3; at > (number < 0 ? 1 : 0); at -= 3) {
            digits.insert(at, ',');
        }
        return digits.toString();
    }
}
