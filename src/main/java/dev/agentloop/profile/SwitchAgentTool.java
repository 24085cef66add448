package dev.agentloop.profile;

import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.ToolSpec;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Hands the work over to another agent, which takes over when the step ends. */
public final class SwitchAgentTool extends BuiltInTool<SwitchAgentTool.Args> {
    private final Roster roster;

    /**
     * @param roster hears of the wish
     */
    public SwitchAgentTool(Roster roster) {
        super("switch_agent", Effect.PURE, Args.class);
        this.roster = roster;
    }

    /** To whom, and what for. */
    public record Args(
            @Doc("Name of the agent") String agent,
            @Doc("What it is to do, one or two sentences") String task,
            @Doc(value = "It starts from the task alone, without what was said", optional = true)
                    @Nullable Boolean fresh) {
        public Args {
            if (task.isBlank()) {
                throw new IllegalArgumentException("task is empty");
            }
        }
    }

    /** Names those that the agent at work may hand over to. */
    @Override
    public ToolSpec spec() {
        StringBuilder agents = new StringBuilder();
        new TreeMap<>(roster.next())
                .forEach((name, description) ->
                        agents.append("\n- ").append(name).append(": ").append(description));
        ToolSpec plain = super.spec();
        return new ToolSpec(
                plain.name(), plain.description() + agents, plain.parameters(), plain.effect());
    }

    @Override
    public String subject(Args args) {
        return args.agent();
    }

    @Override
    public boolean isOffered() {
        return !roster.next().isEmpty();
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws ToolException {
        if (!roster.next().containsKey(args.agent())) {
            throw ToolException.error(
                    "You cannot hand over to \"%s\". Agents: %s."
                            .formatted(
                                    args.agent(),
                                    String.join(", ", new TreeMap<>(roster.next()).keySet())));
        }
        roster.want(new Roster.Wish(args.agent(), Boolean.TRUE.equals(args.fresh())));
        return ToolResult.ok("You are the agent " + args.agent() + " now. Do: " + args.task());
    }
}
