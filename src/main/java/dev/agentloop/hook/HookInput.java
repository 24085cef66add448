package dev.agentloop.hook;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a command reads on its standard input: one JSON object, see hook.schema.json. */
final class HookInput {
    private static final String SCHEMA_VERSION = "1.0";

    private HookInput() {}

    static String of(HookEvent event, ShellHook.Place place) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("schema_version", SCHEMA_VERSION);
        all.put("event", event.point().wireName());
        if (!event.point().alias().isEmpty()) {
            all.put("hook_event_name", event.point().alias());
        }
        all.put("session_id", place.sessionId());
        all.put("cwd", place.root().toString());
        all.putAll(facts(event));
        return Json.text(new JsonValue(all)::writeTo);
    }

    private static Map<String, @Nullable Object> facts(HookEvent event) {
        return switch (event) {
            case HookEvent.SessionStarted(String prompt) -> map("prompt", prompt);
            case HookEvent.PromptBuilt(String system) -> map("system_prompt", system);
            case HookEvent.StepBegins(HookEvent.Progress now) -> progress(now);
            case HookEvent.StepEnded(HookEvent.Progress now) -> progress(now);
            case HookEvent.RequestReady(List<Message> messages) -> map("messages", messages.size());
            case HookEvent.Replied replied -> reply(replied);
            case HookEvent.ToolReady(ToolCall call) -> call(call);
            case HookEvent.ToolEnded(ToolCall call, ToolResult result) -> {
                Map<String, @Nullable Object> facts = call(call);
                facts.put("tool_response", result(result));
                yield facts;
            }
            case HookEvent.FileEdited(String id, String path) ->
                    map("tool_use_id", id, "path", path);
            case HookEvent.Compacted(long before, long after) ->
                    map("old_tokens", before, "new_tokens", after);
            case HookEvent.Answered(String answer, int steps) ->
                    map("answer", answer, "steps", steps);
            case HookEvent.Broken(String code, String message) ->
                    map("code", code, "message", message);
            case HookEvent.BudgetLow(var usd, var cap) -> map("usd", usd, "cap_usd", cap);
            case HookEvent.SessionEnded(String reason, String answer, int steps) ->
                    map("stop_reason", reason, "answer", answer, "steps", steps);
        };
    }

    private static Map<String, @Nullable Object> progress(HookEvent.Progress now) {
        return map("steps", now.steps(), "context_tokens", now.contextTokens(), "usd", now.usd());
    }

    private static Map<String, @Nullable Object> reply(HookEvent.Replied replied) {
        Usage usage = replied.usage();
        List<@Nullable Object> tools = new ArrayList<>();
        replied.reply().toolCalls().forEach(call -> tools.add(call.name()));
        return map(
                "step",
                replied.step(),
                "text",
                replied.reply().text(),
                "tools",
                tools,
                "usage",
                map(
                        "input_tokens",
                        usage.input(),
                        "output_tokens",
                        usage.output(),
                        "cache_read_tokens",
                        usage.cacheRead(),
                        "cache_write_tokens",
                        usage.cacheWrite()));
    }

    private static Map<String, @Nullable Object> call(ToolCall call) {
        return map(
                "tool_name",
                call.name(),
                "tool_use_id",
                call.id(),
                "tool_input",
                arguments(call.arguments()));
    }

    private static @Nullable Object arguments(String json) {
        try {
            return Json.parse(json).raw();
        } catch (JsonException e) {
            return json; // was understood all the same
        }
    }

    private static Map<String, @Nullable Object> result(ToolResult result) {
        List<@Nullable Object> changes = new ArrayList<>();
        for (FileChange change : result.changes()) {
            String kind = change.kind().name().toLowerCase(Locale.ROOT);
            changes.add(map("path", change.path(), "kind", kind));
        }
        Map<String, @Nullable Object> all =
                map(
                        "kind",
                        result.kind().name().toLowerCase(Locale.ROOT),
                        "is_error",
                        result.isError(),
                        "text",
                        result.text(),
                        "changes",
                        changes);
        result.exitCode().ifPresent(code -> all.put("exit_code", code));
        return all;
    }

    private static Map<String, @Nullable Object> map(@Nullable Object... pairs) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return map;
    }
}
