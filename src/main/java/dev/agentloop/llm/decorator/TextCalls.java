package dev.agentloop.llm.decorator;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.SafeCall;
import dev.agentloop.tool.ToolSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds tool calls that a model wrote into its text, in the forms of Hermes and Qwen, of Qwen's
 * coders, and of Llama. Only declared tools are called, nothing that is quoted as code, and nothing
 * that is not exactly such a form: whatever is doubtful stays text.
 */
final class TextCalls {
    /** Longest of the signs, in characters. */
    static final int MAX_SIGN = 14;

    private static final String HERMES = "<tool_call>";
    private static final String HERMES_END = "</tool_call>";
    private static final String LLAMA = "<|python_tag|>";
    private static final List<String> SIGNS = List.of("<tool_call", TextCallXml.OPEN, LLAMA);
    private static final Set<String> KEYS = Set.of("name", "arguments", "parameters", "type", "id");
    private static final int MAX_ENDS =
            16; // an end inside an argument is rare, a flood is an attack
    private static final int MAX_TAGS = 64; // calls of one reply that are looked at
    private static final int MAX_TEXT = 1_000_000; // characters; no model writes more in one reply
    private static final int MAX_BLANKS = 1_000; // no answer begins with more

    private final Map<String, ToolSpec> tools = new HashMap<>();

    TextCalls(List<ToolSpec> declared) {
        declared.forEach(tool -> tools.put(tool.name(), tool));
    }

    /** A call without its id. */
    record Call(String name, String arguments) {}

    /** The calls of a text, and what is left of it. */
    record Found(String text, List<Call> calls) {}

    /**
     * Where a call may begin; the end of the text if nowhere.
     *
     * @param certain whether more text cannot prove otherwise
     */
    record Sign(int at, boolean certain) {}

    /** A call and where the text goes on after it. */
    private record Span(Call call, int end) {}

    /**
     * The first sign of a call, also half of one at the very end.
     *
     * @param all the text from {@code from} on
     */
    static Sign sign(String all, int from) {
        if (from == 0) {
            int start = blanks(all);
            if (start == all.length() && start < MAX_BLANKS) {
                return new Sign(0, false);
            }
            if (start < all.length() && all.charAt(start) == '{') {
                return new Sign(start, true);
            }
        }
        int first = all.length();
        for (String sign : SIGNS) {
            int at = all.indexOf(sign);
            first = at < 0 ? first : Math.min(first, at);
        }
        if (first < all.length()) {
            return new Sign(from + first, true);
        }
        for (int at = Math.max(0, all.length() - MAX_SIGN); at < all.length(); at++) {
            String rest = all.substring(at);
            if (SIGNS.stream().anyMatch(sign -> sign.startsWith(rest))) {
                return new Sign(from + at, false);
            }
        }
        return new Sign(from + all.length(), false);
    }

    private static int blanks(String text) {
        int at = 0;
        while (at < text.length() && at < MAX_BLANKS && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** What the finished text holds. */
    Found in(String text) {
        if (text.length() > MAX_TEXT) {
            return new Found(text, List.of());
        }
        String bare = text.strip();
        if (bare.startsWith("{")) {
            return call(bare)
                    .map(call -> new Found("", List.of(call)))
                    .orElse(new Found(text, List.of()));
        }
        int llama = text.indexOf(LLAMA);
        if (llama >= 0) {
            String rest = text.substring(llama + LLAMA.length());
            String json = rest.replace("<|eom_id|>", "").replace("<|eot_id|>", "");
            return call(json.strip())
                    .map(call -> new Found(text.substring(0, llama).stripTrailing(), List.of(call)))
                    .orElse(new Found(text, List.of()));
        }
        return tagged(text);
    }

    private Found tagged(String text) {
        List<Call> calls = new ArrayList<>();
        StringBuilder left = new StringBuilder();
        boolean quoted = false;
        int done = 0;
        int tags = 0;
        for (int at = tag(text, 0);
                at < text.length() && tags < MAX_TAGS;
                at = tag(text, done), tags++) {
            quoted ^= fences(text, done, at) % 2 != 0;
            boolean code = quoted || at > 0 && text.charAt(at - 1) == '`';
            Optional<Span> span = code ? Optional.empty() : span(text, at);
            int end = span.map(Span::end).orElse(at + 1);
            left.append(text, done, span.isPresent() ? at : end);
            span.ifPresent(found -> calls.add(found.call()));
            done = end;
        }
        if (calls.isEmpty()) {
            return new Found(text, List.of());
        }
        return new Found(left.append(text, done, text.length()).toString().stripTrailing(), calls);
    }

    private static int tag(String text, int from) {
        int hermes = text.indexOf(HERMES, from);
        int coder = text.indexOf(TextCallXml.OPEN, from);
        int end = text.length();
        return Math.min(hermes < 0 ? end : hermes, coder < 0 ? end : coder);
    }

    private static int fences(String text, int from, int to) {
        int count = 0;
        for (int at = text.indexOf("```", from); at >= 0 && at < to; count++) {
            at = text.indexOf("```", at + 3);
        }
        return count;
    }

    private Optional<Span> span(String text, int at) {
        if (!text.startsWith(HERMES, at)) {
            return coder(text, at);
        }
        int start = at + HERMES.length();
        int end = text.indexOf(HERMES_END, start);
        for (int tries = 0; end >= 0 && tries < MAX_ENDS; tries++) {
            Optional<Call> call = body(text.substring(start, end).strip());
            if (call.isPresent()) {
                return Optional.of(new Span(call.get(), end + HERMES_END.length()));
            }
            end = text.indexOf(HERMES_END, end + 1);
        }
        return end >= 0 // some models leave out the last end
                ? Optional.empty()
                : body(text.substring(start).strip()).map(call -> new Span(call, text.length()));
    }

    private Optional<Call> body(String body) {
        if (body.startsWith(TextCallXml.OPEN)) {
            return coder(body, 0).filter(span -> span.end() == body.length()).map(Span::call);
        }
        return call(body);
    }

    private Optional<Span> coder(String text, int at) {
        TextCallXml xml = new TextCallXml(text, at);
        ToolSpec tool = tools.get(xml.name());
        return tool == null
                ? Optional.empty()
                : xml.arguments(tool)
                        .map(arguments -> new Span(new Call(xml.name(), arguments), xml.end()));
    }

    /** A call as JSON, with the arguments under either of the two names. */
    private Optional<Call> call(String json) {
        JsonValue call;
        try {
            call = Json.parse(json);
            JsonValue given = call.has("arguments") ? call.at("arguments") : call.at("parameters");
            JsonValue arguments = given.isText() ? Json.parse(given.text()) : given;
            String name = call.at("name").text();
            boolean clear =
                    KEYS.containsAll(call.keys())
                            && !(call.has("arguments") && call.has("parameters"))
                            && call.at("type").textOr("function").equals("function")
                            && tools.containsKey(name)
                            && arguments.isObject();
            String text = Json.text(arguments::writeTo);
            return clear && SafeCall.isWhole(text)
                    ? Optional.of(new Call(name, text))
                    : Optional.empty();
        } catch (JsonException e) {
            return Optional.empty();
        }
    }
}
