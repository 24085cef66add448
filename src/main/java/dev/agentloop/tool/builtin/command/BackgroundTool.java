package dev.agentloop.tool.builtin.command;

import dev.agentloop.message.ToolResult;
import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.util.Optional;

/** What is done with one background command; without a person there are none. */
abstract class BackgroundTool extends BuiltInTool<BackgroundTool.Args> {
    private final BackgroundCommands commands;
    private final boolean attended;

    BackgroundTool(String name, Effect effect, BackgroundCommands commands, boolean attended) {
        super(name, effect, Args.class);
        this.commands = commands;
        this.attended = attended;
    }

    /** The command that is meant. */
    public record Args(@Doc("Id that run_command gave, e.g. b1") String id) {}

    /** What the command printed, after what is done with it; empty if it is not known. */
    abstract Optional<BackgroundCommands.Report> act(BackgroundCommands all, String id);

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
                act(commands, args.id())
                        .orElseThrow(() -> BackgroundReport.unknown(args.id(), commands)),
                context.resultChars());
    }
}
