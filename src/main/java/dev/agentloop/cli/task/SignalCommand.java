package dev.agentloop.cli.task;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.durable.Tasks;
import dev.agentloop.durable.engine.DurableObjects;
import dev.agentloop.json.Json;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent signal}: tells a submitted task something that it may wait for. */
public final class SignalCommand implements Command {
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";
    private static final int MOST_CHARS = 8_000; // as much as the model gets of a result

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command("signal", "Send a submitted task a signal that it may wait for.");
        EngineOptions.addTo(spec);
        spec.addOption(Specs.flag("Print JSON.", "--json"));
        spec.addPositional(
                Specs.words("ID", "The task, the signal's name, and a text for the model."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        return TaskProblem.telling(arguments, invocation, this::work);
    }

    private int work(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> words = Specs.positional(arguments);
        if (words.size() < 2) {
            throw new UsageException("write agent signal ID NAME, or agent signal ID NAME TEXT.");
        }
        String name = words.get(1);
        if (!name.matches(NAME)) {
            throw new UsageException(
                    name + " is no name: letters, digits, '.', '_' and '-', at most 64.");
        }
        String text = String.join(" ", words.subList(2, words.size()));
        if (text.length() > MOST_CHARS) {
            throw new UsageException("the text has more than " + MOST_CHARS + " characters.");
        }
        try (DurableObjects objects =
                EngineOptions.open(arguments, invocation, EngineOptions.CLIENT)) {
            new Tasks(objects).signal(words.getFirst(), name, text);
            if (Specs.has(arguments, "--json")) {
                String id = Json.quote(words.getFirst());
                invocation
                        .streams()
                        .print("{\"id\":" + id + ",\"signal\":" + Json.quote(name) + "}\n");
            }
            return ExitCode.SUCCESS.code();
        }
    }
}
