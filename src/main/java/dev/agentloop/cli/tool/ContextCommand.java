package dev.agentloop.cli.tool;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.run.OutputOptions;
import dev.agentloop.output.SafeText;
import dev.agentloop.session.SessionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent context --explain}: what the next request would hold, without sending it. */
public final class ContextCommand implements Command {
    private static final String EXPLAIN = "--explain";
    private static final String AS = "--as";

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "context",
                        "Explain the next request, send nothing: every part with source, bytes and"
                                + " tokens, and with --session what is new in it.");
        spec.addOption(Specs.flag("List the parts of the next request.", EXPLAIN));
        RunOption.addTo(spec);
        spec.addOption(
                Specs.value(
                        "USE",
                        "Explain as in: trusted-terminal, terminal, unattended,"
                                + " trusted-unattended.",
                        AS));
        spec.addPositional(Specs.words("PROMPT", "The next task, if there is one."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        OutputOptions wishes = OutputOptions.of(arguments);
        boolean json = wishes.format() == OutputFormat.JSON;
        try {
            wishes.check();
            if (!Specs.has(arguments, EXPLAIN)) {
                throw new UsageException("write agent context --explain.");
            }
            if (wishes.format() == OutputFormat.STREAM_JSON) {
                throw new UsageException("agent context prints one object: --output-format json.");
            }
            ContextReport report =
                    ContextTrial.report(arguments, invocation, Specs.text(arguments, AS));
            invocation.streams().print(json ? report.json() : report.text());
            return ExitCode.SUCCESS.code();
        } catch (SessionException e) {
            String problem = SafeText.block(String.valueOf(e.getMessage()));
            return CommandProblem.of(new UsageException(problem))
                    .report(invocation.streams(), json);
        }
    }
}
