package dev.agentloop.output;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.ToolCall;

/** A tool call in one line, e.g. {@code src/main.py (3→5 lines)}. */
public final class ToolSummary {
    private static final int MAX_MCP = 60; // characters of a foreign tool's first argument
    private static final int MAX_LINE = 200;

    private ToolSummary() {}

    /** The summary; broken arguments are shown as the model wrote them, cut. */
    public static String of(ToolCall call) {
        try {
            return SafeText.line(describe(call.name(), Json.parse(call.arguments())), MAX_LINE);
        } catch (JsonException e) {
            return SafeText.line(call.arguments(), MAX_MCP);
        }
    }

    /** Server of an MCP tool's name {@code mcp__SERVER__TOOL}; empty for our own tools. */
    public static String mcpServer(String toolName) {
        if (!toolName.startsWith("mcp__")) {
            return "";
        }
        int end = toolName.indexOf("__", 5);
        return end < 0 ? "" : toolName.substring(5, end);
    }

    private static String describe(String tool, JsonValue args) {
        return switch (tool) {
            case "write_file" ->
                    path(args) + " (" + Plural.of(lines(args.at("content").text()), "line") + ")";
            case "edit_file" -> edit(args);
            case "apply_patch" -> patch(args.at("patch").text());
            case "move_file" ->
                    args.at("source_path").text() + " → " + args.at("destination_path").text();
            case "grep", "search_code" -> search(args);
            case "run_command" -> command(args);
            case "find_files" -> args.at("pattern").text() + in(args);
            case "todo_write" -> todos(args);
            case "list_files" -> args.at("path").textOr(".");
            default -> args.has("file_path") ? path(args) : first(args);
        };
    }

    private static String command(JsonValue args) {
        boolean background = args.at("background").isTrue();
        return args.at("command").text() + (background ? " (in the background)" : "");
    }

    private static String path(JsonValue args) {
        return args.at("file_path").text();
    }

    private static String edit(JsonValue args) {
        boolean several = !args.at("edits").items().isEmpty(); // then the pair only repeats one
        int old = several ? 0 : lines(args.at("old_string").text());
        int now = several ? 0 : lines(args.at("new_string").text());
        for (JsonValue edit : args.at("edits").items()) {
            old += lines(edit.at("old_string").text());
            now += lines(edit.at("new_string").text());
        }
        return path(args) + " (" + old + "→" + now + " lines)";
    }

    private static String patch(String patch) {
        int added = 0;
        int removed = 0;
        String file = "";
        for (String line : patch.split("\n", -1)) {
            if (line.startsWith("+++ ")) {
                file = line.substring(4);
            } else if (line.startsWith("*** Update File: ")) {
                file = line.substring(17);
            } else if (line.startsWith("+")) {
                added++;
            } else if (line.startsWith("-") && !line.startsWith("---")) {
                removed++;
            }
        }
        return file.strip() + " (+" + added + " -" + removed + ")";
    }

    private static String search(JsonValue args) {
        String what = args.has("pattern") ? args.at("pattern").text() : args.at("query").text();
        return "\"" + what + "\"" + in(args);
    }

    private static String todos(JsonValue args) {
        int done = 0;
        String now = "";
        for (JsonValue todo : args.at("todos").items()) {
            String status = todo.at("status").text();
            done += status.equals("completed") ? 1 : 0;
            now = status.equals("in_progress") ? ": " + todo.at("content").text() : now;
        }
        return done + "/" + args.at("todos").items().size() + now;
    }

    private static String in(JsonValue args) {
        String path = args.at("path").textOr(".");
        return " in " + (path.endsWith("/") ? path : path + "/");
    }

    private static String first(JsonValue args) {
        for (String key : args.keys()) {
            JsonValue value = args.at(key);
            return SafeText.line(
                    value.isText() ? value.text() : String.valueOf(value.raw()), MAX_MCP);
        }
        return "";
    }

    /** Lines as a person counts them: a last line feed ends a line, it does not begin one. */
    static int lines(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        int feeds = (int) text.chars().filter(c -> c == '\n').count();
        return text.endsWith("\n") ? feeds : feeds + 1;
    }
}
