package dev.agentloop.cli.chat;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.resume.SessionChoice;
import dev.agentloop.cli.resume.SessionWishes;
import dev.agentloop.cli.run.RefusedRun;
import dev.agentloop.loop.run.StopReason;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent chat}: one task after another in one session, at the terminal. */
public final class ChatCommand implements Command {
    private static final String NAME = "chat";
    private static final int COLUMNS = 80; // of the help

    /** What is about one result, or about a run that nobody watches. */
    private static final Set<RunOption> NOT_ITS =
            EnumSet.of(
                    RunOption.STDIN,
                    RunOption.MODE,
                    RunOption.JSON,
                    RunOption.JSON_SCHEMA,
                    RunOption.OUTPUT_FORMAT,
                    RunOption.OUTPUT_FILE,
                    RunOption.ON_PARTIAL,
                    RunOption.STRICT_DENIALS,
                    RunOption.NO_SESSION,
                    RunOption.RECORD,
                    RunOption.REPLAY,
                    RunOption.REPLAY_MODEL);

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(NAME, "Talk at the terminal: task after task in one session.");
        EnumSet<RunOption> its = EnumSet.complementOf(EnumSet.copyOf(NOT_ITS));
        RunOption.addTo(spec, its);
        spec.addPositional(Specs.words("PROMPT", "The first task (default: it is typed)."));
        String words = ChatWord.help(COLUMNS).replace("\n", "%n");
        spec.usageMessage().footer("%nAt its prompt:%n" + words);
        return spec;
    }

    /** A run that did not begin has a result like any other. */
    @Override
    public int refuse(CommandProblem problem, OutputFormat format, Invocation invocation) {
        return RefusedRun.report(StopReason.CONFIG_ERROR, problem.message(), format, invocation);
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws UsageException {
        if (invocation.isHeadless()) {
            throw new UsageException(
                    "agent chat needs a terminal, and not in a CI job. Give a single task by agent"
                            + " run \"…\", and the next one of its session by agent resume --last"
                            + " \"…\".");
        }
        if (RunOption.PROMPT.text(arguments).equals("-")
                || Specs.positional(arguments).equals(List.of("-"))) {
            throw new UsageException("agent chat reads from its terminal: leave the - out.");
        }
        SessionWishes.of(arguments).check(SessionChoice.ofRun(arguments));
        return new Chat(arguments, invocation).talk();
    }
}
