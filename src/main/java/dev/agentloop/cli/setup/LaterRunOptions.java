package dev.agentloop.cli.setup;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OptionSettings;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.config.source.ConfigException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ParseResult;

/** Options for runs that begin later and elsewhere: what is wrong with them is told at once. */
public final class LaterRunOptions {
    private LaterRunOptions() {}

    /** The options alone: with which files a run will read them, only its machine knows. */
    public static void check(ParseResult arguments, Invocation invocation) throws UsageException {
        Map<String, List<String>> options = new LinkedHashMap<>(OptionSettings.of(arguments));
        options.remove("workspace");
        try {
            rules(ConfigLoader.ofOptions(options, invocation.currentDirectory()));
        } catch (ConfigException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /** The options, and the files of this machine that belong to no workspace. */
    public static void checkWithFiles(ParseResult arguments, Invocation invocation)
            throws UsageException {
        try {
            Map<String, List<String>> options = OptionSettings.of(arguments);
            rules(ConfigLoader.load(RunPreparation.sources(arguments, invocation, options)));
        } catch (ConfigException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static void rules(LoadedConfig loaded) {
        RunPreparation.checkRules(loaded.config(), loaded);
    }
}
