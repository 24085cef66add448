package dev.agentloop.cli;

import dev.agentloop.config.ConfigException;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.SystemTime;
import dev.agentloop.control.Time;
import dev.agentloop.event.EventFan;
import dev.agentloop.event.EventSink;
import dev.agentloop.event.Tally;
import dev.agentloop.loop.StopReason;
import dev.agentloop.output.Level;
import dev.agentloop.secret.MaskedEvents;
import dev.agentloop.tool.Similar;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The whole program as a function from words and streams to an exit code. */
public final class Cli {
    private Cli() {}

    /** Runs one invocation; never throws, never ends the process. */
    public static int run(String[] words, Invocation invocation) {
        try {
            return dispatch(words, invocation);
        } catch (IOException e) {
            return lost(invocation, e);
        } catch (Exception e) {
            invocation.streams().printError("agent: internal error: " + e + "\n");
            return ExitCode.FAILED.code();
        }
    }

    private static int dispatch(String[] words, Invocation invocation) throws Exception {
        String first = words.length == 0 ? "" : words[0];
        return switch (first) {
            case "", "-h", "--help" -> Help.general(invocation, words.length == 0);
            case "-V", "--version" -> version(invocation);
            case "help" -> Help.of(words, invocation);
            default -> {
                Optional<Command> command = Commands.find(first);
                yield command.isEmpty()
                        ? Help.unknown(words, invocation)
                        : run(
                                command.get(),
                                Arrays.copyOfRange(words, 1, words.length),
                                invocation);
            }
        };
    }

    private static int version(Invocation invocation) throws IOException {
        invocation.streams().print("agent " + Version.text() + "\n");
        return ExitCode.SUCCESS.code();
    }

    private static int run(Command command, String[] words, Invocation invocation)
            throws Exception {
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
    static CommandLine parser(CommandSpec spec) {
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

    /** Tells of a run that did not begin, in the format of a run's result; the exit code. */
    static int refuse(
            StopReason reason, String message, OutputFormat format, Invocation invocation) {
        Time time = new SystemTime();
        Tally tally = new Tally();
        RunOutput output =
                new RunOutput(
                        invocation,
                        new RunOutput.Wishes(format, Level.HUMAN, false),
                        new Cancellation(),
                        time);
        EventSink events =
                new MaskedEvents(new EventFan(List.of(tally, output)), invocation.secrets());
        return new ResultReporter(
                        tally, new ResultFacts(), output, events, invocation.secrets(), () -> 0)
                .refuse(reason, message);
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
