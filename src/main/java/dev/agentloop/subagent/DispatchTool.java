package dev.agentloop.subagent;

import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.ToolSpecs;
import java.util.Map;
import java.util.TreeMap;

/**
 * Gives a part of the task to another agent. The call itself changes nothing, and may run beside
 * others: what the other agent wants to do is judged, and put on record, call by call.
 */
public final class DispatchTool implements Tool<DispatchTool.Args> {
    /** Name of the tool. */
    public static final String NAME = "dispatch_subagent";

    /** How deep agents may give on what they were given. */
    public static final int MOST_DEPTH = 3;

    private final ToolSpec spec;
    private final Map<String, String> agents;
    private final int depth;
    private final Delegate delegate;

    /**
     * @param agents names of those that can be asked, with one line about each
     * @param depth of the agent that has the tool: 0 for that of the run
     */
    public DispatchTool(Map<String, String> agents, int depth, Delegate delegate) {
        this.spec = spec(agents);
        this.agents = Map.copyOf(agents);
        this.depth = depth;
        this.delegate = delegate;
    }

    /** To whom, and what for. */
    public record Args(String agent, @Doc("All it must know") String task) {
        public Args {
            if (task.isBlank()) {
                throw new IllegalArgumentException("task is empty");
            }
        }
    }

    private static ToolSpec spec(Map<String, String> agents) {
        ToolSpec plain = ToolSpecs.load(NAME, Effect.PURE);
        StringBuilder all = new StringBuilder(plain.description());
        for (Map.Entry<String, String> agent : new TreeMap<>(agents).entrySet()) {
            all.append("\n- ").append(agent.getKey()).append(": ").append(agent.getValue());
        }
        return new ToolSpec(plain.name(), all.toString(), plain.parameters(), plain.effect());
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public Class<Args> argumentType() {
        return Args.class;
    }

    @Override
    public String subject(Args args) {
        return args.agent();
    }

    @Override
    public boolean isOffered() {
        return depth < MOST_DEPTH;
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws ToolException {
        if (depth >= MOST_DEPTH) {
            throw ToolException.error(
                    "Not started: agents give on what they were given at most "
                            + MOST_DEPTH
                            + " times, and you are the last. Do it yourself.");
        }
        if (!agents.containsKey(args.agent())) {
            throw ToolException.error(
                    "There is no agent \"%s\" to ask. Agents: %s."
                            .formatted(
                                    args.agent(),
                                    String.join(", ", new TreeMap<>(agents).keySet())));
        }
        return delegate.dispatch(args.agent(), args.task(), context);
    }
}
