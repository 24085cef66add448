package dev.agentloop.cli.config;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.setup.ModelSelection;
import dev.agentloop.cli.setup.RunPreparation;
import dev.agentloop.cli.workspace.WorkspaceTrust;
import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.ConfigSources;
import dev.agentloop.config.ConfigTemplate;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.config.source.ProjectStanding;
import dev.agentloop.output.SafeText;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent config show|validate|init|path|trust}. */
public final class ConfigCommand implements Command {
    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "config",
                        "Show, check or begin the configuration, or trust this workspace: show |"
                                + " validate | init | path | trust.");
        spec.addOption(Specs.flag("show: say where each value comes from.", "--origin"));
        spec.addOption(Specs.value("FILE", "One more configuration file.", "-c", "--config"));
        spec.addOption(Specs.flag("Read this workspace's own configuration too.", "--trust"));
        spec.addOption(
                Specs.flag(
                        "init: write .agent/config.yaml here, not the user's file.", "--project"));
        spec.addOption(Specs.flag("trust: say whether it is trusted, decide nothing.", "--show"));
        spec.addOption(
                Specs.flag("trust: take it back, with all that was always allowed.", "--revoke"));
        spec.addPositional(Specs.words("show|validate|init|path|trust", "What to do."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> words = Specs.positional(arguments);
        String action = words.size() == 1 ? words.getFirst() : "";
        return switch (action) {
            case "show" -> show(arguments, invocation);
            case "validate" -> validate(arguments, invocation);
            case "init" -> init(arguments, invocation);
            case "path" -> path(arguments, invocation);
            case "trust" -> trust(arguments, invocation);
            default ->
                    throw new UsageException(
                            "write agent config show, validate, init, path or trust.");
        };
    }

    private static int show(ParseResult arguments, Invocation invocation) throws IOException {
        LoadedConfig loaded = load(arguments, invocation);
        invocation.streams().print(loaded.report().text(Specs.has(arguments, "--origin")));
        return ExitCode.SUCCESS.code();
    }

    /** What the first steps of a run would refuse is refused here, too. */
    private static int validate(ParseResult arguments, Invocation invocation) throws Exception {
        LoadedConfig loaded = load(arguments, invocation);
        RunPreparation.checkRules(loaded.config(), loaded);
        try {
            ModelSelection.checkConfigured(
                    loaded.forAgent(RunPreparation.USUAL_AGENT),
                    invocation.environment(),
                    loaded.origin("limits.budget"));
        } catch (ConfigException e) {
            throw loaded.located(e, RunPreparation.USUAL_AGENT);
        }
        invocation.streams().print("The configuration is valid.\n");
        return ExitCode.SUCCESS.code();
    }

    private static int init(ParseResult arguments, Invocation invocation) throws IOException {
        Path file =
                Specs.has(arguments, "--project")
                        ? invocation.currentDirectory().resolve(".agent/config.yaml")
                        : invocation.xdg("XDG_CONFIG_HOME", ".config").resolve("config.yaml");
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, ConfigTemplate.text(), StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            invocation.streams().printError("agent: " + file + " exists; it was left alone.\n");
            return ExitCode.CONFIG_ERROR.code();
        }
        invocation.streams().print(file + "\n");
        return ExitCode.SUCCESS.code();
    }

    private static int path(ParseResult arguments, Invocation invocation) throws IOException {
        for (ConfigLoader.Place place : ConfigLoader.places(sources(arguments, invocation))) {
            invocation.streams().print(place.file() + "  (" + place.state() + ")\n");
        }
        return ExitCode.SUCCESS.code();
    }

    private static int trust(ParseResult arguments, Invocation invocation)
            throws IOException, UsageException {
        Path folder = ConfigLoader.workspace(sources(arguments, invocation));
        WorkspaceTrust trust = WorkspaceTrust.of(invocation, folder);
        String root = SafeText.line(trust.identity().root().toString());
        if (Specs.has(arguments, "--revoke")) {
            boolean was = WorkspaceTrust.store(invocation).forget(trust.identity());
            invocation
                    .streams()
                    .print((was ? "No longer trusted: " : "Was not trusted: ") + root + "\n");
            return ExitCode.SUCCESS.code();
        }
        if (Specs.has(arguments, "--show")) {
            String standing =
                    switch (trust.standing()) {
                        case TRUSTED -> "Trusted: ";
                        case CHANGED, REPLACED -> "Was trusted, but is not what it was: ";
                        case UNKNOWN -> "Not trusted: ";
                    };
            StringBuilder text = new StringBuilder(standing + root + "\n");
            trust.always()
                    .forEach(rule ->
                            text.append("  always allowed: ")
                                    .append(SafeText.line(rule))
                                    .append('\n'));
            invocation.streams().print(text.toString());
            return ExitCode.SUCCESS.code();
        }
        if (!trust.doubt().isEmpty()) {
            throw new UsageException(
                    "a decision to trust this workspace would not hold: "
                            + trust.doubt()
                            + ".\n  --trust trusts it for one run.");
        }
        trust.decide();
        invocation.streams().print("Trusted: " + root + "\n");
        for (Path file : trust.identity().configFiles()) {
            invocation.streams().print("  as it is now: " + SafeText.line(file.toString()) + "\n");
        }
        return ExitCode.SUCCESS.code();
    }

    private static LoadedConfig load(ParseResult arguments, Invocation invocation) {
        LoadedConfig loaded = ConfigLoader.load(sources(arguments, invocation));
        loaded.warnings().forEach(warning -> invocation.streams().printError(warning + "\n"));
        return loaded;
    }

    private static ConfigSources sources(ParseResult arguments, Invocation invocation) {
        String file = Specs.text(arguments, "--config");
        ConfigSources sources =
                new ConfigSources(
                        invocation.environment(),
                        invocation.home(),
                        invocation.currentDirectory(),
                        ProjectStanding.UNKNOWN,
                        file.isEmpty()
                                ? Optional.empty()
                                : Optional.of(invocation.currentDirectory().resolve(file)),
                        Map.of());
        WorkspaceTrust trust = WorkspaceTrust.of(invocation, ConfigLoader.workspace(sources));
        if (Specs.has(arguments, "--trust")) {
            trust.trustForNow();
        }
        return sources.with(trust.project());
    }
}
