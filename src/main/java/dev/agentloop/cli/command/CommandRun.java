package dev.agentloop.cli.command;

import dev.agentloop.cli.terminal.OtherTools;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.tool.Similar;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** One command from its words to its exit code. */
public final class CommandRun {
    private CommandRun() {}

    /**
     * Reads the words behind the command's name and runs it; what it throws becomes a line for the
     * user and an exit code.
     */
    public static int run(Command command, String[] words, Invocation invocation) {
        Invocation masked = invocation.masked();
        ParseResult arguments = null;
        try {
            CommandSpec spec = command.spec();
            CommandLine parser = parser(spec);
            ParseResult parsed = parser.parseArgs(BareOptions.attached(words, spec));
            if (parsed.isUsageHelpRequested()) {
                return help(parser, invocation);
            }
            arguments = parsed;
            return command.run(parsed, masked);
        } catch (Exception e) {
            OutputFormat format =
                    arguments == null
                            ? OutputFormat.ofBroken(List.of(words))
                            : OutputFormat.wanted(arguments);
            return problem(e, arguments == null)
                    .map(problem -> refuse(command, problem, format, masked))
                    .orElseGet(() -> failed(e, invocation));
        }
    }

    /** The words as the command reads them; empty if it would refuse them. */
    public static Optional<ParseResult> parsed(Command command, String[] words) {
        try {
            CommandSpec spec = command.spec();
            return Optional.of(parser(spec).parseArgs(BareOptions.attached(words, spec)));
        } catch (ParameterException e) {
            return Optional.empty();
        }
    }

    /** What the user did wrong; empty if it is none of that. */
    private static Optional<CommandProblem> problem(Exception e, boolean parsing) {
        return switch (e) {
            case UsageException wrong -> Optional.of(CommandProblem.of(wrong));
            case ConfigException wrong -> Optional.of(CommandProblem.of(wrong));
            case ParameterException wrong when parsing ->
                    Optional.of(CommandProblem.of(new UsageException(problem(wrong))));
            default -> Optional.empty();
        };
    }

    private static int refuse(
            Command command, CommandProblem problem, OutputFormat format, Invocation invocation) {
        try {
            return command.refuse(problem, format, invocation);
        } catch (Exception e) { // a bug in what would have told of the problem
            return failed(e, invocation);
        }
    }

    private static int help(CommandLine parser, Invocation invocation) throws IOException {
        invocation.streams().print(parser.getUsageMessage(CommandLine.Help.Ansi.OFF));
        return ExitCode.SUCCESS.code();
    }

    /** A bug of ours, or output that nobody takes. */
    public static int failed(Exception e, Invocation invocation) {
        if (e instanceof IOException lost) {
            return lost(invocation, lost);
        }
        invocation.streams().printError("agent: internal error: " + e + "\n");
        return ExitCode.FAILED.code();
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
        String habit = OtherTools.here(unmatched.getUnmatched().getFirst());
        if (!habit.isEmpty() && known.contains("--yolo")) { // it names options of a run
            return "; " + habit;
        }
        List<String> near = Similar.to(unmatched.getUnmatched().getFirst(), known, 1);
        return near.isEmpty() ? "" : "; did you mean " + near.getFirst() + "?";
    }

    private static int lost(Invocation invocation, IOException e) {
        boolean pipe = String.valueOf(e.getMessage()).contains("Broken pipe");
        invocation.streams().printError("cannot write output: " + e.getMessage() + "\n");
        return pipe ? ExitCode.PIPE.code() : ExitCode.FAILED.code();
    }
}
