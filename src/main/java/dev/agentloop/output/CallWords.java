package dev.agentloop.output;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolCall;
import java.util.ArrayList;
import java.util.List;

/** What a tool call does, in the words of a person: {@code Read src/cart.py}. */
public final class CallWords {
    private static final int LONGEST = 160; // characters

    private CallWords() {}

    /** Whether somebody who watches wants to know that it has begun, because it may take long. */
    static boolean mayTakeLong(ToolCall call) {
        return switch (call.name()) {
            case "run_command", "dispatch_subagent", "web_fetch", "ask_user", "wait" -> true;
            default -> call.name().startsWith("mcp__");
        };
    }

    /** One line of at most 160 characters. */
    public static String of(ToolCall call) {
        String what = ToolSummary.of(call);
        String server = ToolSummary.mcpServer(call.name());
        String verb =
                switch (call.name()) {
                    case "read_file" -> "Read";
                    case "view_image" -> "Look at";
                    case "list_files" -> "List";
                    case "find_files" -> "Find";
                    case "grep" -> "Search";
                    case "search_code" -> "Search the code for";
                    case "write_file" -> "Write";
                    case "edit_file", "apply_patch" -> "Edit";
                    case "delete_file" -> "Delete";
                    case "move_file" -> "Move";
                    case "run_command" -> "Run";
                    case "command_output" -> "Look at the output of";
                    case "command_input" -> "Type into";
                    case "stop_command" -> "Stop";
                    case "web_fetch" -> "Fetch";
                    case "todo_write" -> "Plan";
                    case "ask_user" -> "Ask";
                    case "dispatch_subagent" -> "Give a task to";
                    case "switch_agent" -> "Hand over to";
                    case "skill" -> "Use the skill";
                    case "remember" -> "Remember";
                    case "wait" -> "Wait for";
                    default ->
                            server.isEmpty()
                                    ? SafeText.line(call.name(), 64)
                                    : SafeText.line(call.name().substring(server.length() + 7), 64)
                                            + " of "
                                            + SafeText.line(server, 64);
                };
        return SafeText.line(what.isEmpty() ? verb : verb + " " + what, LONGEST);
    }

    /** A changed file with its lines: {@code Edited src/cart.py (+1 -1)}. */
    public static String of(FileChange change) {
        String verb =
                switch (change.kind()) {
                    case ADDED -> "Created ";
                    case MODIFIED -> "Edited ";
                    case DELETED -> "Deleted ";
                    case MOVED -> "Moved to ";
                };
        String lines =
                change.added() + change.removed() == 0
                        ? ""
                        : " (+" + change.added() + " -" + change.removed() + ")";
        return verb + SafeText.line(change.path(), LONGEST) + lines;
    }

    /** The name of the tool by which a model writes its plan. */
    public static final String PLAN = "todo_write";

    /** Before a step of a plan that is done. */
    public static String done(Style style) {
        return style.sign("☑ ", "[x] ");
    }

    /** The steps of a plan; none if the arguments are broken. */
    public static List<String> plan(ToolCall call, Style style) {
        List<String> steps = new ArrayList<>();
        try {
            for (JsonValue todo : Json.parse(call.arguments()).at("todos").items()) {
                String text = SafeText.line(todo.at("content").text(), LONGEST);
                steps.add(
                        switch (todo.at("status").text()) {
                            case "completed" -> style.dim(done(style) + text);
                            case "in_progress" -> style.sign("▸ ", "[>] ") + text;
                            default -> style.sign("☐ ", "[ ] ") + text;
                        });
            }
        } catch (JsonException e) {
            return List.of();
        }
        return steps;
    }
}
