package dev.agentloop.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Options whose value is optional take it only with an equals sign: {@code --allow-net "fix it"}
 * would else lose its task to the option.
 */
final class BareOptions {
    private static final List<String> NAMES = List.of("--allow-net");

    private BareOptions() {}

    /** The words with an empty value behind each such option that has none. */
    static String[] attached(String[] words, CommandSpec spec) {
        String[] attached = words.clone();
        for (int i = 0; i < words.length && !words[i].equals("--"); i++) {
            boolean isValue = i > 0 && takesNext(words[i - 1], spec.optionsMap());
            if (!isValue && NAMES.contains(words[i])) {
                attached[i] = words[i] + "=";
            }
        }
        return attached;
    }

    private static boolean takesNext(String word, Map<String, OptionSpec> options) {
        OptionSpec option = options.get(word);
        return option != null && option.arity().min() > 0 && !NAMES.contains(word);
    }
}
