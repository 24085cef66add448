package dev.agentloop.cli;

import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The overview of commands, and the help of one. */
final class Help {
    private Help() {}

    static int general(Invocation invocation, boolean asError) throws IOException {
        if (asError) {
            invocation.streams().printError(overview());
            return ExitCode.CONFIG_ERROR.code();
        }
        invocation.streams().print(overview());
        return ExitCode.SUCCESS.code();
    }

    static int of(String[] words, Invocation invocation) throws IOException {
        if (words.length < 2) {
            return general(invocation, false);
        }
        var command = Commands.find(words[1]);
        if (command.isEmpty()) {
            return unknown(words[1], invocation);
        }
        CommandLine parser = Cli.parser(command.get().spec());
        invocation.streams().print(parser.getUsageMessage(CommandLine.Help.Ansi.OFF));
        return ExitCode.SUCCESS.code();
    }

    static int unknown(String word, Invocation invocation) {
        String meant =
                word.startsWith("-")
                        ? "options follow the command, e.g. agent run " + word
                        : "to give a task, write agent run \"" + word + " …\"";
        invocation
                .streams()
                .printError(
                        "agent: there is no command \""
                                + dev.agentloop.output.SafeText.line(word, 80)
                                + "\"; "
                                + dev.agentloop.output.SafeText.line(meant, 200)
                                + ".\n  See: agent --help\n");
        return ExitCode.CONFIG_ERROR.code();
    }

    private static String overview() {
        StringBuilder text = new StringBuilder();
        text.append("agent: a coding agent for the terminal, CI jobs and scripts\n\n");
        text.append("Usage: agent COMMAND [OPTIONS] [WORDS...]\n\nCommands:\n");
        for (Map.Entry<String, Supplier<Command>> command : Commands.visible().entrySet()) {
            String[] description = command.getValue().get().spec().usageMessage().description();
            text.append("  ").append(command.getKey());
            text.append(" ".repeat(12 - command.getKey().length()));
            text.append(description.length == 0 ? "" : description[0]).append('\n');
        }
        text.append("  help        Show the help of a command.\n\n");
        text.append("Options: -h, --help; -V, --version\n\n");
        text.append("Try it without a key: agent run --model demo/scripted \"fix the bug\"\n");
        return text.toString();
    }
}
