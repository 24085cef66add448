package dev.agentloop.tool.builtin.command;

import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Effect;

/**
 * What is done with one background command.
 *
 * @param <A> its arguments
 */
abstract class BackgroundTool<A extends Record & BackgroundTool.OfCommand> extends BuiltInTool<A> {
    final BackgroundCommands commands;

    BackgroundTool(String name, Effect effect, Class<A> argumentType, BackgroundCommands commands) {
        super(name, effect, argumentType);
        this.commands = commands;
    }

    /** Arguments that name a command. */
    interface OfCommand {
        /** Id that run_command gave. */
        String id();
    }

    @Override
    public String subject(A args) {
        return args.id();
    }
}
