package dev.agentloop.cli;

import dev.agentloop.cli.CommandWords.Offer;
import dev.agentloop.cli.CommandWords.Word;
import dev.agentloop.cli.command.CommandRun;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.setup.KnownNames;
import dev.agentloop.cli.setup.McpStart;
import dev.agentloop.cli.setup.RunPreparation;
import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.config.catalog.ModelCatalog;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.skill.SkillSet;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * The names that a command line may use, under the configuration and in the workspace that its own
 * options choose. The workspace's own names count only if it is trusted.
 */
final class NamesInReach {
    private static final List<RunOption> CHOOSING =
            List.of(RunOption.CONFIG, RunOption.CWD, RunOption.MCP_CONFIG, RunOption.TRUST);

    private final Invocation invocation;
    private final List<String> before;
    private @Nullable Context found;

    NamesInReach(Invocation invocation, List<String> before) {
        Streams silent =
                new Streams(
                        InputStream.nullInputStream(),
                        OutputStream.nullOutputStream(),
                        OutputStream.nullOutputStream(),
                        false,
                        false,
                        false);
        this.invocation = invocation.withStreams(silent);
        this.before = before;
    }

    private record Context(Optional<RunPreparation.Alone> alone, ParseResult arguments) {
        Path workspace(Invocation invocation) {
            return alone.map(it -> it.loaded().config().workspace())
                    .orElse(invocation.currentDirectory());
        }
    }

    Offer models() {
        return texts(alone().stream().flatMap(it -> KnownNames.models(it.loaded().config())));
    }

    Offer providers() {
        return texts(
                alone().stream()
                        .flatMap(it ->
                                ModelCatalog.of(it.loaded().config().providers())
                                        .providers()
                                        .stream()));
    }

    Offer agents() {
        return texts(alone().stream().flatMap(it -> KnownNames.agents(it.loaded().config())));
    }

    Offer sessions() {
        return Offer.of(
                KnownNames.sessions(invocation, context().workspace(invocation)).stream()
                        .map(session -> new Word(session.id(), session.title())));
    }

    Offer skills() {
        try {
            Optional<RunPreparation.Alone> alone = alone();
            return alone.isEmpty()
                    ? Offer.NOTHING
                    : Offer.of(
                            SkillSet.of(
                                            alone.get()
                                                    .files()
                                                    .skills(
                                                            invocation,
                                                            context().workspace(invocation)))
                                    .skills()
                                    .values()
                                    .stream()
                                    .map(skill -> new Word(skill.name(), skill.description())));
        } catch (IOException e) {
            return Offer.NOTHING;
        }
    }

    Offer servers() {
        try {
            Optional<RunPreparation.Alone> alone = alone();
            return alone.isEmpty()
                    ? Offer.NOTHING
                    : texts(
                            McpStart.wanted(
                                            context().arguments(),
                                            invocation,
                                            alone.get().loaded().config())
                                    .keySet()
                                    .stream()
                                    .sorted());
        } catch (ConfigException e) {
            return Offer.NOTHING;
        }
    }

    private static Offer texts(Stream<String> names) {
        return Offer.of(names.map(name -> new Word(name, "")));
    }

    private Optional<RunPreparation.Alone> alone() {
        return context().alone();
    }

    private Context context() {
        if (found == null) {
            ParseResult arguments = choosing();
            try {
                found =
                        new Context(
                                Optional.of(RunPreparation.loadForTools(arguments, invocation)),
                                arguments);
            } catch (UsageException | ConfigException e) {
                found = new Context(Optional.empty(), arguments); // the command itself says why
            }
        }
        return found;
    }

    /** The options that choose the configuration and the workspace; the others stay out of it. */
    private ParseResult choosing() {
        CommandSpec spec = CommandSpec.create();
        RunOption.addTo(spec, CHOOSING);
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            String name = before.get(i).split("=", 2)[0];
            var option = spec.optionsMap().get(name);
            if (option != null) {
                kept.add(before.get(i));
                boolean apart = option.arity().min() > 0 && !before.get(i).contains("=");
                if (apart && i + 1 < before.size()) {
                    kept.add(before.get(++i));
                }
            }
        }
        return CommandRun.parser(spec).parseArgs(kept.toArray(String[]::new));
    }
}
