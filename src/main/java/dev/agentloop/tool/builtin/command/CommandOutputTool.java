package dev.agentloop.tool.builtin.command;

import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.tool.Effect;
import java.util.Optional;

/** Tells what a background command has printed since the last time, and whether it runs. */
public final class CommandOutputTool extends BackgroundTool {
    /**
     * @param attended whether a person is there; without one there are no background commands
     */
    public CommandOutputTool(BackgroundCommands commands, boolean attended) {
        super("command_output", Effect.PURE, commands, attended);
    }

    @Override
    Optional<BackgroundCommands.Report> act(BackgroundCommands all, String id) {
        return all.look(id);
    }
}
