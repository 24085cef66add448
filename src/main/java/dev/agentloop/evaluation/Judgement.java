package dev.agentloop.evaluation;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a task is done, in the eyes of a model. Better is: completed, then more confident.
 *
 * @param confidence 0 to 1
 * @param issues what is missing or wrong
 * @param suggestion what to do about it; may be empty
 */
public record Judgement(
        boolean completed, BigDecimal confidence, List<String> issues, String suggestion)
        implements Comparable<Judgement> {
    private static final String FENCE = "```";

    public Judgement {
        confidence = confidence.max(BigDecimal.ZERO).min(BigDecimal.ONE);
        issues = List.copyOf(issues);
    }

    /** Nobody could say that the task is done, so it is not. */
    public static Judgement none(String why) {
        return new Judgement(false, BigDecimal.ZERO, List.of(why), "");
    }

    /** Whether the task counts as done. */
    public boolean passes(BigDecimal threshold) {
        return completed && confidence.compareTo(threshold) >= 0;
    }

    @Override
    public int compareTo(Judgement other) {
        int done = Boolean.compare(completed, other.completed);
        return done != 0 ? done : confidence.compareTo(other.confidence);
    }

    /**
     * Reads a model's words: the whole of them as JSON, else a fenced block, else the first object
     * with the right member, wherever it stands.
     */
    public static Judgement parse(String text) {
        return object(text)
                .or(() -> fenced(text))
                .or(() -> embedded(text))
                .map(Judgement::of)
                .orElseGet(() -> none("the evaluation's answer holds no JSON object"));
    }

    private static Optional<JsonValue> object(String text) {
        try {
            JsonValue value = Json.parse(text.strip());
            return value.has("completed") ? Optional.of(value) : Optional.empty();
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    private static Optional<JsonValue> fenced(String text) {
        String[] parts = text.split(FENCE, -1); // what stands at odd places is inside
        for (int i = 1; i < parts.length; i += 2) {
            int brace = parts[i].indexOf('{'); // behind the name of a language
            Optional<JsonValue> found =
                    brace < 0 ? Optional.empty() : object(parts[i].substring(brace));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<JsonValue> embedded(String text) {
        for (int at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
            int end = balancedEnd(text, at);
            Optional<JsonValue> found =
                    end < 0 ? Optional.empty() : object(text.substring(at, end));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Behind the brace that closes the one at {@code from}; -1 if none does. */
    private static int balancedEnd(String text, int from) {
        int depth = 0;
        boolean quoted = false;
        for (int at = from; at < text.length(); at++) {
            char c = text.charAt(at);
            if (quoted && c == '\\') {
                at++; // whatever is escaped ends nothing
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && c == '{') {
                depth++;
            } else if (!quoted && c == '}' && --depth == 0) {
                return at + 1;
            }
        }
        return -1;
    }

    private static Judgement of(JsonValue json) {
        List<String> issues = new ArrayList<>();
        for (JsonValue issue : json.at("issues").items()) {
            issues.add(issue.isText() ? issue.text() : Json.text(issue::writeTo));
        }
        return new Judgement(
                json.at("completed").isTrue(),
                confidence(json.at("confidence")),
                issues,
                json.at("suggestion").text());
    }

    private static BigDecimal confidence(JsonValue value) {
        try {
            return value.isNumber() ? new BigDecimal(String.valueOf(value.raw())) : BigDecimal.ZERO;
        } catch (NumberFormatException e) {
            return BigDecimal.ZERO; // NaN and the like
        }
    }
}
