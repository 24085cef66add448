package dev.agentloop.cli.batch;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.command.RunsCommand;
import dev.agentloop.cli.command.RunsJson;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.TextTable;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.source.GivenFile;
import dev.agentloop.control.Cancellation;
import dev.agentloop.orchestration.CheckedLoop;
import dev.agentloop.orchestration.RunOutcome;
import dev.agentloop.orchestration.Runs;
import dev.agentloop.orchestration.SharedBudget;
import dev.agentloop.output.Plural;
import dev.agentloop.output.SafeText;
import dev.agentloop.report.LoopReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent loop}: a task with a clean context each time, until the checks pass. */
public final class LoopCommand implements Command {
    private static final int USUAL_ITERATIONS = 25;
    private static final int MOST_ITERATIONS = 1_000;
    private static final Duration USUAL_CHECK = Duration.ofMinutes(10);
    private static final String USUAL_TAG = "COMPLETE";
    private static final int MOST_SPEC = 1 << 20; // bytes

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "loop",
                        "Repeat a task with a clean context until all checks pass, and the model says"
                                + " it is done.");
        spec.addOption(
                Specs.values(
                        "CMD",
                        "A command that must end with 0. Runs in the sandbox. Repeatable.",
                        "--check"));
        spec.addOption(Specs.value("FILE", "Read the task from a file.", "--spec"));
        spec.addOption(Specs.value("N", "Iterations at most (25).", "--max-iterations"));
        spec.addOption(
                Specs.value(
                        "TAG",
                        "The line by which the model says that it is done (COMPLETE).",
                        "--completion-tag"));
        spec.addOption(Specs.value("USD", "Hard cap for all iterations together.", "--budget"));
        spec.addOption(Specs.value("TIME", "For all together, e.g. 90s, 20m.", "--timeout"));
        spec.addOption(Specs.value("TIME", "For one check, at most 10m (10m).", "--check-timeout"));
        ReportFiles.addTo(spec);
        RunsCommand.addTo(spec);
        spec.addPositional(Specs.words("TASK", "What to do."));
        return spec;
    }

    @Override
    public int refuse(CommandProblem problem, OutputFormat format, Invocation invocation)
            throws IOException {
        return RunsCommand.refuse("loop", problem, format, invocation);
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        try (RunStarter orchestra = RunStarter.of(arguments, invocation)) {
            CheckedLoop.Wishes wishes = wishes(arguments, invocation, orchestra);
            SharedBudget purse = new SharedBudget(RunsCommand.usd(arguments, "--budget"));
            Duration time = RunsCommand.time(arguments, "--timeout");
            Cancellation all = orchestra.within(time);
            CheckedLoop.Result result =
                    new CheckedLoop(
                                    orchestra.runs(time),
                                    wishes,
                                    purse,
                                    orchestra.stamp(),
                                    orchestra::tell)
                            .run(all);
            LoopReport report = new LoopReport(wishes, result, purse);
            int code = orchestra.write(report, result.exitCode());
            boolean json = Specs.has(arguments, "--json");
            invocation.streams().print(json ? json(report, code) : text(result, purse));
            return code;
        }
    }

    private static CheckedLoop.Wishes wishes(
            ParseResult arguments, Invocation invocation, RunStarter orchestra)
            throws UsageException {
        List<String> checks = Specs.texts(arguments, "--check");
        if (checks.isEmpty()) {
            throw new UsageException(
                    "a loop needs to know when it is done: add --check CMD, e.g. --check \"mvn -q"
                            + " test\".");
        }
        Duration check =
                Optional.ofNullable(RunsCommand.time(arguments, "--check-timeout"))
                        .orElse(USUAL_CHECK);
        if (check.compareTo(USUAL_CHECK) > 0) {
            throw new UsageException("--check-timeout is at most 10m, like that of any command.");
        }
        String tag = Specs.text(arguments, "--completion-tag").strip();
        return new CheckedLoop.Wishes(
                task(arguments, invocation),
                RunsCommand.words(arguments, invocation),
                orchestra.workspace(),
                checks,
                tag.isEmpty() ? USUAL_TAG : tag,
                RunsCommand.number(
                        arguments, "--max-iterations", USUAL_ITERATIONS, MOST_ITERATIONS),
                check);
    }

    /** The words, below what stands in the file if there is one. */
    private static String task(ParseResult arguments, Invocation invocation) throws UsageException {
        String words = String.join(" ", Specs.positional(arguments)).strip();
        String file = Specs.text(arguments, "--spec");
        String spec = file.isEmpty() ? "" : read(file, invocation);
        String task = (spec.strip() + "\n\n" + words).strip();
        if (task.isEmpty()) {
            throw new UsageException(
                    "there is no task. Write agent loop \"make the tests pass\" --check \"mvn -q"
                            + " test\".");
        }
        return task;
    }

    private static String read(String name, Invocation invocation) throws UsageException {
        Path file = invocation.currentDirectory().resolve(name);
        try {
            byte[] content = GivenFile.read(file, MOST_SPEC);
            if (content.length > MOST_SPEC) {
                throw new UsageException("--spec " + file + " is larger than 1 MB.");
            }
            return GivenFile.text(content);
        } catch (IOException e) {
            throw new UsageException("--spec " + file + " cannot be read as UTF-8 text.");
        }
    }

    private static String text(CheckedLoop.Result result, SharedBudget purse) {
        StringBuilder text = new StringBuilder();
        text.append(result.end().wireName()).append(" after ");
        text.append(Plural.of(result.iterations().size(), "iteration")).append(", ");
        text.append(TextTable.usd(purse.spent())).append('\n');
        if (!result.iterations().isEmpty()) {
            CheckedLoop.Round last = result.iterations().getLast();
            for (Runs.CheckOutcome check : last.checks()) {
                String state = check.passed() ? "pass  " : "FAIL  ";
                text.append(state).append(SafeText.line(check.command())).append('\n');
            }
            RunOutcome run = last.outcome();
            String words = run.error().isEmpty() ? run.text() : run.error();
            text.append('\n').append(SafeText.block(words)).append('\n');
        }
        return text.toString();
    }

    private static String json(LoopReport report, int code) {
        CheckedLoop.Result result = report.result();
        boolean refused = result.end() == CheckedLoop.End.RUN_REFUSED;
        String status = code == 0 ? "success" : refused ? "failed" : "partial";
        RunsJson json = RunsJson.result("loop", code).with("status", status);
        if (refused) {
            json.error(result.iterations().getLast().outcome());
        }
        return json.with("stop_reason", result.end().wireName())
                .cost(report.purse())
                .with(
                        "result",
                        result.iterations().isEmpty()
                                ? ""
                                : result.iterations().getLast().outcome().text())
                .with("iterations", result.iterations().stream().map(LoopCommand::round).toList())
                .text();
    }

    private static RunsJson round(CheckedLoop.Round one) {
        return new RunsJson()
                .outcome(one.outcome())
                .with("completion_tag", one.tagged())
                .with("files_changed", one.outcome().changed())
                .checks(one.checks());
    }
}
