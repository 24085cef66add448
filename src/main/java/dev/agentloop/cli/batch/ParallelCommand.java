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
import dev.agentloop.orchestration.ParallelTasks;
import dev.agentloop.orchestration.SharedBudget;
import dev.agentloop.orchestration.Worktrees;
import dev.agentloop.output.SafeText;
import dev.agentloop.report.ParallelReport;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent parallel}: several tasks at once, one work tree and one branch each. */
public final class ParallelCommand implements Command {
    private static final int USUAL_WORKERS = 4;
    private static final int MOST_WORKERS = 32;

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "parallel",
                        "Work on several tasks at once, each in a git work tree and on a branch of its"
                                + " own.");
        spec.addOption(Specs.values("TEXT", "One more task. Repeatable.", "--task"));
        spec.addOption(Specs.value("N", "Tasks at the same time (4).", "--workers"));
        spec.addOption(
                Specs.value(
                        "USD",
                        "Hard cap for all tasks together; each may spend an equal part.",
                        "--budget"));
        spec.addOption(Specs.value("TIME", "Of each task, e.g. 90s, 20m.", "--timeout"));
        ReportFiles.addTo(spec);
        RunsCommand.addTo(spec);
        spec.addPositional(Specs.words("TASK", "The tasks, each in quotes."));
        return spec;
    }

    @Override
    public int refuse(CommandProblem problem, OutputFormat format, Invocation invocation)
            throws IOException {
        return RunsCommand.refuse("parallel", problem, format, invocation);
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> tasks = tasks(arguments);
        BigDecimal usd = RunsCommand.usd(arguments, "--budget");
        ParallelTasks.Wishes wishes =
                new ParallelTasks.Wishes(
                        RunsCommand.words(arguments, invocation),
                        RunsCommand.number(arguments, "--workers", USUAL_WORKERS, MOST_WORKERS),
                        usd,
                        RunsCommand.time(arguments, "--timeout"));
        long begun = System.nanoTime();
        try (RunStarter orchestra = RunStarter.of(arguments, invocation);
                Worktrees trees = orchestra.worktrees()) {
            List<String> uncommitted = trees.uncommitted();
            if (!uncommitted.isEmpty()) {
                orchestra.tell(warning(uncommitted));
            }
            SharedBudget purse = new SharedBudget(usd);
            List<ParallelTasks.Done> done =
                    new ParallelTasks(orchestra.runs(), trees, wishes, orchestra::tell)
                            .run(tasks, purse, orchestra.interrupts());
            int end = orchestra.isInterrupted() ? ExitCode.INTERRUPTED.code() : code(done);
            ParallelReport report =
                    new ParallelReport(end, trees.base(), uncommitted, done, purse, millis(begun));
            int code = orchestra.write(report, end);
            boolean json = Specs.has(arguments, "--json");
            invocation.streams().print(json ? json(report, code) : text(report));
            return code;
        } catch (IOException e) {
            throw new UsageException(SafeText.line(String.valueOf(e.getMessage())));
        }
    }

    private static long millis(long begun) {
        return (System.nanoTime() - begun) / 1_000_000;
    }

    private static List<String> tasks(ParseResult arguments) throws UsageException {
        List<String> tasks = new ArrayList<>();
        List<String> words = Specs.positional(arguments);
        boolean loose = words.size() > 1 && words.stream().noneMatch(word -> word.contains(" "));
        if (loose) {
            throw new UsageException(
                    "each word would be a task: put each task in quotes, e.g. agent parallel \"fix"
                            + " the parser\" \"update the docs\".");
        }
        tasks.addAll(words);
        tasks.addAll(Specs.texts(arguments, "--task"));
        tasks.removeIf(String::isBlank);
        if (tasks.isEmpty()) {
            throw new UsageException(
                    "there is no task. Write agent parallel \"fix the parser\" \"update the docs\".");
        }
        return tasks;
    }

    private static String warning(List<String> names) {
        int some = Math.min(5, names.size());
        return "Not in the work trees, because it is not committed: "
                + SafeText.line(String.join(", ", names.subList(0, some)))
                + (some < names.size() ? " and " + (names.size() - some) + " more" : "");
    }

    /** All done: 0. All alike: as each. Else some are done and some are not. */
    private static int code(List<ParallelTasks.Done> done) {
        int first = done.getFirst().outcome().exitCode();
        boolean alike = done.stream().allMatch(one -> one.outcome().exitCode() == first);
        boolean kept = done.stream().allMatch(one -> one.harvest().trouble().isEmpty());
        return alike && kept ? first : ExitCode.PARTIAL.code();
    }

    private static String text(ParallelReport shown) {
        TextTable table =
                new TextTable(
                        "task", "status", "steps", "cost", "time", "files", "lines", "branch");
        StringBuilder more = new StringBuilder();
        for (ParallelTasks.Done one : shown.done()) {
            Worktrees.Harvest kept = one.harvest();
            boolean changed = kept.files() > 0;
            table.row(
                    one.name(),
                    one.outcome().exitCode() == 0 ? "success" : one.outcome().stopReason(),
                    String.valueOf(one.outcome().steps()),
                    TextTable.usd(one.outcome().usd()),
                    one.outcome().took().toSeconds() + "s",
                    String.valueOf(kept.files()),
                    changed ? "+" + kept.added() + " -" + kept.removed() : "",
                    kept.branch());
            if (!one.outcome().error().isEmpty()) {
                block(more, one.name() + ": " + one.outcome().error());
            }
            if (!kept.trouble().isEmpty()) {
                String which =
                        kept.branch().isEmpty()
                                ? ": on no branch"
                                : ": not all of it is on a branch";
                line(more, one.name() + which + ", see " + one.tree().root());
                block(more, "  " + kept.trouble());
            } else if (kept.kept()) {
                line(more, one.name() + ": work tree " + one.tree().root());
            }
        }
        return table + (more.isEmpty() ? "" : "\n" + more);
    }

    private static void block(StringBuilder text, String lines) {
        text.append(SafeText.block(lines)).append('\n');
    }

    private static void line(StringBuilder text, String line) {
        text.append(SafeText.line(line)).append('\n');
    }

    private static String json(ParallelReport shown, int code) {
        return RunsJson.result("parallel", code)
                .with("base", shown.base())
                .with("uncommitted", shown.uncommitted())
                .with("duration_ms", shown.millis())
                .cost(shown.purse())
                .with("tasks", shown.done().stream().map(ParallelCommand::task).toList())
                .text();
    }

    private static RunsJson task(ParallelTasks.Done one) {
        Worktrees.Harvest kept = one.harvest();
        return new RunsJson()
                .with("name", one.name())
                .with("task", one.task())
                .outcome(one.outcome())
                .with("branch", kept.branch())
                .with("commit", kept.commit())
                .with("worktree", kept.kept() ? one.tree().root().toString() : "")
                .with("files", kept.files())
                .with("added", kept.added())
                .with("removed", kept.removed())
                .with("trouble", kept.trouble());
    }
}
