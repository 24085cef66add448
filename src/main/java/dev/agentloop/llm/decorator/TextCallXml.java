package dev.agentloop.llm.decorator;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.SafeCall;
import dev.agentloop.tool.ToolSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call as Qwen's coders write it: {@code <function=name><parameter=key>value</parameter>
 * </function>}. Values stand as they are, without any escapes, so a value ends only where a
 * parameter or the end of the call follows.
 */
final class TextCallXml {
    static final String OPEN = "<function=";

    private static final String CLOSE = "</function>";
    private static final String KEY = "<parameter=";
    private static final String VALUE_END = "</parameter>";
    private static final int MAX_NAME = 64;

    private final String text;
    private final String name;
    private int at;

    /**
     * @param start where {@link #OPEN} stands
     */
    TextCallXml(String text, int start) {
        this.text = text;
        this.at = start + OPEN.length();
        this.name = word();
    }

    /** The name; empty if there is none. */
    String name() {
        return name;
    }

    /** Where the text goes on, once the arguments are read. */
    int end() {
        return at;
    }

    /** The arguments as JSON, typed as the tool declares them; empty when the form is broken. */
    Optional<String> arguments(ToolSpec tool) {
        Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
        skipBlanks();
        while (text.startsWith(KEY, at)) {
            at += KEY.length();
            String key = word();
            int end = valueEnd();
            if (key.isEmpty() || end < 0 || arguments.containsKey(key)) {
                return Optional.empty();
            }
            arguments.put(key, typed(tool, key, bare(text.substring(at, end))));
            at = end + VALUE_END.length();
            skipBlanks();
        }
        if (!text.startsWith(CLOSE, at)) {
            return Optional.empty();
        }
        at += CLOSE.length();
        return Optional.of(Json.text(new JsonValue(arguments)::writeTo)).filter(SafeCall::isWhole);
    }

    /** What stands before the next bracket; empty if that is no word. */
    private String word() {
        int end = text.indexOf('>', at);
        if (end < 0 || end - at > MAX_NAME) {
            return "";
        }
        String word = text.substring(at, end).strip();
        at = end + 1;
        return word;
    }

    private int valueEnd() {
        int end = text.indexOf(VALUE_END, at);
        while (end >= 0) {
            int next = end + VALUE_END.length();
            while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
                next++;
            }
            if (text.startsWith(KEY, next) || text.startsWith(CLOSE, next)) {
                return end;
            }
            end = text.indexOf(VALUE_END, next);
        }
        return -1;
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    /** The form puts a line feed on each side. */
    private static String bare(String value) {
        int from = value.startsWith("\n") ? 1 : 0;
        int to =
                value.length() > from && value.endsWith("\n") ? value.length() - 1 : value.length();
        return value.substring(from, to);
    }

    private static @Nullable Object typed(ToolSpec tool, String key, String value) {
        try {
            JsonValue type = Json.parse(tool.parameters()).at("properties").at(key).at("type");
            boolean isText = type.textOr("string").equals("string");
            return isText ? value : Json.parse(value.strip()).raw();
        } catch (JsonException e) {
            return value; // the tool tells the model what it expects
        }
    }
}
