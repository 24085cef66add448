package dev.agentloop.cli.config;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.NewFile;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.BuiltInAgents;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent agents list|show|new}: the agents that can be chosen, and a file for another. */
public final class AgentsCommand implements Command {
    private static final String USAGE =
            "write agent agents list, agent agents show NAME or agent agents new NAME.";

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "agents",
                        "List the agents of --agent, show one, or begin a file for another:"
                                + " list | show NAME | new NAME.");
        RunOption.addTo(spec, List.of(RunOption.CONFIG, RunOption.CWD, RunOption.TRUST));
        NewFile.addOptionTo(spec);
        spec.addOption(Specs.flag("list, show: one JSON object.", "--json"));
        spec.addPositional(Specs.words("list|show|new NAME", "What to do."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        return act(arguments, invocation, Specs.has(arguments, "--json"));
    }

    private static int act(ParseResult arguments, Invocation invocation, boolean json)
            throws UsageException, IOException {
        List<String> words = Specs.positional(arguments);
        if (words.equals(List.of("list"))) {
            invocation.streams().print(AgentList.of(arguments, invocation).all(json));
            return ExitCode.SUCCESS.code();
        }
        if (words.size() != 2) {
            throw new UsageException(USAGE);
        }
        String name = words.get(1);
        return switch (words.getFirst()) {
            case "show" -> {
                invocation.streams().print(AgentList.of(arguments, invocation).one(name, json));
                yield ExitCode.SUCCESS.code();
            }
            case "new" -> make(arguments, invocation, name);
            default -> throw new UsageException(USAGE);
        };
    }

    private static int make(ParseResult arguments, Invocation invocation, String name)
            throws UsageException, IOException {
        Specs.refuse(arguments, "--json", "agents new");
        String path = "agents/" + name + ".md";
        int code = NewFile.write(arguments, invocation, name, path, AgentList.template(name));
        if (BuiltInAgents.NAMES.contains(name)) {
            invocation
                    .streams()
                    .printError(
                            "note: "
                                    + name
                                    + " is a built-in agent; from now on this file's prompt stands"
                                    + " in place of its own.\n");
        }
        return code;
    }
}
