package dev.agentloop.cli;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.ConfigException;
import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.ConfigSources;
import dev.agentloop.config.catalog.ModelCatalog;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent models list [PROVIDER]}. */
final class ModelsCommand implements Command {
    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "models", "List known models with limits and prices: list [PROVIDER].");
        spec.addPositional(Specs.words("list [PROVIDER]", "What to do."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> words = Specs.positional(arguments);
        if (words.isEmpty() || words.size() > 2 || !words.getFirst().equals("list")) {
            throw new UsageException("write agent models list, or agent models list PROVIDER.");
        }
        try {
            AgentConfig config =
                    ConfigLoader.load(
                                    ConfigSources.of(
                                            invocation.environment(),
                                            invocation.home(),
                                            invocation.currentDirectory()))
                            .config();
            print(config, words.size() == 2 ? words.get(1) : "", invocation);
            return ExitCode.SUCCESS.code();
        } catch (ConfigException e) {
            invocation.streams().printError("agent: " + e.getMessage() + "\n");
            return ExitCode.CONFIG_ERROR.code();
        }
    }

    private static void print(AgentConfig config, String provider, Invocation invocation)
            throws Exception {
        ModelCatalog catalog = ModelCatalog.of(config.providers());
        if (!provider.isEmpty() && catalog.provider(provider).isEmpty()) {
            throw new UsageException("there is no provider \"" + provider + "\".");
        }
        StringBuilder lines = new StringBuilder();
        for (ModelCatalog.Entry entry : catalog.models()) {
            if (provider.isEmpty() || entry.info().provider().equals(provider)) {
                lines.append(line(entry)).append('\n');
            }
        }
        invocation.streams().print(lines.toString());
    }

    private static String line(ModelCatalog.Entry entry) {
        AgentConfig.Price price = entry.price();
        String money =
                price.isKnown()
                        ? "$"
                                + text(price.input())
                                + " in, $"
                                + text(price.output())
                                + " out per 1M"
                        : "price unknown";
        return entry.info().id()
                + "  context "
                + number(entry.info().contextWindow())
                + ", output "
                + number(entry.info().maxOutputTokens())
                + ", "
                + money;
    }

    private static String text(Optional<java.math.BigDecimal> price) {
        return price.map(java.math.BigDecimal::toPlainString).orElse("?");
    }

    private static String number(int tokens) {
        return tokens == 0 ? "unknown" : Integer.toString(tokens);
    }
}
