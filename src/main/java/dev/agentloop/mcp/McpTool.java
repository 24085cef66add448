package dev.agentloop.mcp;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.SubjectKind;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.call.GivenArguments;

/**
 * A tool of a server.
 *
 * @param spec what it does nobody here knows, so it is never repeated by itself
 */
record McpTool(ToolSpec spec, Work work) implements Tool<GivenArguments> {
    /** Sends a call to its server and waits for the result. */
    interface Work {
        ToolResult run(JsonValue arguments, ToolContext context);
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
        return work.run(arguments.object(), context);
    }
}
