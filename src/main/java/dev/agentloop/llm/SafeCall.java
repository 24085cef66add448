package dev.agentloop.llm;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;

/**
 * Tool calls in a form that may go back to a server. Models write any name and any arguments;
 * strict servers refuse a history with such a call, and with it every later request of the run.
 */
public final class SafeCall {
    private static final int MAX_NAME = 64; // OpenAI and Anthropic

    private SafeCall() {}

    /** Whether the text is one whole JSON document. */
    public static boolean isWhole(String arguments) {
        try {
            Json.parse(arguments);
            return true;
        } catch (JsonException e) {
            return false;
        }
    }

    /**
     * The arguments as a JSON object. What is none is wrapped in one, so that the model still sees
     * what it wrote.
     */
    public static String arguments(String arguments) {
        if (arguments.isBlank()) {
            return "{}";
        }
        try {
            if (Json.parse(arguments).isObject()) {
                return Json.wellFormed(arguments);
            }
        } catch (JsonException e) {
            // wrapped below
        }
        return "{\"invalid_arguments\":" + Json.quote(Json.wellFormed(arguments)) + "}";
    }

    /** The name with what names cannot hold replaced by underscores. */
    public static String name(String name) {
        String safe = word(name);
        return safe.length() <= MAX_NAME ? safe : safe.substring(0, MAX_NAME);
    }

    /** Text of letters, digits, dashes and underscores; never empty. */
    public static String word(String text) {
        StringBuilder safe = new StringBuilder(text);
        for (int i = 0; i < safe.length(); i++) {
            char c = safe.charAt(i);
            boolean good = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (!good && c != '-' && c != '_') {
                safe.setCharAt(i, '_');
            }
        }
        return safe.isEmpty() ? "_" : safe.toString();
    }
}
