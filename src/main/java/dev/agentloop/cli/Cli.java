package dev.agentloop.cli;

import dev.agentloop.cli.chat.ChatCommand;
import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandRun;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.Version;
import dev.agentloop.cli.run.RunCommand;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** The whole program as a function from words and streams to an exit code. */
public final class Cli {
    private Cli() {}

    /** Runs one invocation; never throws, never ends the process. */
    public static int run(String[] words, Invocation invocation) {
        String first = words.length == 0 ? "" : words[0];
        Optional<Command> command = Commands.find(first);
        if (command.isPresent()) {
            String[] its = Arrays.copyOfRange(words, 1, words.length);
            return CommandRun.run(command.get(), its, invocation);
        }
        try {
            return switch (first) {
                case "" -> withoutWords(words, invocation);
                case "-h", "--help" -> Help.general(invocation, false);
                case "-V", "--version" -> version(invocation);
                case "help" -> Help.of(words, invocation);
                default ->
                        first.startsWith("-")
                                ? optionsFirst(words, invocation)
                                : Help.isTask(first)
                                        ? CommandRun.run(new RunCommand(), words, invocation)
                                        : Help.unknown(words, invocation);
            };
        } catch (Exception e) {
            return CommandRun.failed(e, invocation);
        }
    }

    /** A person at a terminal wants to talk; a script has forgotten what it wants. */
    private static int withoutWords(String[] words, Invocation invocation) throws IOException {
        return words.length > 0 || invocation.isHeadless()
                ? Help.general(invocation, true)
                : CommandRun.run(new ChatCommand(), words, invocation);
    }

    /** Options of a run, with its task behind them; without one a person wants to talk. */
    private static int optionsFirst(String[] words, Invocation invocation) throws IOException {
        Optional<ParseResult> parsed = CommandRun.parsed(new RunCommand(), words);
        List<String> texts = parsed.map(Specs::positional).orElse(List.of());
        String first = texts.isEmpty() ? "" : texts.getFirst();
        if (Commands.find(first).isPresent()) {
            return Help.optionsBehind(first, words, invocation);
        }
        if (texts.size() == 1 && !Help.isTask(first)) {
            return Help.unknown(new String[] {first}, invocation);
        }
        boolean talks =
                parsed.isPresent()
                        && texts.isEmpty()
                        && !RunOption.PROMPT.isGiven(parsed.get())
                        && !RunOption.PROMPT_FILE.isGiven(parsed.get())
                        && !invocation.isHeadless();
        return CommandRun.run(talks ? new ChatCommand() : new RunCommand(), words, invocation);
    }

    private static int version(Invocation invocation) throws IOException {
        invocation.streams().print("agent " + Version.text() + "\n");
        return ExitCode.SUCCESS.code();
    }
}
