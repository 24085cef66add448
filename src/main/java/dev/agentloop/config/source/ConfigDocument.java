package dev.agentloop.config.source;

import dev.agentloop.config.key.Key;
import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.key.Keys;
import dev.agentloop.config.key.Values;
import dev.agentloop.config.source.Settings.Setting;
import dev.agentloop.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What all layers came to, as one file would say it. What says nothing about how a run goes is left
 * out: MCP servers, which may hold what is nobody else's business, and logging.
 */
public final class ConfigDocument {
    private static final Set<String> LEFT_OUT = Set.of("mcp_servers", "logging");

    /** Keys of agents and the general ones that go before them when an invocation says those. */
    private static final Map<String, String> GENERAL =
            Map.of(
                    "model", "llm.model",
                    "effort", "llm.effort",
                    "confirm", "permissions.confirm",
                    "max_steps", "limits.max_steps");

    private ConfigDocument() {}

    public static String of(Settings settings) {
        Map<String, Object> root = new LinkedHashMap<>();
        all(settings)
                .forEach((path, setting) -> {
                    Object value = setting.value();
                    if (value != null && isSaid(path, setting, settings)) {
                        put(root, path.parts(), value);
                    }
                });
        return shown(root);
    }

    private static Map<KeyPath, Setting> all(Settings settings) {
        Map<KeyPath, Setting> all = new TreeMap<>();
        for (Key key : Keys.ALL) {
            all.putAll(settings.section(key.path().part(0)));
        }
        return all;
    }

    private static boolean isSaid(KeyPath path, Setting setting, Settings settings) {
        List<String> parts = path.parts();
        String general = parts.size() == 3 ? GENERAL.getOrDefault(parts.get(2), "") : "";
        boolean overruled =
                parts.getFirst().equals("agents")
                        && !general.isEmpty()
                        && settings.origin(KeyPath.of(general)).kind().isInvocation();
        return setting.key().inFiles() && !overruled && !LEFT_OUT.contains(parts.getFirst());
    }

    @SuppressWarnings("unchecked") // what is not the last part leads to maps of ours
    private static void put(Map<String, Object> root, List<String> parts, Object value) {
        Map<String, Object> at = root;
        for (String part : parts.subList(0, parts.size() - 1)) {
            at = (Map<String, Object>) at.computeIfAbsent(part, _ -> new LinkedHashMap<>());
        }
        at.put(parts.getLast(), value);
    }

    /** Like JSON, which YAML reads, but with spans of time and the like as our files write them. */
    private static String shown(Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                List<String> members = new ArrayList<>();
                map.forEach((key, member) ->
                        members.add(Json.quote(String.valueOf(key)) + ": " + shown(member)));
                yield "{" + String.join(", ", members) + "}";
            }
            case List<?> list ->
                    "["
                            + String.join(", ", list.stream().map(ConfigDocument::shown).toList())
                            + "]";
            case String text -> Json.quote(text);
            default -> Values.show(value);
        };
    }
}
