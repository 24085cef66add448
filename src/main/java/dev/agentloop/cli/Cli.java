package dev.agentloop.cli;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandRun;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Version;
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
                case "", "-h", "--help" -> Help.general(invocation, words.length == 0);
                case "-V", "--version" -> version(invocation);
                case "help" -> Help.of(words, invocation);
                default -> Help.unknown(words, invocation);
            };
        } catch (Exception e) {
            return CommandRun.failed(e, invocation);
        }
    }

    private static int version(Invocation invocation) throws IOException {
        invocation.streams().print("agent " + Version.text() + "\n");
        return ExitCode.SUCCESS.code();
    }
}
