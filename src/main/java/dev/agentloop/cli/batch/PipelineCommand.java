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
import dev.agentloop.control.Cancellation;
import dev.agentloop.orchestration.Pipeline;
import dev.agentloop.orchestration.PipelineRun;
import dev.agentloop.orchestration.RunOutcome;
import dev.agentloop.orchestration.SharedBudget;
import dev.agentloop.output.SafeText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent pipeline}: a chain of runs, each with what it needs of those before it. */
public final class PipelineCommand implements Command {
    private static final Duration CHECK = Duration.ofMinutes(10);

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command("pipeline", "Run the steps of a YAML file one after another.");
        spec.addOption(Specs.values("NAME=VALUE", "A variable. Repeatable.", "--var"));
        spec.addOption(Specs.value("NAME", "Begin with this step.", "--from-step"));
        spec.addOption(Specs.flag("Check the file and show the steps; run nothing.", "--dry-run"));
        spec.addOption(Specs.value("USD", "Hard cap for all steps together.", "--budget"));
        spec.addOption(Specs.value("TIME", "For all together, e.g. 90s, 20m.", "--timeout"));
        RunsCommand.addTo(spec);
        spec.addPositional(Specs.words("FILE", "A YAML file with steps."));
        return spec;
    }

    @Override
    public int refuse(CommandProblem problem, OutputFormat format, Invocation invocation)
            throws IOException {
        return RunsCommand.refuse("pipeline", problem, format, invocation);
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        Pipeline pipeline = pipeline(arguments, invocation);
        String from = from(arguments, pipeline);
        boolean json = Specs.has(arguments, "--json");
        if (Specs.has(arguments, "--dry-run")) {
            invocation.streams().print(json ? planJson(pipeline) : plan(pipeline));
            return ExitCode.SUCCESS.code();
        }
        try (RunStarter orchestra = RunStarter.of(arguments, invocation)) {
            SharedBudget purse = new SharedBudget(RunsCommand.usd(arguments, "--budget"));
            PipelineRun.Wishes wishes =
                    new PipelineRun.Wishes(
                            RunsCommand.words(arguments, invocation),
                            orchestra.workspace(),
                            from,
                            CHECK);
            Duration time = RunsCommand.time(arguments, "--timeout");
            Cancellation all = orchestra.within(time);
            List<PipelineRun.StepResult> results =
                    new PipelineRun(
                                    orchestra.runs(time),
                                    wishes,
                                    purse,
                                    line -> orchestra.tell(SafeText.block(line)))
                            .run(pipeline, all);
            int code = PipelineRun.exitCode(results, all);
            invocation.streams().print(json ? json(pipeline, code, results, purse) : text(results));
            return code;
        }
    }

    private static Pipeline pipeline(ParseResult arguments, Invocation invocation)
            throws UsageException {
        List<String> words = Specs.positional(arguments);
        if (words.size() != 1) {
            throw new UsageException("write agent pipeline FILE.yaml.");
        }
        Path file = invocation.currentDirectory().resolve(words.getFirst());
        try {
            return PipelineFile.read(file, words.getFirst(), variables(arguments));
        } catch (ConfigException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static Map<String, String> variables(ParseResult arguments) throws UsageException {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String text : Specs.texts(arguments, "--var")) {
            int equals = text.indexOf('=');
            if (equals < 1 || !text.substring(0, equals).matches("[A-Za-z0-9_]+")) {
                throw new UsageException("--var " + text + " is not NAME=VALUE.");
            }
            variables.put(text.substring(0, equals), text.substring(equals + 1));
        }
        return variables;
    }

    private static String from(ParseResult arguments, Pipeline pipeline) throws UsageException {
        String from = Specs.text(arguments, "--from-step");
        List<String> names = pipeline.steps().stream().map(Pipeline.Step::name).toList();
        if (!from.isEmpty() && !names.contains(from)) {
            throw new UsageException(
                    "--from-step "
                            + from
                            + ": there is no such step. Steps: "
                            + String.join(", ", names));
        }
        return from;
    }

    private static String plan(Pipeline pipeline) {
        TextTable table = new TextTable("step", "options", "needs", "checks", "prompt");
        for (Pipeline.Step step : pipeline.steps()) {
            table.row(
                    step.name(),
                    String.join(" ", step.options()),
                    String.join(", ", step.needs()),
                    String.valueOf(step.checks().size()),
                    planned(step.prompt(), pipeline).strip().lines().findFirst().orElse(""));
        }
        return table.toString();
    }

    private static String planJson(Pipeline pipeline) {
        List<RunsJson> steps = new ArrayList<>();
        for (Pipeline.Step step : pipeline.steps()) {
            steps.add(
                    new RunsJson()
                            .with("name", step.name())
                            .with("options", step.options())
                            .with("needs", step.needs())
                            .with("when", planned(step.when(), pipeline))
                            .with(
                                    "checks",
                                    step.checks().stream()
                                            .map(check -> planned(check, pipeline))
                                            .toList())
                            .with("prompt", planned(step.prompt(), pipeline)));
        }
        return RunsJson.result("pipeline", ExitCode.SUCCESS.code())
                .with("pipeline", pipeline.name())
                .with("dry_run", true)
                .with("steps", steps)
                .text();
    }

    private static String planned(String text, Pipeline pipeline) {
        return PipelineRun.planned(text, pipeline);
    }

    private static String text(List<PipelineRun.StepResult> results) {
        TextTable table = new TextTable("step", "state", "steps", "cost", "time", "why");
        StringBuilder more = new StringBuilder();
        String last = "";
        for (PipelineRun.StepResult result : results) {
            RunOutcome run = result.outcome();
            table.row(
                    result.name(),
                    state(result),
                    run == null ? "" : String.valueOf(run.steps()),
                    run == null ? "" : TextTable.usd(run.usd()),
                    run == null ? "" : run.took().toSeconds() + "s",
                    result.why().lines().findFirst().orElse(""));
            if (result.why().contains("\n")) { // with what to do
                more.append('\n').append(SafeText.block(result.name() + ": " + result.why()));
                more.append('\n');
            }
            last = run == null || run.text().isBlank() ? last : run.text();
        }
        return table.toString()
                + more
                + (last.isEmpty() ? "" : "\n" + SafeText.block(last.strip()) + "\n");
    }

    private static String state(PipelineRun.StepResult result) {
        return result.state().name().toLowerCase(Locale.ROOT);
    }

    private static String json(
            Pipeline pipeline, int code, List<PipelineRun.StepResult> results, SharedBudget purse) {
        return RunsJson.result("pipeline", code)
                .with("pipeline", pipeline.name())
                .cost(purse)
                .with("steps", results.stream().map(PipelineCommand::step).toList())
                .text();
    }

    private static RunsJson step(PipelineRun.StepResult result) {
        RunsJson step =
                new RunsJson()
                        .with("name", result.name())
                        .with("state", state(result))
                        .with("why", result.why());
        if (result.outcome() != null) {
            step.with("run", new RunsJson().outcome(result.outcome()));
        }
        return step.checks(result.checks());
    }
}
