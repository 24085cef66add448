package dev.agentloop.cli.config;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent memory list|show|forget|confirm}: the notes of earlier runs, for their owner. */
public final class MemoryCommand implements Command {
    private static final String USAGE =
            "write agent memory list, agent memory show, agent memory forget ID or agent memory"
                    + " confirm ID.";

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "memory",
                        "List the notes that runs have kept, show their files, remove one, or believe"
                                + " one of an untrusted workspace: list | show | forget ID |"
                                + " confirm ID.");
        RunOption.addTo(
                spec, List.of(RunOption.CONFIG, RunOption.CWD, RunOption.AGENT, RunOption.TRUST));
        spec.addOption(Specs.flag("list: one JSON object.", "--json"));
        spec.addPositional(Specs.words("list|show|forget|confirm ID", "What to do."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        return act(arguments, invocation, Specs.has(arguments, "--json"));
    }

    private static int act(ParseResult arguments, Invocation invocation, boolean json)
            throws UsageException, IOException {
        List<String> words = Specs.positional(arguments);
        String action = words.isEmpty() ? "" : words.getFirst();
        boolean named = action.equals("forget") || action.equals("confirm");
        boolean known = named || action.equals("list") || action.equals("show");
        if (!known || words.size() != (named ? 2 : 1)) {
            throw new UsageException(USAGE);
        }
        if (!action.equals("list")) {
            Specs.refuse(arguments, "--json", "memory " + action);
        }
        new MemoryNotes(arguments, invocation).act(action, named ? words.get(1) : "", json);
        return ExitCode.SUCCESS.code();
    }
}
