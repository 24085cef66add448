package dev.agentloop.llm.http;

import dev.agentloop.json.JsonValue;
import java.util.Locale;

/** Reads error objects in the many forms in which providers write them. */
public final class ErrorText {
    private static final int MAX_MESSAGE = 2048;

    private ErrorText() {}

    /** The message of an error body or event. */
    public static String of(JsonValue json) {
        JsonValue error = json.at("error");
        String message = error.isText() ? error.text() : first(error, json);
        JsonValue upstream = error.at("metadata").at("raw"); // OpenRouter
        if (upstream.isText() && !message.contains(upstream.text())) {
            message += ": " + upstream.text();
        }
        String line = printable(message).strip();
        return line.length() <= MAX_MESSAGE ? line : line.substring(0, MAX_MESSAGE) + "…";
    }

    /** All machine words of the error: its code and type. */
    public static String kindOf(JsonValue json) {
        JsonValue error = json.at("error").isObject() ? json.at("error") : json;
        StringBuilder kind = new StringBuilder(error.at("type").text());
        kind.append(' ').append(word(error.at("code")));
        kind.append(' ').append(error.at("status").text());
        for (JsonValue detail : error.at("details").items()) { // Google: the status tells little
            kind.append(' ').append(detail.at("reason").text());
        }
        return kind.toString().toLowerCase(Locale.ROOT).strip();
    }

    /** The HTTP status that an error without one would have had; 0 if it tells nothing. */
    public static int statusOf(JsonValue json, String kind) {
        JsonValue error = json.at("error").isObject() ? json.at("error") : json;
        for (String key : new String[] {"status_code", "code", "status", "http_code"}) {
            int status = number(error.at(key));
            if (status >= 400 && status < 600) {
                return status;
            }
        }
        if (kind.contains("authenticat") || kind.contains("invalid_api_key")) {
            return 401;
        }
        if (kind.contains("permission")) {
            return 403;
        }
        if (kind.contains("rate_limit")
                || kind.contains("too_many_requests")
                || kind.contains("resource_exhausted")) {
            return 429;
        }
        if (kind.contains("overloaded") || kind.contains("unavailable")) {
            return 529;
        }
        if (kind.contains("api_error")
                || kind.contains("server")
                || kind.contains("timeout")
                || kind.contains("internal")
                || kind.contains("deadline_exceeded")) {
            return 500;
        }
        boolean refused = kind.contains("invalid") || kind.contains("not_found");
        return refused || kind.contains("content") || kind.contains("policy") ? 400 : 0;
    }

    /** Google answers a wrong key with status 400. */
    public static boolean isWrongKey(String words) {
        return words.contains("api_key_invalid") || words.contains("api key not valid");
    }

    /** A request that is too large for what is left of a rate is not too large for the model. */
    public static boolean isContextOverflow(int status, String words, boolean mayComeBack) {
        if (status == 429 && (mayComeBack || speaksOfRate(words))) {
            return false;
        }
        return status == 413
                || words.contains("context_length_exceeded")
                || words.contains("prompt is too long")
                || words.contains("request_too_large")
                || words.contains("request too large")
                || words.contains("maximum context length")
                || words.contains("exceed_context_size")
                || words.contains("exceeds the context window")
                || words.contains("exceeds the available context size")
                || words.contains("input token count") && words.contains("exceeds");
    }

    private static boolean speaksOfRate(String words) {
        return words.contains("per min")
                || words.contains("tpm")
                || words.contains("rate limit")
                || words.contains("rate_limit");
    }

    /** Whether money or quota is used up: no wait mends that. */
    public static boolean isSpent(int status, String words) {
        return status == 402
                || words.contains("insufficient_quota")
                || words.contains("billing_") // codes; the word itself stands in rate limits, too
                || words.contains("credit balance")
                || words.contains("out of credits")
                || words.contains("insufficient credits")
                || words.contains("insufficient balance");
    }

    /** Text without control characters, which could steer a terminal. */
    public static String printable(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> {
                    if (c == '\n' || c == '\t') {
                        clean.append(' ');
                    } else if (!Character.isISOControl(c)
                            && Character.getType(c) != Character.FORMAT) {
                        clean.appendCodePoint(c);
                    }
                });
        return clean.toString();
    }

    private static String first(JsonValue error, JsonValue json) {
        JsonValue[] places = {
            error.at("message"),
            json.at("message"),
            json.at("detail"),
            json.at("detail").at(0).at("msg"),
            json.at("errors").at(0).at("message"),
            json.at(0).at("error").at("message")
        };
        for (JsonValue place : places) {
            if (place.isText() && !place.text().isBlank()) {
                return place.text();
            }
        }
        return "";
    }

    private static String word(JsonValue code) {
        return code.isNumber() ? String.valueOf(code.asLong()) : code.text();
    }

    private static int number(JsonValue code) {
        if (code.isNumber()) {
            return Math.clamp(code.asLong(), 0, 9999);
        }
        String text = code.text();
        return text.length() == 3 && text.chars().allMatch(Character::isDigit)
                ? Integer.parseInt(text)
                : 0;
    }
}
