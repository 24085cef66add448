package dev.agentloop.cli.command;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Options whose value is optional take it only with an equals sign: {@code --allow-net "fix it"}
 * would else lose its task to the option.
 */
final class BareOptions {
    private static final List<String> NAMES = List.of("--allow-net");

    private static final Pattern SERVER =
            Pattern.compile(
                    "((\\*\\.)?([A-Za-z0-9-]+\\.)+[A-Za-z]{2,}|localhost|\\d+(\\.\\d+){3})(:\\d+)?");

    private BareOptions() {}

    /** The words with an empty value behind each such option that has none. */
    static String[] attached(String[] words, CommandSpec spec) {
        String[] attached = words.clone();
        for (int i = 0; i < words.length && !words[i].equals("--"); i++) {
            boolean isValue = i > 0 && takesNext(words[i - 1], spec.optionsMap());
            if (!isValue && NAMES.contains(words[i])) {
                refuseServer(words, i, spec);
                attached[i] = words[i] + "=";
            } else if (!isValue && isOptional(words[i], spec) && isOptionNext(words, i)) {
                attached[i] = words[i] + "=";
            }
        }
        return attached;
    }

    /** Of a command without a task: a word behind it is its value, another option is none. */
    private static boolean isOptional(String word, CommandSpec spec) {
        OptionSpec option = spec.optionsMap().get(word);
        return option != null && option.arity().min() == 0 && option.arity().max() == 1;
    }

    private static boolean isOptionNext(String[] words, int at) {
        return at + 1 == words.length || words[at + 1].startsWith("-");
    }

    /** It would become part of the task, and the option would mean all servers. */
    private static void refuseServer(String[] words, int at, CommandSpec spec) {
        String next = at + 1 < words.length ? words[at + 1] : "";
        if (SERVER.matcher(next).matches()) {
            throw new ParameterException(
                    new CommandLine(spec),
                    "%s takes a server behind an equals sign: %s=%s"
                            .formatted(words[at], words[at], next));
        }
    }

    private static boolean takesNext(String word, Map<String, OptionSpec> options) {
        OptionSpec option = options.get(word);
        return option != null && option.arity().min() > 0 && !NAMES.contains(word);
    }
}
