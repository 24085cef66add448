package dev.agentloop.cli;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandRun;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent completion bash|zsh|fish}: a script for the shell to source. */
final class CompletionCommand implements Command {
    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command("completion", "Print a completion script: bash | zsh | fish.");
        spec.addPositional(Specs.words("bash|zsh|fish", "For which shell."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> words = Specs.positional(arguments);
        String shell = words.size() == 1 ? words.getFirst() : "";
        String script =
                switch (shell) {
                    case "bash", "zsh" -> AutoComplete.bash("agent", whole());
                    case "fish" -> fish();
                    default ->
                            throw new UsageException("write agent completion bash, zsh or fish.");
                };
        invocation.streams().print(script);
        return ExitCode.SUCCESS.code();
    }

    /** All commands below one root, as picocli wants them. */
    static CommandLine whole() {
        CommandLine root = CommandRun.parser(CommandSpec.create().name("agent"));
        Commands.visible()
                .forEach((name, maker) ->
                        root.addSubcommand(name, CommandRun.parser(maker.get().spec())));
        return root;
    }

    private static String fish() {
        StringBuilder script = new StringBuilder("complete -c agent -f\n");
        Commands.visible()
                .forEach((name, maker) -> {
                    CommandSpec spec = maker.get().spec();
                    line(script, "__fish_use_subcommand", "-a " + name, text(spec));
                    String seen = "__fish_seen_subcommand_from " + name;
                    for (OptionSpec option : spec.options()) {
                        line(script, seen, names(option), option.description()[0]);
                    }
                });
        return script.toString();
    }

    private static void line(StringBuilder script, String when, String what, String help) {
        script.append("complete -c agent -n '").append(when).append("' ").append(what);
        script.append(" -d '").append(help.replace("'", "\\'")).append("'\n");
    }

    private static String names(OptionSpec option) {
        String names =
                Arrays.stream(option.names())
                        .map(name ->
                                name.startsWith("--")
                                        ? "-l " + name.substring(2)
                                        : "-s " + name.substring(1))
                        .collect(Collectors.joining(" "));
        return option.arity().max() > 0 ? names + " -r" : names;
    }

    private static String text(CommandSpec spec) {
        String[] description = spec.usageMessage().description();
        return description.length == 0 ? "" : description[0];
    }
}
