package dev.agentloop.cli.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ParseResult;

/** What the options of a command line set in the configuration. */
public final class OptionSettings {
    private OptionSettings() {}

    /** Configuration keys that the command line sets, each with its texts. */
    public static Map<String, List<String>> of(ParseResult arguments) {
        Map<String, List<String>> options = new LinkedHashMap<>();
        for (RunOption option : RunOption.values()) {
            if (!option.key().isEmpty() && option.isGiven(arguments)) {
                put(options, option, arguments);
            }
        }
        for (String host : RunOption.ALLOW_NET.texts(arguments)) {
            if (host.isEmpty()) {
                options.put("sandbox.network", List.of("on"));
            } else {
                options.computeIfAbsent("permissions.allow", _ -> new ArrayList<>())
                        .add("web_fetch(" + host + ")");
            }
        }
        return options;
    }

    private static void put(
            Map<String, List<String>> options, RunOption option, ParseResult arguments) {
        String key = option.key();
        if (option.kind() == RunOption.Kind.FLAG) {
            int equals = key.indexOf('=');
            options.put(key.substring(0, equals), List.of(key.substring(equals + 1)));
        } else if (option.kind() == RunOption.Kind.COMMAS) {
            options.put(key, List.of(option.text(arguments).split(",", -1)));
        } else {
            options.put(key, new ArrayList<>(option.texts(arguments)));
        }
    }
}
