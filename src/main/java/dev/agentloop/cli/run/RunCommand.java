package dev.agentloop.cli.run;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.resume.SessionChoice;
import dev.agentloop.loop.run.StopReason;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent run}: one task until its result. */
public final class RunCommand implements Command {
    private static final String[] EXAMPLES = {
        "",
        "Examples:",
        "  agent run \"fix the failing test\"",
        "  agent run -m anthropic/claude-sonnet-5 --budget 2 \"add a --json option\"",
        "  git diff | agent run -q \"write a commit message\"",
        "  agent run --continue \"now update the changelog\""
    };

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command("run", "Work on one task until it is done; print the final answer.");
        RunOption.addTo(spec);
        spec.usageMessage().footer(EXAMPLES);
        spec.addPositional(Specs.words("PROMPT", "The task; - reads it from standard input."));
        return spec;
    }

    /** A run that did not begin has a result like any other. */
    @Override
    public int refuse(CommandProblem problem, OutputFormat format, Invocation invocation) {
        return RefusedRun.report(StopReason.CONFIG_ERROR, problem.message(), format, invocation);
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) {
        if (RunOption.REPLAY.isGiven(arguments)) {
            return new ReplayRun(arguments, invocation).execute();
        }
        SessionChoice session = SessionChoice.ofRun(arguments);
        return new RunExecution(arguments, invocation, session).execute();
    }
}
