package dev.agentloop.cli.tool;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.run.OutputOptions;
import dev.agentloop.output.SafeText;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent tools list|run NAME JSON}: the tools as the model sees and calls them. */
public final class ToolsCommand implements Command {
    private final boolean within;

    public ToolsCommand() {
        this(false);
    }

    private ToolsCommand(boolean within) {
        this.within = within;
    }

    /** For a program that goes on after it: a signal ends the call alone, a person sees it work. */
    public static ToolsCommand withinProgram() {
        return new ToolsCommand(true);
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "tools",
                        "List the tools, or run one as the model would: list | run NAME JSON|-.");
        RunOption.addTo(spec);
        spec.addPositional(Specs.words("list|run NAME JSON", "What to do."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        OutputOptions wishes = OutputOptions.of(arguments);
        wishes.check();
        return act(arguments, wishes.format(), invocation);
    }

    private int act(ParseResult arguments, OutputFormat format, Invocation invocation)
            throws Exception {
        if (format == OutputFormat.STREAM_JSON) {
            throw new UsageException("--output-format stream-json goes with run; use json.");
        }
        List<String> words = Specs.positional(arguments);
        if (words.equals(List.of("list"))) {
            return new ToolTrial(arguments, invocation).list();
        }
        if (words.size() == 3 && words.getFirst().equals("run")) {
            ToolTrial trial =
                    within
                            ? ToolTrial.watched(arguments, invocation)
                            : new ToolTrial(arguments, invocation);
            return trial.run(words.get(1), words.get(2));
        }
        throw new UsageException(
                "write agent tools list, or agent tools run NAME '{\"key\": \"value\"}'"
                        + (words.isEmpty()
                                ? "."
                                : " (not " + SafeText.line(String.join(" ", words), 80) + ")."));
    }
}
