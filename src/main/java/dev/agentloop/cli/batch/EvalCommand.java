package dev.agentloop.cli.batch;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.command.RunsCommand;
import dev.agentloop.cli.command.RunsJson;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.TextTable;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.orchestration.SharedBudget;
import dev.agentloop.orchestration.Suite;
import dev.agentloop.orchestration.SuiteRun;
import dev.agentloop.orchestration.Worktrees;
import dev.agentloop.output.SafeText;
import dev.agentloop.report.EvalReport;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent eval}: how often models and settings do the tasks of a suite. */
public final class EvalCommand implements Command {
    private static final Duration CHECK = Duration.ofMinutes(10);
    private static final int MOST = 1_000;

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "eval",
                        "Try the tasks of a suite with several models or settings, and compare them.");
        spec.addOption(
                Specs.value("N", "Runs of each task and variant, not the suite's.", "--runs"));
        spec.addOption(
                Specs.value(
                        "RATE",
                        "Exit code 2 if a variant passes less often, 0 to 1 (no gate).",
                        "--min-pass"));
        spec.addOption(Specs.value("N", "Runs at the same time (1).", "--workers"));
        spec.addOption(Specs.value("USD", "Hard cap for all runs together.", "--budget"));
        spec.addOption(Specs.value("TIME", "Of each run, e.g. 90s, 20m.", "--timeout"));
        ReportFiles.addTo(spec);
        RunsCommand.addTo(spec);
        spec.addPositional(Specs.words("SUITE", "A YAML file: tasks with checks, and variants."));
        return spec;
    }

    @Override
    public int refuse(CommandProblem problem, OutputFormat format, Invocation invocation)
            throws IOException {
        return RunsCommand.refuse("eval", problem, format, invocation);
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> words = Specs.positional(arguments);
        if (words.size() != 1) {
            throw new UsageException("write agent eval SUITE.yaml.");
        }
        BigDecimal gate = gate(Specs.text(arguments, "--min-pass"));
        try {
            Path file = invocation.currentDirectory().resolve(words.getFirst());
            int runs = RunsCommand.number(arguments, "--runs", 0, MOST);
            Suite suite = SuiteFile.read(file, words.getFirst(), runs);
            return tried(suite, gate, arguments, invocation);
        } catch (ConfigException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UsageException(SafeText.line(String.valueOf(e.getMessage())));
        }
    }

    private static int tried(
            Suite suite, BigDecimal gate, ParseResult arguments, Invocation invocation)
            throws UsageException, IOException {
        SuiteRun.Wishes wishes =
                new SuiteRun.Wishes(
                        RunsCommand.words(arguments, invocation),
                        RunsCommand.number(arguments, "--workers", 1, 32),
                        RunsCommand.time(arguments, "--timeout"),
                        CHECK);
        SharedBudget purse = new SharedBudget(RunsCommand.usd(arguments, "--budget"));
        try (RunStarter orchestra = RunStarter.of(arguments, invocation);
                Worktrees trees = orchestra.worktrees()) {
            Consumer<String> tell = line -> orchestra.tell(SafeText.block(line));
            List<SuiteRun.Trial> trials =
                    new SuiteRun(orchestra.runs(), trees, wishes, purse, tell)
                            .run(suite, orchestra.interrupts());
            List<SuiteRun.Score> scores = SuiteRun.scores(suite, trials);
            int end = orchestra.isInterrupted() ? 130 : code(trials, scores, gate);
            EvalReport report =
                    new EvalReport(end, trees.base(), gate, suite, trials, scores, purse);
            int code = orchestra.write(report, end);
            boolean json = Specs.has(arguments, "--json");
            invocation.streams().print(json ? json(report, code) : text(report));
            return code;
        }
    }

    private static BigDecimal gate(String text) throws UsageException {
        if (text.isEmpty()) {
            return BigDecimal.ZERO;
        }
        if (text.matches("0(\\.\\d{1,6})?|1(\\.0{1,6})?")) {
            return new BigDecimal(text);
        }
        throw new UsageException("--min-pass " + text + " is no rate: write 0 to 1, e.g. 0.8.");
    }

    /** Runs that could not be tried say nothing about a model, so they are no result. */
    private static int code(
            List<SuiteRun.Trial> trials, List<SuiteRun.Score> scores, BigDecimal gate) {
        for (SuiteRun.Trial trial : trials) {
            if (trial.refused()) {
                return trial.outcome().exitCode();
            }
        }
        boolean held = scores.stream().allMatch(it -> it.rate() >= gate.doubleValue());
        return held ? ExitCode.SUCCESS.code() : ExitCode.PARTIAL.code();
    }

    private static String text(EvalReport shown) {
        TextTable table =
                new TextTable("variant", "passed", "rate", "95 %", "cost/run", "time/run", "steps");
        for (SuiteRun.Score score : shown.scores()) {
            table.row(
                    score.variant(),
                    score.passed() + "/" + score.runs(),
                    percent(score.rate()),
                    percent(score.interval().low()) + "-" + percent(score.interval().high()),
                    TextTable.usd(score.usd()),
                    score.millis() / 1000 + "s",
                    String.format(Locale.ROOT, "%.1f", score.steps()));
        }
        StringBuilder text = new StringBuilder(table.toString());
        for (SuiteRun.Trial trial : shown.trials()) {
            if (!trial.passed()) {
                String why = trial.outcome().error();
                text.append(
                        SafeText.block(
                                "FAIL "
                                        + trial.variant()
                                        + " / "
                                        + trial.task()
                                        + " #"
                                        + trial.number()
                                        + (why.isEmpty() ? "" : ": " + why)));
                text.append('\n');
            }
        }
        return text.toString();
    }

    private static String percent(double rate) {
        return Math.round(rate * 100) + "%";
    }

    private static String json(EvalReport shown, int code) {
        return RunsJson.result("eval", code)
                .with("suite", shown.suite().name())
                .with("runs", shown.suite().runs())
                .cost(shown.purse())
                .with("variants", shown.scores().stream().map(EvalCommand::score).toList())
                .with("trials", shown.trials().stream().map(EvalCommand::trial).toList())
                .text();
    }

    private static RunsJson score(SuiteRun.Score score) {
        return new RunsJson()
                .with("name", score.variant())
                .with("passed", score.passed())
                .with("runs", score.runs())
                .with("rate", score.rate())
                .with("low", score.interval().low())
                .with("high", score.interval().high())
                .with("mean_usd", score.usd())
                .with("mean_duration_ms", score.millis())
                .with("mean_steps", score.steps());
    }

    private static RunsJson trial(SuiteRun.Trial trial) {
        return new RunsJson()
                .with("variant", trial.variant())
                .with("task", trial.task())
                .with("number", trial.number())
                .with("passed", trial.passed())
                .outcome(trial.outcome())
                .checks(trial.checks());
    }
}
