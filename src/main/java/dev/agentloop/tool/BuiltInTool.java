package dev.agentloop.tool;

/**
 * A tool of the program: what the model is told of it is in the resources, by its name.
 *
 * @param <A> its arguments
 */
public abstract class BuiltInTool<A extends Record> implements Tool<A> {
    private final ToolSpec spec;
    private final Class<A> argumentType;

    protected BuiltInTool(String name, Effect effect, Class<A> argumentType) {
        this(ToolSpecs.load(name, effect), argumentType);
    }

    protected BuiltInTool(ToolSpec spec, Class<A> argumentType) {
        this.spec = spec;
        this.argumentType = argumentType;
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public final Class<A> argumentType() {
        return argumentType;
    }
}
