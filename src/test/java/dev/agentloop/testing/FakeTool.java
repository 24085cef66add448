package dev.agentloop.testing;

import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.ToolSpec;
import java.io.IOException;
import java.util.List;

/** A tool whose work a test writes; its one parameter is called {@code path}. */
public final class FakeTool implements Tool<FakeTool.Args> {
    private static final String SCHEMA =
            "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}},"
                    + "\"required\":[\"path\"],\"additionalProperties\":false}";

    private final String name;
    private final Effect effect;
    private final Work work;

    /** What the tool is told. */
    public record Args(@Doc("Anything.") String path) {}

    /** What the tool does. */
    public interface Work {
        ToolResult on(String path, ToolContext context) throws IOException, ToolException;
    }

    public FakeTool(String name, Effect effect, Work work) {
        this.name = name;
        this.effect = effect;
        this.work = work;
    }

    @Override
    public ToolSpec spec() {
        return new ToolSpec(name, "A tool of a test.", SCHEMA, effect);
    }

    @Override
    public Class<Args> argumentType() {
        return Args.class;
    }

    @Override
    public ToolResult run(Args arguments, ToolContext context) throws IOException, ToolException {
        context.intent().await(List.of());
        return work.on(arguments.path(), context);
    }

    @Override
    public List<String> paths(Args arguments) {
        return effect == Effect.OPAQUE ? List.of() : List.of(arguments.path());
    }

    @Override
    public String subject(Args arguments) {
        return arguments.path();
    }
}
