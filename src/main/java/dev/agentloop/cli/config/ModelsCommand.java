package dev.agentloop.cli.config;

import dev.agentloop.cli.command.AuthException;
import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Signals;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.ConfigSources;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.LlmException;
import dev.agentloop.output.SafeText;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent models list [PROVIDER]} and {@code agent models test MODEL}. */
public final class ModelsCommand implements Command {
    private static final List<String> OF_LIST = List.of("--live");
    private static final List<String> OF_TEST =
            List.of("--base-url", "--protocol", "--api-key-env");
    private static final String USAGE =
            "write agent models list, agent models list PROVIDER, or agent models test"
                    + " PROVIDER/MODEL";

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "models",
                        "List models with limits, prices and abilities, or send one small request"
                                + " to one: list [PROVIDER] | test PROVIDER/MODEL.");
        spec.addOption(Specs.flag("list: ask the providers which models they have now.", "--live"));
        spec.addOption(Specs.value("URL", "test: base URL of the provider's API.", "--base-url"));
        spec.addOption(
                Specs.value("PROTOCOL", "test: wire protocol, e.g. openai-chat.", "--protocol"));
        spec.addOption(
                Specs.value(
                        "NAME", "test: environment variable that holds the key.", "--api-key-env"));
        spec.addOption(Specs.value("FILE", "One more configuration file.", "-c", "--config"));
        spec.addOption(Specs.flag("One JSON object.", "--json"));
        spec.addPositional(Specs.words("list [PROVIDER]|test MODEL", "What to do."));
        return spec;
    }

    /** What stands on standard output in the end. */
    record Answer(String text, ExitCode exit) {}

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        boolean json = Specs.has(arguments, "--json");
        try (Signals signals = trap(invocation, json)) {
            CommandProblem problem;
            try {
                Answer answer = act(arguments, invocation, json);
                signals.dismiss(); // there is one object, the answer's or the signal's
                return print(answer, invocation);
            } catch (LlmException e) {
                problem = CommandProblem.of(e);
            } catch (AuthException e) {
                problem = CommandProblem.of(e);
            } catch (ConfigException e) {
                problem = CommandProblem.of(e);
            } catch (UsageException e) {
                problem = CommandProblem.of(e);
            }
            signals.dismiss();
            return problem.report(invocation.streams(), json);
        }
    }

    /** A reader that takes nothing must not keep the program from being ended. */
    private static int print(Answer answer, Invocation invocation) throws IOException {
        try (Signals _ = trapWhilePrinting(invocation)) {
            invocation.streams().print(answer.text());
            return answer.exit().code();
        }
    }

    private static Signals trapWhilePrinting(Invocation invocation) {
        return invocation.ownsProcess()
                ? Signals.endAtOnce(new Cancellation(), invocation.streams(), () -> {})
                : Signals.none();
    }

    /** The call is not told: it would report a second end while the signal's is on its way. */
    private static Signals trap(Invocation invocation, boolean json) {
        if (!invocation.ownsProcess()) {
            return Signals.none();
        }
        Cancellation interrupts = new Cancellation();
        return Signals.endAtOnce(
                interrupts,
                invocation.streams(),
                new Signals.ForcedEnd() {
                    @Override
                    public void killChildren() {} // it has none

                    @Override
                    public void lastWords() {
                        try {
                            CommandProblem.stoppedBy(Signals.nameOf(interrupts))
                                    .report(invocation.streams(), json);
                        } catch (IOException e) {
                            return; // nobody reads it, and the exit code says the same
                        }
                    }
                });
    }

    private static Answer act(ParseResult arguments, Invocation invocation, boolean json)
            throws Exception {
        List<String> words = Specs.positional(arguments);
        String verb = words.isEmpty() ? "" : words.getFirst();
        if (verb.equals("list") && words.size() <= 2) {
            refuse(arguments, OF_TEST, verb);
            String provider = words.size() == 2 ? words.get(1) : "";
            return new ModelList(invocation, config(invocation, arguments, Map.of()), provider)
                    .answer(Specs.has(arguments, "--live"), json);
        }
        if (verb.equals("test") && words.size() == 2) {
            refuse(arguments, OF_LIST, verb);
            return new ModelTrial(arguments, invocation).test(words.get(1), json);
        }
        boolean known = verb.isEmpty() || verb.equals("list") || verb.equals("test");
        throw new UsageException(
                known ? USAGE + "." : SafeText.line(verb, 80) + " is not known: " + USAGE + ".");
    }

    private static void refuse(ParseResult arguments, List<String> options, String verb)
            throws UsageException {
        for (String option : options) {
            if (arguments.hasMatchedOption(option)) {
                throw new UsageException("agent models " + verb + " has no " + option + ".");
            }
        }
    }

    /** The configuration under these options; what is odd about it is told. */
    static AgentConfig config(
            Invocation invocation, ParseResult arguments, Map<String, List<String>> options) {
        return load(invocation, arguments, options).config();
    }

    /** The same with its history. */
    static LoadedConfig load(
            Invocation invocation, ParseResult arguments, Map<String, List<String>> options) {
        ConfigSources sources =
                ConfigSources.of(
                                invocation.environment(),
                                invocation.home(),
                                invocation.currentDirectory())
                        .withOptions(options);
        String file = Specs.text(arguments, "--config");
        LoadedConfig loaded =
                ConfigLoader.load(
                        file.isEmpty()
                                ? sources
                                : sources.withConfigFile(
                                        invocation.currentDirectory().resolve(file)));
        loaded.warnings().forEach(warning -> invocation.streams().printError(warning + "\n"));
        return loaded;
    }
}
