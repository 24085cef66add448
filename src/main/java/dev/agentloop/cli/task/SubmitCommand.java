package dev.agentloop.cli.task;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.RunsCommand;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.setup.LaterRunOptions;
import dev.agentloop.durable.DurableTask;
import dev.agentloop.durable.Tasks;
import dev.agentloop.durable.engine.DurableObjects;
import dev.agentloop.json.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent submit}: a task for whichever worker is free. */
public final class SubmitCommand implements Command {
    /**
     * What a task may carry; none of them gives it rights. In the order of their names, whatever
     * the table of options does: an engine compares the words of a task with those it has.
     */
    private static final List<RunOption> OPTIONS =
            RunOption.join(
                            RunOption.limitsBut(RunOption.BUDGET),
                            RunOption.DENY,
                            RunOption.EFFORT,
                            RunOption.MODEL)
                    .stream()
                    .sorted(Comparator.comparing(RunOption::longName))
                    .toList();

    private static final String ID = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "submit",
                        "Give a task to the workers of an engine; print the task's id. Options of"
                                + " agent run hold for its run.");
        EngineOptions.addTo(spec);
        spec.addOption(
                Specs.value(
                        "DIR",
                        "Workspace root, for the workers too (default: the current directory).",
                        "-C",
                        "-w",
                        "--workspace"));
        spec.addOption(Specs.value("ID", "The task's id; the same one twice is one task.", "--id"));
        spec.addOption(
                Specs.value(
                        "USD",
                        "Hard cap on the task's cost, or with --budget-group of all its tasks.",
                        "--budget"));
        spec.addOption(
                Specs.value("NAME", "A group whose tasks share one budget.", "--budget-group"));
        spec.addOption(
                Specs.value(
                        "USD",
                        "With --budget-group: the most that this task may take of it.",
                        "--share"));
        RunOption.addTo(spec, OPTIONS);
        spec.addOption(Specs.flag("Wait for the task's end, as agent result --wait.", "--wait"));
        spec.addOption(Specs.flag("Print JSON.", "--json"));
        spec.addPositional(Specs.words("TASK", "What to do."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        return TaskProblem.telling(arguments, invocation, this::work);
    }

    private int work(ParseResult arguments, Invocation invocation) throws Exception {
        LaterRunOptions.check(arguments, invocation);
        DurableTask task = task(arguments, invocation);
        String total = group(arguments);
        try (DurableObjects objects =
                EngineOptions.open(arguments, invocation, EngineOptions.CLIENT)) {
            Tasks tasks = new Tasks(objects);
            if (!total.isEmpty()) {
                tasks.foundGroup(task.group(), total);
            }
            boolean fresh = tasks.submit(task);
            if (Specs.has(arguments, "--wait")) {
                invocation.streams().printError("agent: waiting for task " + task.id() + "\n");
                return ResultCommand.print(arguments, invocation, tasks, task.id());
            }
            tell(arguments, invocation, task.id(), fresh);
            return ExitCode.SUCCESS.code();
        }
    }

    private static void tell(ParseResult arguments, Invocation invocation, String id, boolean fresh)
            throws IOException {
        invocation
                .streams()
                .print(
                        Specs.has(arguments, "--json")
                                ? "{\"id\":" + Json.quote(id) + ",\"new\":" + fresh + "}\n"
                                : id + "\n");
    }

    private static DurableTask task(ParseResult arguments, Invocation invocation)
            throws UsageException {
        String prompt = String.join(" ", Specs.positional(arguments)).strip();
        if (prompt.isEmpty()) {
            throw new UsageException("there is no task. Write agent submit \"fix the test\".");
        }
        String id = Specs.text(arguments, "--id");
        if (id.isEmpty()) {
            id = "task-" + UUID.randomUUID().toString().toLowerCase(Locale.ROOT);
        }
        if (!id.matches(ID)) {
            throw new UsageException(
                    "--id " + id + " is no id: letters, digits, '.', '_' and '-', at most 64.");
        }
        String group = Specs.text(arguments, "--budget-group");
        if (!group.isEmpty() && !group.matches(ID)) {
            throw new UsageException(
                    "--budget-group "
                            + group
                            + " is no name: letters, digits, '.', '_' and '-', at most 64.");
        }
        String usd = usd(arguments, group.isEmpty() ? "--budget" : "--share");
        if (group.isEmpty() && !Specs.text(arguments, "--share").isEmpty()) {
            throw new UsageException("--share is of a group's budget: add --budget-group NAME.");
        }
        return new DurableTask(
                id,
                prompt,
                workspace(arguments, invocation),
                RunsCommand.words(arguments, OPTIONS),
                usd,
                group);
    }

    private static String workspace(ParseResult arguments, Invocation invocation)
            throws UsageException {
        Path workspace =
                invocation.currentDirectory().resolve(Specs.text(arguments, "--workspace"));
        try {
            return workspace.toRealPath().toString();
        } catch (IOException e) {
            throw new UsageException(
                    "The workspace " + workspace + " is not a folder. Choose one with -C DIR.");
        }
    }

    private static String group(ParseResult arguments) throws UsageException {
        if (Specs.text(arguments, "--budget-group").isEmpty()) {
            return "";
        }
        String total = usd(arguments, "--budget");
        if (total.isEmpty()) {
            throw new UsageException("--budget-group needs the group's budget: add --budget USD.");
        }
        return total;
    }

    private static String usd(ParseResult arguments, String option) throws UsageException {
        String text = Specs.text(arguments, option);
        if (text.isEmpty()) {
            return "";
        }
        try {
            BigDecimal usd = new BigDecimal(text);
            if (usd.signum() > 0 && usd.scale() < 10 && usd.precision() < 20) {
                return usd.stripTrailingZeros().toPlainString();
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new UsageException(option + " " + text + " is no amount: write dollars, e.g. 2.50.");
    }
}
