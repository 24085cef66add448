package dev.agentloop.cli;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent schema events|result|models-test|hook|config}: the published JSON Schemas. */
final class SchemaCommand implements Command {
    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "schema",
                        "Print a published JSON Schema: events | result | models-test | hook | config.");
        spec.addPositional(Specs.words("events|result|models-test|hook|config", "Which one."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> words = Specs.positional(arguments);
        String name = words.size() == 1 ? words.getFirst() : "";
        String resource =
                switch (name) {
                    case "events", "result", "models-test", "hook" ->
                            "/schemas/" + name + ".schema.json";
                    case "config" -> "/config.schema.json";
                    default ->
                            throw new UsageException(
                                    "write agent schema events, result, models-test, hook or config.");
                };
        try (InputStream in = SchemaCommand.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("not in the jar: " + resource);
            }
            invocation.streams().out().write(in.readAllBytes());
            invocation.streams().out().flush();
        }
        return ExitCode.SUCCESS.code();
    }
}
