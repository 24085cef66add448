package dev.agentloop.cli;

import dev.agentloop.config.ConfigException;
import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.LoadedConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ParseResult;

/** Options for runs that begin later and elsewhere: what is wrong with them is told at once. */
final class RunWords {
    private RunWords() {}

    /** The options alone: with which files a run will read them, only its machine knows. */
    static void check(ParseResult arguments, Invocation invocation) throws UsageException {
        Map<String, List<String>> options = new LinkedHashMap<>(RunOption.configuration(arguments));
        options.remove("workspace");
        try {
            rules(ConfigLoader.ofOptions(options, invocation.currentDirectory()));
        } catch (ConfigException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /** The options, and the files of this machine that belong to no workspace. */
    static void checkWithFiles(ParseResult arguments, Invocation invocation) throws UsageException {
        try {
            Map<String, List<String>> options = RunOption.configuration(arguments);
            rules(ConfigLoader.load(RunPreparation.sources(arguments, invocation, options)));
        } catch (ConfigException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static void rules(LoadedConfig loaded) {
        RunPreparation.checkRules(loaded.config(), loaded);
    }
}
