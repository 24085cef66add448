package dev.agentloop.cli;

import dev.agentloop.cli.chat.ChatCommand;
import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandRun;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Version;
import dev.agentloop.cli.run.RunCommand;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

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
                        Help.isTask(first)
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

    private static int version(Invocation invocation) throws IOException {
        invocation.streams().print("agent " + Version.text() + "\n");
        return ExitCode.SUCCESS.code();
    }
}
