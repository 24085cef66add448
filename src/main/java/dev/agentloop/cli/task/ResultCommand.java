package dev.agentloop.cli.task;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.run.RefusedRun;
import dev.agentloop.durable.DurableTask;
import dev.agentloop.durable.Outcome;
import dev.agentloop.durable.Tasks;
import dev.agentloop.durable.engine.DurableException;
import dev.agentloop.durable.engine.DurableObjects;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.output.SafeText;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent result}: what {@code agent run} would have printed, and its exit code. */
public final class ResultCommand implements Command {
    private static final long LOOK_MILLIS = 300;

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "result", "Print a submitted task's result; exit with its exit code.");
        EngineOptions.addTo(spec);
        spec.addOption(Specs.flag("Wait for the task's end.", "--wait"));
        spec.addOption(Specs.flag("The whole result as one JSON object.", "--json"));
        spec.addPositional(Specs.words("ID", "The task, as agent submit printed it."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        return TaskProblem.telling(arguments, invocation, this::work);
    }

    private int work(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> words = Specs.positional(arguments);
        if (words.size() != 1) {
            throw new UsageException("write agent result ID.");
        }
        try (DurableObjects objects =
                EngineOptions.open(arguments, invocation, EngineOptions.CLIENT)) {
            return print(arguments, invocation, new Tasks(objects), words.getFirst());
        }
    }

    /** Prints the result, with {@code --wait} as soon as there is one; the exit code. */
    static int print(ParseResult arguments, Invocation invocation, Tasks tasks, String id)
            throws DurableException, IOException, InterruptedException {
        Tasks.View view = tasks.view(id);
        while (view.outcome().isEmpty() && Specs.has(arguments, "--wait")) {
            Thread.sleep(LOOK_MILLIS);
            view = tasks.view(id);
        }
        boolean json = Specs.has(arguments, "--json");
        if (view.outcome().isEmpty()) {
            return TaskProblem.notDone(id, view).report(invocation.streams(), json);
        }
        Outcome outcome = view.outcome().get();
        if (outcome.result().isEmpty()) {
            return notBegun(outcome, json, invocation);
        }
        invocation
                .streams()
                .print((json ? outcome.result() : text(view, outcome, invocation)) + "\n");
        return outcome.exitCode();
    }

    /** Told in the form of a run that is refused; what ended it is the worker's to know. */
    private static int notBegun(Outcome outcome, boolean json, Invocation invocation) {
        StopReason reason =
                switch (outcome.exitCode()) {
                    case 2 -> StopReason.BUDGET_EXCEEDED; // no money was left to begin it with
                    case 3 -> StopReason.CONFIG_ERROR;
                    case 4 -> StopReason.AUTH_ERROR;
                    case 5 -> StopReason.TIMEOUT;
                    case 130 -> StopReason.USER_INTERRUPT;
                    default -> StopReason.INTERNAL_ERROR;
                };
        if (json) {
            RefusedRun.report(reason, outcome.error(), OutputFormat.JSON, invocation);
        } else {
            invocation.streams().printError("agent: " + SafeText.block(outcome.error()) + "\n");
        }
        return outcome.exitCode();
    }

    /** Why it ended before it was done; of money how much, whose, and how to give more. */
    private static String early(DurableTask task, JsonValue all) {
        String reason = all.at("stop_reason").textOr("");
        String ended = "task " + task.id() + " ended early: " + reason;
        if (!reason.equals(StopReason.BUDGET_EXCEEDED.wireName())) {
            return ended;
        }
        JsonValue cost = all.at("cost");
        String cap = cost.at("cap_usd").isNumber() ? " of " + cost.at("cap_usd").raw() : "";
        String spent = cost.at("usd").isNumber() ? cost.at("usd").raw() + cap + " USD" : "all";
        boolean grouped = !task.group().isEmpty();
        boolean tokens =
                task.options().stream().anyMatch(it -> it.startsWith("--max-tokens-total"));
        return ended
                + ", "
                + spent
                + " spent"
                + (grouped ? ", its share of the budget of group " + task.group() : "")
                + ". Submit it under a new id with "
                + (grouped ? "a larger --share, or to another group" : "a larger --budget")
                + (tokens ? ", or a larger --max-tokens-total." : ".");
    }

    private static String text(Tasks.View view, Outcome outcome, Invocation invocation)
            throws IOException {
        try {
            JsonValue all = Json.parse(outcome.result());
            for (JsonValue error : all.at("errors").items()) {
                String message = SafeText.block(error.at("message").textOr(""));
                invocation.streams().printError("agent: " + message + "\n");
            }
            if (all.at("status").textOr("").equals("partial")) {
                String why = early(view.task(), all);
                invocation.streams().printError("agent: " + SafeText.block(why) + "\n");
            }
            return SafeText.block(all.at("result").textOr(""));
        } catch (JsonException e) {
            return SafeText.block(outcome.result());
        }
    }
}
