package dev.agentloop.cli;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.ConfigException;
import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.ConfigSources;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.llm.LlmException;
import dev.agentloop.output.SafeText;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent models list [PROVIDER]} and {@code agent models test MODEL}. */
final class ModelsCommand implements Command {
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

    @Override
    public OptionalInt refuse(String problem, List<String> words, Invocation invocation)
            throws IOException {
        ModelProblem refused = ModelProblem.of(new UsageException(problem));
        return OptionalInt.of(refused.report(invocation.streams(), words.contains("--json")));
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        boolean json = Specs.has(arguments, "--json");
        try {
            return act(arguments, invocation, json);
        } catch (LlmException e) {
            return ModelProblem.of(e).report(invocation.streams(), json);
        } catch (AuthException e) {
            return ModelProblem.of(e).report(invocation.streams(), json);
        } catch (ConfigException e) {
            return ModelProblem.of(e).report(invocation.streams(), json);
        } catch (UsageException e) {
            return ModelProblem.of(e).report(invocation.streams(), json);
        }
    }

    private static int act(ParseResult arguments, Invocation invocation, boolean json)
            throws Exception {
        List<String> words = Specs.positional(arguments);
        String verb = words.isEmpty() ? "" : words.getFirst();
        if (verb.equals("list") && words.size() <= 2) {
            refuse(arguments, OF_TEST, verb);
            String provider = words.size() == 2 ? words.get(1) : "";
            return new ModelList(invocation, config(invocation, arguments, Map.of()), provider)
                    .print(Specs.has(arguments, "--live"), json);
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
