package dev.agentloop.cli.command;

import dev.agentloop.config.source.ConfigException;
import dev.agentloop.tool.Similar;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** One command from its words to its exit code. */
public final class CommandRun {
    private CommandRun() {}

    /** Runs something; what it throws becomes a line for the user and an exit code. */
    public static int guarded(Callable<Integer> command, Invocation invocation) {
        try {
            return command.call();
        } catch (IOException e) {
            return lost(invocation, e);
        } catch (Exception e) {
            invocation.streams().printError("agent: internal error: " + e + "\n");
            return ExitCode.FAILED.code();
        }
    }

    /**
     * Reads the words behind the command's name and runs it.
     *
     * @throws Exception what the command itself cannot answer for
     */
    public static int of(Command command, String[] words, Invocation invocation) throws Exception {
        CommandSpec spec = command.spec();
        CommandLine parser = parser(spec);
        ParseResult arguments;
        try {
            arguments = parser.parseArgs(BareOptions.attached(words, spec));
        } catch (ParameterException e) {
            CommandProblem problem = CommandProblem.of(new UsageException(problem(e)));
            OutputFormat format = OutputFormat.ofBroken(List.of(words));
            return command.refuse(problem, format, invocation.masked());
        }
        if (arguments.isUsageHelpRequested()) {
            invocation.streams().print(parser.getUsageMessage(CommandLine.Help.Ansi.OFF));
            return ExitCode.SUCCESS.code();
        }
        return run(command, arguments, invocation.masked());
    }

    private static int run(Command command, ParseResult arguments, Invocation invocation)
            throws Exception {
        CommandProblem problem;
        try {
            return command.run(arguments, invocation);
        } catch (UsageException e) {
            problem = CommandProblem.of(e);
        } catch (ConfigException e) {
            problem = CommandProblem.of(e);
        }
        return command.refuse(problem, OutputFormat.wanted(arguments), invocation);
    }

    /** One parser, no argument files: nothing inside a prompt is ever an option. */
    public static CommandLine parser(CommandSpec spec) {
        return new CommandLine(spec)
                .setExpandAtFiles(false)
                .setAllowOptionsAsOptionParameters(true) // -p "--yolo" is a prompt
                .setUnmatchedOptionsArePositionalParams(false)
                .setOverwrittenOptionsAllowed(true)
                .setAllowSubcommandsAsOptionParameters(true)
                .setUsageHelpAutoWidth(false);
    }

    private static String problem(ParameterException e) {
        return e.getMessage()
                + meant(e)
                + "\n  See: "
                + e.getCommandLine().getCommandSpec().name()
                + " --help";
    }

    /** The option that was probably meant. */
    private static String meant(ParameterException e) {
        if (!(e instanceof CommandLine.UnmatchedArgumentException unmatched)
                || !unmatched.isUnknownOption()) {
            return "";
        }
        Set<String> known = e.getCommandLine().getCommandSpec().optionsMap().keySet();
        List<String> near = Similar.to(unmatched.getUnmatched().getFirst(), known, 1);
        return near.isEmpty() ? "" : "; did you mean " + near.getFirst() + "?";
    }

    private static int lost(Invocation invocation, IOException e) {
        boolean pipe = String.valueOf(e.getMessage()).contains("Broken pipe");
        invocation.streams().printError("cannot write output: " + e.getMessage() + "\n");
        return pipe ? ExitCode.PIPE.code() : ExitCode.FAILED.code();
    }
}
