package dev.agentloop.session.export;

import dev.agentloop.html.Html;
import dev.agentloop.html.HtmlDiff;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.undo.UnifiedDiff;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call of a tool and its result: edits as diffs, commands with what they printed. */
final class HtmlCall {
    private static final int MOST = 2_000; // lines of a diff
    private static final int SHORT = 400; // characters that need not be folded

    private HtmlCall() {}

    /** What was asked for; a result may never have come. */
    static String of(ToolCall call, @Nullable ToolResult result, EarlierTexts earlier) {
        JsonValue arguments = arguments(call);
        String subject = subject(call.name(), arguments);
        boolean failed = result != null && result.kind() != ToolResult.Kind.OK;
        StringBuilder out = new StringBuilder("<h3><code>");
        out.append(Html.text(call.name())).append("</code> ");
        out.append(Html.text(subject)).append("</h3>\n");
        out.append(asked(call, subject, arguments, earlier));
        if (result != null) {
            String outcome = Html.text(SessionExport.outcome(result));
            String label = failed ? "<span class=\"bad\">" + outcome + "</span>" : outcome;
            String text = result.text();
            out.append(
                    Html.folded(
                            "Result: " + label + ", " + text.length() + " characters",
                            Html.pre(text),
                            failed && text.length() <= SHORT));
        }
        return out.toString();
    }

    private static JsonValue arguments(ToolCall call) {
        try {
            return Json.parse(call.arguments());
        } catch (JsonException e) {
            return new JsonValue(null);
        }
    }

    private static String subject(String tool, JsonValue arguments) {
        for (String name : List.of("file_path", "path", "pattern", "query", "url", "id", "agent")) {
            if (arguments.at(name).isText()) {
                return arguments.at(name).text();
            }
        }
        return tool.equals("move_file") ? arguments.at("source_path").textOr("") : "";
    }

    private static String asked(
            ToolCall call, String subject, JsonValue arguments, EarlierTexts earlier) {
        return switch (call.name()) {
            case "edit_file" ->
                    earlier.of(call, arguments)
                            .map(it -> HtmlDiff.of(lines(it.before(), it.after())))
                            .orElseGet(() -> edits(arguments));
            case "apply_patch" -> HtmlDiff.of(arguments.at("patch").textOr(""));
            case "write_file" ->
                    earlier.of(call, arguments)
                            .map(it -> HtmlDiff.of(lines(it.before(), it.after())))
                            .orElseGet(() -> diff("", arguments.at("content").textOr("")));
            case "run_command" -> Html.pre("$ " + arguments.at("command").textOr(""));
            case "todo_write" -> plan(arguments.at("todos"));
            default ->
                    arguments.keys().size() <= (subject.isEmpty() ? 0 : 1) && arguments.isObject()
                            ? ""
                            : Html.folded("Arguments", Html.pre(call.arguments()), false);
        };
    }

    private static String edits(JsonValue arguments) {
        StringBuilder out = new StringBuilder();
        if (arguments.has("old_string")) {
            out.append(edit(arguments));
        }
        arguments.at("edits").items().forEach(one -> out.append(edit(one)));
        return out.toString();
    }

    private static String edit(JsonValue one) {
        return diff(one.at("old_string").textOr(""), one.at("new_string").textOr(""));
    }

    /** Without numbers of lines: the call does not say where in the file it is. */
    private static String diff(String before, String after) {
        return HtmlDiff.of(lines(before, after).replaceAll("(?m)^@@ .*\n", ""));
    }

    private static String lines(String before, String after) {
        return UnifiedDiff.between(
                new UnifiedDiff.Side("a", ended(before)),
                new UnifiedDiff.Side("b", ended(after)),
                MOST);
    }

    private static String ended(String text) {
        return text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
    }

    private static String plan(JsonValue todos) {
        StringBuilder out = new StringBuilder("<ul>\n");
        for (JsonValue todo : todos.items()) {
            String sign =
                    switch (todo.at("status").textOr("")) {
                        case "completed" -> "☑ ";
                        case "in_progress" -> "▶ ";
                        default -> "☐ ";
                    };
            out.append("<li>").append(sign).append(Html.text(todo.at("content").textOr("")));
            out.append("</li>\n");
        }
        return out.append("</ul>\n").toString();
    }
}
