package dev.agentloop.mcp;

import dev.agentloop.json.Json;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.GivenArguments;
import dev.agentloop.tool.SubjectKind;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolSpec;

/** A tool of a server. What it does nobody here knows, so it is never repeated by itself. */
final class McpTool implements Tool<GivenArguments> {
    private final McpServer server;
    private final ToolDeclaration declaration;
    private final ToolSpec spec;

    McpTool(McpServer server, ToolDeclaration declaration, String name) {
        this.server = server;
        this.declaration = declaration;
        this.spec =
                new ToolSpec(name, declaration.description(), declaration.schema(), Effect.OPAQUE);
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public Class<GivenArguments> argumentType() {
        return GivenArguments.class;
    }

    @Override
    public String subject(GivenArguments arguments) {
        return Json.text(arguments.object()::writeTo);
    }

    @Override
    public SubjectKind subjectKind() {
        return SubjectKind.CALL;
    }

    @Override
    public ToolResult run(GivenArguments arguments, ToolContext context) {
        return server.call(declaration, arguments.object(), context);
    }
}
