package dev.agentloop.cli.command;

import dev.agentloop.cli.terminal.OtherTools;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.tool.Similar;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** One command from its words to its exit code. */
public final class CommandRun {
    private static final int MANY_OPTIONS = 20;

    /** What the short help of a run lists. */
    private static final Set<RunOption> USUAL =
            EnumSet.of(
                    RunOption.PROMPT,
                    RunOption.CWD,
                    RunOption.AGENT,
                    RunOption.MODEL,
                    RunOption.CONFIRM,
                    RunOption.YOLO,
                    RunOption.SANDBOX,
                    RunOption.MAX_STEPS,
                    RunOption.BUDGET,
                    RunOption.JSON,
                    RunOption.CONTINUE);

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
                boolean all = Specs.positional(parsed).equals(List.of("all"));
                invocation.streams().print(help(command, all));
                return ExitCode.SUCCESS.code();
            }
            arguments = parsed;
            boolean plain = RunOption.PLAIN.isGiven(parsed);
            return command.run(parsed, plain ? masked.plain() : masked);
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
            return command.refuse(problem, format, invocation.withBrokenErrors());
        } catch (Exception e) { // a bug in what would have told of the problem
            return failed(e, invocation);
        }
    }

    /**
     * What {@code agent COMMAND --help} prints: usage, arguments, options, examples.
     *
     * @param all whether every option of a run is in it, by subject, and not only the usual ones
     */
    public static String help(Command command, boolean all) {
        CommandSpec spec = command.spec();
        if (spec.options().size() <= MANY_OPTIONS) {
            return parser(spec).getUsageMessage(CommandLine.Help.Ansi.OFF);
        }
        spec.usageMessage()
                .abbreviateSynopsis(true)
                .sectionMap()
                .put(
                        UsageMessageSpec.SECTION_KEY_OPTION_LIST,
                        it -> all ? allOptions(it) : usualOptions(it));
        return parser(spec).getUsageMessage(CommandLine.Help.Ansi.OFF);
    }

    private static String usualOptions(CommandLine.Help help) {
        List<OptionSpec> usual = new ArrayList<>(help.commandSpec().options());
        for (RunOption option : RunOption.values()) {
            if (!USUAL.contains(option)) {
                usual.remove(help.commandSpec().findOption(option.longName()));
            }
        }
        int others = help.commandSpec().options().size() - usual.size();
        return options(help, usual)
                + "%nThe other %d options: %s --help all%n"
                        .formatted(others, help.commandSpec().name());
    }

    private static String allOptions(CommandLine.Help help) {
        StringBuilder text = new StringBuilder();
        List<OptionSpec> left = new ArrayList<>(help.commandSpec().options());
        Map<String, List<OptionSpec>> subjects = new LinkedHashMap<>();
        for (RunOption option : RunOption.values()) {
            OptionSpec its = help.commandSpec().findOption(option.longName());
            if (its != null && left.remove(its)) {
                subjects.computeIfAbsent(subject(option), _ -> new ArrayList<>()).add(its);
            }
        }
        text.append(options(help, left));
        subjects.forEach((subject, its) ->
                text.append("%n%s:%n%n".formatted(subject)).append(options(help, its)));
        return text.toString();
    }

    private static String subject(RunOption option) {
        return option.compareTo(RunOption.CONFIRM) < 0
                ? "Task, agent and model"
                : option.compareTo(RunOption.MAX_STEPS) < 0
                        ? "What it may do"
                        : option.compareTo(RunOption.JSON) < 0
                                ? "Limits and checks"
                                : option.compareTo(RunOption.SESSION) < 0
                                        ? "Output and logs"
                                        : "Sessions, recordings and the rest";
    }

    private static String options(CommandLine.Help help, List<OptionSpec> some) {
        CommandLine.Help.Layout layout = help.createDefaultLayout();
        layout.addOptions(some, help.parameterLabelRenderer());
        return layout.toString();
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
