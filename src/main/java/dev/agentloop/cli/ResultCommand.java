package dev.agentloop.cli;

import dev.agentloop.durable.Outcome;
import dev.agentloop.durable.Tasks;
import dev.agentloop.durable.engine.DurableException;
import dev.agentloop.durable.engine.DurableObjects;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.output.SafeText;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent result}: what {@code agent run} would have printed, and its exit code. */
final class ResultCommand implements Command {
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
        List<String> words = Specs.positional(arguments);
        if (words.size() != 1) {
            throw new UsageException("write agent result ID.");
        }
        try (DurableObjects objects =
                EngineOptions.open(arguments, invocation, EngineOptions.CLIENT)) {
            return print(arguments, invocation, new Tasks(objects), words.getFirst());
        } catch (DurableException e) {
            invocation.streams().printError("agent: " + e.getMessage() + "\n");
            return ExitCode.FAILED.code();
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
        if (view.outcome().isEmpty()) {
            invocation
                    .streams()
                    .printError(
                            "agent: task "
                                    + id
                                    + " is not done, it is "
                                    + view.state()
                                    + ". Add --wait to wait for its end.\n");
            return ExitCode.FAILED.code();
        }
        Outcome outcome = view.outcome().get();
        if (!outcome.result().isEmpty()) {
            boolean json = Specs.has(arguments, "--json");
            invocation
                    .streams()
                    .print((json ? outcome.result() : text(outcome.result(), invocation)) + "\n");
        } else {
            invocation.streams().printError("agent: " + SafeText.block(outcome.error()) + "\n");
        }
        return outcome.exitCode();
    }

    private static String text(String result, Invocation invocation) throws IOException {
        try {
            JsonValue all = Json.parse(result);
            for (JsonValue error : all.at("errors").items()) {
                String message = SafeText.block(error.at("message").textOr(""));
                invocation.streams().printError("agent: " + message + "\n");
            }
            return SafeText.block(all.at("result").textOr(""));
        } catch (JsonException e) {
            return SafeText.block(result);
        }
    }
}
