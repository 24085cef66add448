package dev.agentloop.cli.command;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/** Short forms of picocli's builders. */
public final class Specs {
    private static final String COMMAND = "agent ";

    private Specs() {}

    public static CommandSpec command(String name, String description) {
        CommandSpec spec = CommandSpec.create().name(COMMAND + name);
        spec.usageMessage()
                .description(description)
                .optionListHeading("%nOptions:%n")
                .parameterListHeading("%nArguments:%n")
                .commandListHeading("%nCommands:%n");
        UsageMessageSpec usage = spec.usageMessage();
        usage.width(80).autoWidth(false);
        spec.exitCodeOnInvalidInput(ExitCode.CONFIG_ERROR.code());
        spec.exitCodeOnExecutionException(ExitCode.FAILED.code());
        spec.addOption(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help and exit.")
                        .build());
        return spec;
    }

    /** Whether a command line is one of this command. */
    public static boolean isOf(ParseResult arguments, String name) {
        return arguments.commandSpec().name().equals(COMMAND + name);
    }

    public static OptionSpec flag(String description, String... names) {
        return OptionSpec.builder(names).type(boolean.class).description(description).build();
    }

    public static OptionSpec value(String label, String description, String... names) {
        return OptionSpec.builder(names)
                .type(String.class)
                .paramLabel(label)
                .description(description)
                .build();
    }

    /** An option whose value may be left out: then it is empty. */
    public static OptionSpec optionalValue(String label, String description, String... names) {
        return OptionSpec.builder(names)
                .type(String.class)
                .arity("0..1")
                .fallbackValue("")
                .paramLabel(label)
                .description(description)
                .build();
    }

    /** An option that may be given several times. */
    public static OptionSpec values(String label, String description, String... names) {
        return OptionSpec.builder(names)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .paramLabel(label)
                .description(description)
                .build();
    }

    public static List<String> texts(ParseResult arguments, String option) {
        return arguments.hasMatchedOption(option)
                ? arguments.matchedOption(option).stringValues()
                : List.of();
    }

    public static PositionalParamSpec words(String label, String description) {
        return PositionalParamSpec.builder()
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel(label)
                .arity("0..*")
                .description(description)
                .build();
    }

    public static boolean has(ParseResult arguments, String option) {
        return arguments.matchedOptionValue(option, false);
    }

    /** Refuses an option that does nothing with this word. */
    public static void refuse(ParseResult arguments, String option, String with)
            throws UsageException {
        if (arguments.hasMatchedOption(option)) {
            throw new UsageException(option + " does not go with agent " + with + ".");
        }
    }

    public static String text(ParseResult arguments, String option) {
        String value = arguments.matchedOptionValue(option, "");
        return value == null ? "" : value;
    }

    public static List<String> positional(ParseResult arguments) {
        return arguments.matchedPositionals().isEmpty()
                ? List.of()
                : arguments.matchedPositionals().getFirst().stringValues();
    }
}
