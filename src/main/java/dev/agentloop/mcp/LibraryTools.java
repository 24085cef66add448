package dev.agentloop.mcp;

import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.CleanText;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a server has besides tools, resources and prompts, offered to the model as tools. */
final class LibraryTools {
    private static final String NOTHING = "{\"type\":\"object\",\"properties\":{}}";
    private static final String URI =
            """
            {"type":"object","properties":{"uri":{"type":"string",
            "description":"As list_resources shows it"}},"required":["uri"]}\
            """;
    private static final String PROMPT =
            """
            {"type":"object","properties":{"name":{"type":"string",
            "description":"As list_prompts shows it"},"arguments":{"type":"object",
            "description":"Texts by the names of the prompt's arguments",
            "additionalProperties":{"type":"string"}}},"required":["name"]}\
            """;

    private final McpServer server;
    private final String name;
    private final List<Tool<?>> tools = new ArrayList<>();

    /**
     * @param name of the server, for the model
     */
    LibraryTools(McpServer server, String name) {
        this.server = server;
        this.name = name;
    }

    /** Those that the server can answer. */
    List<Tool<?>> of(McpSession session) {
        if (session.offers("resources")) {
            add(
                    "list_resources",
                    "Lists the resources of the MCP server ",
                    NOTHING,
                    this::resources);
            add("read_resource", "Reads a resource of the MCP server ", URI, this::read);
        }
        if (session.offers("prompts")) {
            add("list_prompts", "Lists the prompts of the MCP server ", NOTHING, this::prompts);
            add("get_prompt", "Gets a prompt of the MCP server ", PROMPT, this::prompt);
        }
        return tools;
    }

    private void add(String tool, String description, String schema, McpTool.Work work) {
        String full = ToolNaming.prefix(name) + tool;
        tools.add(
                new McpTool(
                        new ToolSpec(full, description + name + ".", schema, Effect.OPAQUE), work));
    }

    private ToolResult resources(JsonValue arguments, ToolContext context) {
        return server.answered(
                context,
                () -> {
                    StringBuilder text = new StringBuilder();
                    for (JsonValue resource : server.list("resources/list", "resources", context)) {
                        line(text, resource, "uri");
                    }
                    for (JsonValue template : templates(context)) {
                        line(text, template, "uriTemplate");
                    }
                    return ToolResult.ok(text.isEmpty() ? "No resources." : text.toString());
                });
    }

    /** Many servers have none, and do not know the question either. */
    private List<JsonValue> templates(ToolContext context) {
        try {
            return server.list("resources/templates/list", "resourceTemplates", context);
        } catch (McpException e) {
            return List.of();
        }
    }

    private ToolResult read(JsonValue arguments, ToolContext context) {
        Map<String, Object> params = Map.of("uri", arguments.at("uri").text());
        return server.answered(
                context,
                () ->
                        ContentText.ofResource(
                                server.ask("resources/read", params, context),
                                server.seesImages()));
    }

    private ToolResult prompts(JsonValue arguments, ToolContext context) {
        return server.answered(
                context,
                () -> {
                    StringBuilder text = new StringBuilder();
                    for (JsonValue prompt : server.list("prompts/list", "prompts", context)) {
                        line(text, prompt, "name");
                        for (JsonValue argument : prompt.at("arguments").items()) {
                            text.append("  ");
                            text.append(argument.at("required").isTrue() ? "" : "optional ");
                            line(text, argument, "name");
                        }
                    }
                    return ToolResult.ok(text.isEmpty() ? "No prompts." : text.toString());
                });
    }

    private ToolResult prompt(JsonValue arguments, ToolContext context) {
        Map<String, @Nullable Object> params =
                McpSession.named(arguments.at("name").text(), arguments.at("arguments").raw());
        return server.answered(
                context,
                () ->
                        ContentText.ofPrompt(
                                server.ask("prompts/get", params, context), server.seesImages()));
    }

    private static void line(StringBuilder text, JsonValue item, String key) {
        text.append(CleanText.oneLine(item.at(key).text()));
        for (String other : List.of("name", "description")) {
            String words = CleanText.oneLine(item.at(other).text()).strip();
            if (!other.equals(key) && !words.isEmpty()) {
                text.append(other.equals("name") ? "  " : ": ").append(words);
            }
        }
        text.append('\n');
    }
}
