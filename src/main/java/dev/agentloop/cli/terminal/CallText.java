package dev.agentloop.cli.terminal;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.ToolCall;
import dev.agentloop.output.DiffLines;
import dev.agentloop.output.SafeText;
import dev.agentloop.permission.Approver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A whole call as a person reads it before allowing it: the command or the change in full, and
 * whatever could deceive the eye made visible.
 */
final class CallText {
    private static final int LONG_BLANK = 4; // fewer blanks in a row are indentation
    private static final int MAX_DOTS = 8;
    private static final int MAX_NAMED = 5; // characters that are named below the text
    private static final Map<String, String> SIGNS =
            Map.of("old_string", "- ", "new_string", "+ ", "content", "+ ");

    private final List<String> lines = new ArrayList<>();
    private final Map<Integer, String> strange = new LinkedHashMap<>();

    private CallText() {}

    /** All lines, without line ends. */
    static List<String> of(ToolCall call) {
        CallText text = new CallText();
        try {
            text.fields(Json.parse(call.arguments()), "");
        } catch (JsonException e) {
            text.add("", call.arguments());
        }
        text.nameStrange();
        return text.lines;
    }

    /** An edit by its diffs, each line with its number in the file; also that without line ends. */
    static List<String> ofChanges(List<Approver.PlannedChange> changes) {
        CallText text = new CallText();
        for (Approver.PlannedChange change : changes) {
            text.add("", change.path());
            List<String> diff = new ArrayList<>();
            for (String line : change.diff().split("\n", -1)) {
                diff.add(
                        line.isEmpty() || diff.size() < 2 || line.startsWith("@@ -")
                                ? line
                                : line.charAt(0) + text.marked(line.substring(1)));
            }
            text.lines.addAll(DiffLines.whole(String.join("\n", diff)));
        }
        text.nameStrange();
        return text.lines;
    }

    private void fields(JsonValue arguments, String indent) {
        for (String key : arguments.keys()) {
            JsonValue value = arguments.at(key);
            if (value.isArray() && value.items().stream().anyMatch(JsonValue::isObject)) {
                value.items().forEach(item -> fields(item, indent));
            } else {
                field(key, value, indent);
            }
        }
    }

    private void field(String key, JsonValue value, String indent) {
        String text = value.isText() ? value.text() : Json.text(value::writeTo);
        String sign = SIGNS.get(key);
        boolean block = sign != null || text.contains("\n");
        if (!block) {
            add(indent + SafeText.line(key) + ": ", text);
            return;
        }
        lines.add(indent + SafeText.line(key) + ":");
        for (String line : text.split("\n", -1)) {
            add(indent + (sign == null ? "| " : sign), line);
        }
    }

    private void add(String start, String text) {
        lines.add(start + SafeText.line(marked(text)));
    }

    /** Blanks that push something out of sight are counted, other letters are named below. */
    private String marked(String text) {
        StringBuilder marked = new StringBuilder();
        int begin = 0;
        while (begin < text.length() && (text.charAt(begin) == ' ' || text.charAt(begin) == '\t')) {
            begin++;
        }
        if (begin > MAX_DOTS * LONG_BLANK) {
            begin = 0; // no indentation is as deep
        }
        marked.append(text, 0, begin);
        for (int i = begin; i < text.length(); ) {
            int c = text.codePointAt(i);
            int end = i;
            while (end < text.length() && text.charAt(end) == ' ') {
                end++;
            }
            if (end - i >= LONG_BLANK) {
                marked.append(
                        end - i <= MAX_DOTS ? "·".repeat(end - i) : "[" + (end - i) + " blanks]");
                i = end;
                continue;
            }
            if (c > '~') {
                strange.putIfAbsent(c, String.valueOf(Character.getName(c)));
            }
            marked.appendCodePoint(c);
            i += Character.charCount(c);
        }
        return marked.toString();
    }

    private void nameStrange() {
        int named = 0;
        for (Map.Entry<Integer, String> one : strange.entrySet()) {
            if (!Character.isLetterOrDigit(one.getKey()) && one.getKey() < 0x2000
                    || named == MAX_NAMED) {
                continue;
            }
            named++;
            lines.add(
                    "(not ASCII: %s is U+%04X, %s)"
                            .formatted(
                                    SafeText.line(Character.toString(one.getKey())),
                                    one.getKey(),
                                    one.getValue()));
        }
        int more = strange.size() - named;
        if (more > 0) {
            lines.add("(and " + more + " more kinds of characters that are not ASCII)");
        }
    }
}
