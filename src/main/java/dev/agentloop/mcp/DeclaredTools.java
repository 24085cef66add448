package dev.agentloop.mcp;

import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.CleanText;
import dev.agentloop.mcp.channel.McpException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tools that a server declares, as far as a model can be told of them, and why the others are
 * left out.
 *
 * @param tools by the server's name, in its order
 * @param leftOut one reason for each tool that is missing
 */
record DeclaredTools(Map<String, ToolDeclaration> tools, List<String> leftOut) {
    private static final int MAX_BYTES = 200_000; // of all tools: ≈ 50k tokens, in every request
    private static final int SHOWN_NAME = 64; // characters

    /** All that make sense; {@code globs} are the user's. */
    static DeclaredTools of(List<JsonValue> items, List<String> globs) {
        Map<String, ToolDeclaration> tools = new LinkedHashMap<>();
        List<String> leftOut = new ArrayList<>();
        for (JsonValue item : items) {
            String name = item.at("name").text();
            if (!ToolNaming.isWanted(globs, name)) {
                continue;
            }
            try {
                tools.putIfAbsent(name, ToolDeclaration.of(item));
            } catch (McpException e) {
                leftOut.add(shown(name) + " (" + e.problem() + ")");
            }
        }
        return new DeclaredTools(tools, leftOut);
    }

    /** The first ones of it that a request has room for, each with a name of its own. */
    DeclaredTools within(String server) {
        Map<String, ToolDeclaration> kept = new LinkedHashMap<>(tools);
        List<String> without = new ArrayList<>(leftOut);
        int bytes = 0;
        for (ToolDeclaration tool : tools.values()) {
            bytes += bytes(tool); // one that is left out counts: none that follows is smuggled in
            if (bytes > MAX_BYTES) {
                kept.remove(tool.name());
            }
        }
        if (kept.size() < tools.size()) {
            without.add(
                    "%d of its tools (all together are declared in more than 200 KB; name those that you need as its tools)"
                            .formatted(tools.size() - kept.size()));
        }
        Map<String, String> named = ToolNaming.of(server, List.copyOf(kept.keySet()));
        for (String name : List.copyOf(kept.keySet())) {
            if (!named.containsKey(name)) {
                kept.remove(name);
                without.add(shown(name) + " (too many tools have similar names)");
            }
        }
        return new DeclaredTools(kept, without);
    }

    private static int bytes(ToolDeclaration tool) {
        String text = tool.name() + tool.description() + tool.schema();
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String shown(String name) {
        String clean = CleanText.oneLine(name);
        return clean.length() <= SHOWN_NAME ? clean : clean.substring(0, SHOWN_NAME - 1) + "…";
    }
}
