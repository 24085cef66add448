package dev.agentloop.cli.session;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent undo}: files as they were before a session changed them. */
public final class UndoCommand implements Command {
    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "undo",
                        "Put files back as they were before the last prompt of a session; says"
                                + " first what it would do.");
        spec.addOption(
                Specs.value(
                        "STEP",
                        "Undo all that came after this step of the session (0: all of it).",
                        "--to"));
        UndoRun.addOptions(spec);
        spec.addOption(Specs.flag("Only say what it would do.", "--dry-run"));
        spec.addOption(Specs.flag("One JSON object instead of text.", "--json"));
        spec.addPositional(
                Specs.words("SESSION", "The session (default: the newest of this workspace)."));
        return spec;
    }

    @Override
    public int refuse(CommandProblem problem, OutputFormat format, Invocation invocation)
            throws IOException {
        return UndoRun.refuse(problem, format != OutputFormat.TEXT, invocation);
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> words = Specs.positional(arguments);
        if (words.size() > 1) {
            throw new UsageException("write agent undo [SESSION] [--to STEP].");
        }
        Optional<String> session = words.stream().findFirst();
        UndoRun undo = new UndoRun(arguments, invocation);
        String step = Specs.text(arguments, "--to");
        return step.isEmpty() ? undo.lastPrompt(session) : undo.behind(session, UndoRun.step(step));
    }
}
