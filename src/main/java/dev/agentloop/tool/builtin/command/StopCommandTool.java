package dev.agentloop.tool.builtin.command;

import dev.agentloop.message.ToolResult;
import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;

/** Ends a background command with everything that it started. */
public final class StopCommandTool extends BackgroundTool<StopCommandTool.Args> {
    public StopCommandTool(BackgroundCommands commands) {
        super("stop_command", Effect.IDEMPOTENT, Args.class, commands);
    }

    /** The command that is meant. */
    public record Args(String id) implements OfCommand {}

    @Override
    public ToolResult run(Args args, ToolContext context) throws ToolException {
        return BackgroundReport.of(
                commands.stop(args.id())
                        .orElseThrow(() -> BackgroundReport.unknown(args.id(), commands)),
                context.resultChars());
    }
}
