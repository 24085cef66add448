package dev.agentloop.cli.run;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.CommandRun;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.resume.SessionChoice;
import dev.agentloop.cli.resume.SessionPicker;
import dev.agentloop.loop.run.StopReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent resume}: a session goes on where it stopped. */
public final class ResumeCommand implements Command {
    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "resume",
                        "Continue a session exactly where it stopped; no tool runs twice.");
        spec.addOption(
                Specs.flag("The newest session of this workspace, instead of an ID.", "--last"));
        RunOption.addTo(spec);
        spec.addPositional(
                Specs.words("[ID] PROMPT", "The session, then what to do next (default: go on)."));
        return spec;
    }

    /** A run that did not begin has a result like any other. */
    @Override
    public int refuse(CommandProblem problem, OutputFormat format, Invocation invocation) {
        return RefusedRun.report(StopReason.CONFIG_ERROR, problem.message(), format, invocation);
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws IOException {
        boolean named =
                !Specs.positional(arguments).isEmpty()
                        || Specs.has(arguments, "--last")
                        || RunOption.SESSION.isGiven(arguments)
                        || RunOption.CONTINUE.isGiven(arguments);
        return named || invocation.isHeadless()
                ? resume(arguments, invocation)
                : choose(arguments, invocation);
    }

    /** Without a name a person chooses; the chosen one goes on as if it had been named. */
    private int choose(ParseResult arguments, Invocation invocation) throws IOException {
        Optional<String> chosen =
                new SessionPicker(invocation, invocation.currentDirectory()).choose();
        if (chosen.isEmpty()) {
            return ExitCode.SUCCESS.code();
        }
        List<String> words = new ArrayList<>(arguments.originalArgs());
        words.add(chosen.get());
        return CommandRun.run(this, words.toArray(String[]::new), invocation);
    }

    private static int resume(ParseResult arguments, Invocation invocation) {
        SessionChoice session = SessionChoice.ofResume(arguments);
        return new RunExecution(arguments, invocation, session).execute();
    }
}
