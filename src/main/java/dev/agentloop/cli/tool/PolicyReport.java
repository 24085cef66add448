package dev.agentloop.cli.tool;

import dev.agentloop.audit.AuditCheck;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.output.SafeText;
import dev.agentloop.permission.Decision;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.permission.Supervision;
import dev.agentloop.permission.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is told of the policy's answers: text for people, with {@code --json} one object. */
record PolicyReport(boolean json) {
    /** A case whose decision is not the expected one. */
    record Miss(int line, String call, String expected, Decision decision) {}

    /** The decision about a call, and all that spoke about it. */
    String explained(String call, PermissionPolicy.Explanation why, Supervision use) {
        Decision decision = why.decision();
        boolean denied = decision.verdict() == Verdict.ASK && !use.isAttended();
        if (json) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            object.put("call", Json.wellFormed(call));
            object.put("verdict", word(decision));
            object.put("rule", Json.wellFormed(decision.rule()));
            object.put("reason", Json.wellFormed(decision.reason()));
            object.put("as", use.wireName());
            object.put("denied_without_terminal", denied);
            object.put("considered", why.considered().stream().map(Json::wellFormed).toList());
            return object(object);
        }
        StringBuilder out = new StringBuilder();
        out.append(word(decision)).append("  ").append(SafeText.line(call)).append('\n');
        out.append("  by ").append(SafeText.line(decision.rule()));
        out.append(decision.reason().isEmpty() ? "" : ": " + SafeText.line(decision.reason()));
        out.append("\n  as ").append(use.wireName()).append('\n');
        out.append(denied ? "  without a terminal that is a denial\n" : "");
        for (String line : why.considered()) {
            out.append("  considered ").append(SafeText.line(line)).append('\n');
        }
        return out.toString();
    }

    /**
     * How many cases are as expected.
     *
     * @param given whether there was a file of cases
     */
    String tested(int cases, List<Miss> misses, boolean given) {
        if (json) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            object.put("cases", cases);
            object.put("as_expected", cases - misses.size());
            object.put("misses", misses.stream().map(PolicyReport::fields).toList());
            return object(object);
        }
        StringBuilder out = new StringBuilder();
        for (Miss miss : misses) {
            out.append(
                    "line %d: %s is %s by %s, not %s%n"
                            .formatted(
                                    miss.line(),
                                    SafeText.line(miss.call()),
                                    word(miss.decision()),
                                    SafeText.line(miss.decision().rule()),
                                    miss.expected()));
        }
        return out
                + (given
                        ? "%d of %d as expected%n".formatted(cases - misses.size(), cases)
                        : "The rules and their examples are valid; no FILE with cases was given.\n");
    }

    private static Map<String, @Nullable Object> fields(Miss miss) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("line", miss.line());
        fields.put("call", Json.wellFormed(miss.call()));
        fields.put("expected", miss.expected());
        fields.put("verdict", word(miss.decision()));
        fields.put("rule", Json.wellFormed(miss.decision().rule()));
        return fields;
    }

    /** Whether an audit log is whole. */
    String audited(AuditCheck check) {
        boolean whole = check.problem().isEmpty();
        if (json) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            object.put("whole", whole);
            object.put("decisions", whole ? check.lines() : null);
            object.put("seal", whole ? check.seal() : null);
            object.put("problem", whole ? null : Json.wellFormed(check.problem()));
            return object(object);
        }
        return whole
                ? check.lines()
                        + " decisions, whole; seal "
                        + check.seal()
                        + (check.note().isEmpty() ? "" : " (" + check.note() + ")")
                        + "\n"
                : "NOT WHOLE: " + check.problem() + "\n";
    }

    static String word(Decision decision) {
        return decision.verdict().name().toLowerCase(Locale.ROOT);
    }

    private static String object(Map<String, @Nullable Object> fields) {
        return Json.text(new JsonValue(fields)::writeTo) + "\n";
    }
}
