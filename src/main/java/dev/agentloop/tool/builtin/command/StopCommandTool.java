package dev.agentloop.tool.builtin.command;

import dev.agentloop.message.ToolResult;
import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.ToolSpecs;

/** Ends a background command with everything that it started. */
public final class StopCommandTool implements Tool<StopCommandTool.Args> {
    private final ToolSpec spec = ToolSpecs.load("stop_command", Effect.IDEMPOTENT);
    private final BackgroundCommands commands;
    private final boolean attended;

    /**
     * @param attended whether a person is there; without one there are no background commands
     */
    public StopCommandTool(BackgroundCommands commands, boolean attended) {
        this.commands = commands;
        this.attended = attended;
    }

    /** Which command. */
    public record Args(@Doc("Id that run_command gave, e.g. b1") String id) {}

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
        return args.id();
    }

    @Override
    public boolean isOffered() {
        return attended;
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws ToolException {
        return BackgroundReport.of(
                commands.stop(args.id())
                        .orElseThrow(() -> BackgroundReport.unknown(args.id(), commands)));
    }
}
