package dev.agentloop.tool.builtin.command;

import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.tool.Effect;
import java.util.Optional;

/** Ends a background command with everything that it started. */
public final class StopCommandTool extends BackgroundTool {
    /**
     * @param attended whether a person is there; without one there are no background commands
     */
    public StopCommandTool(BackgroundCommands commands, boolean attended) {
        super("stop_command", Effect.IDEMPOTENT, commands, attended);
    }

    @Override
    Optional<BackgroundCommands.Report> act(BackgroundCommands all, String id) {
        return all.stop(id);
    }
}
