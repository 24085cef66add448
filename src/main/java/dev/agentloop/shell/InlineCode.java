package dev.agentloop.shell;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Programs that get a program, or the name of one, in an option. */
final class InlineCode {
    private static final Set<String> AWKS = Set.of("awk", "gawk", "mawk", "nawk");

    private InlineCode() {}

    /** Why it is not known what the command starts, if so. */
    static Optional<String> unclear(SimpleCommand command) {
        List<String> words = command.texts();
        String name = command.name();
        boolean runs =
                switch (name) {
                    case "perl", "ruby", "lua" -> hasLetter(words, 'e') || hasLetter(words, 'E');
                    case "node", "bun", "deno" ->
                            hasLetter(words, 'e')
                                    || hasLetter(words, 'p')
                                    || words.contains("--eval")
                                    || words.contains("--print");
                    case "php" -> hasLetter(words, 'r');
                    case "git" -> isGitRunner(words);
                    case "tar", "bsdtar" -> words.stream().anyMatch(InlineCode::isTarRunner);
                    case "su", "script", "at", "batch", "crontab" -> true;
                    default ->
                            name.startsWith("python") && hasLetter(words, 'c')
                                    || AWKS.contains(name)
                                            && words.stream().anyMatch(InlineCode::isAwkRunner);
                };
        return runs ? Optional.of(name + " runs a program given as text") : Optional.empty();
    }

    /** Text for a shell among the words. */
    static Optional<String> shellText(SimpleCommand command) {
        List<String> words = command.texts();
        int at =
                switch (command.name()) {
                    case "su", "script" -> words.indexOf("-c") + 1;
                    case "git" -> gitText(words);
                    default -> 0;
                };
        if (at <= 0 || at >= words.size()) {
            return Optional.empty();
        }
        return Optional.of(String.join(" ", words.subList(at, words.size())));
    }

    /** Flags of one dash, where the letter may stand among others. */
    private static boolean hasLetter(List<String> words, char letter) {
        return words.stream()
                .anyMatch(word ->
                        word.startsWith("-") && !word.startsWith("--") && word.indexOf(letter) > 0);
    }

    private static boolean isGitRunner(List<String> words) {
        return setsConfiguration(words)
                || words.stream().anyMatch(word -> word.startsWith("--config-env"))
                || words.stream().anyMatch(word -> word.startsWith("--upload-pack"))
                || words.stream().anyMatch(word -> word.startsWith("--exec"))
                || words.stream().anyMatch(word -> word.startsWith("ext::"))
                || gitText(words) > 0;
    }

    /** {@code git -c name=value}: many names are those of programs. */
    private static boolean setsConfiguration(List<String> words) {
        int at = 0;
        while (at < words.size() && words.get(at).startsWith("-")) {
            if (words.get(at).startsWith("-c")) {
                return true;
            }
            at += words.get(at).equals("-C") ? 2 : 1;
        }
        return false;
    }

    private static int gitText(List<String> words) {
        if (words.contains("bisect") && words.contains("run")) {
            return words.indexOf("run") + 1;
        }
        if (words.contains("foreach")) {
            return words.indexOf("foreach") + 1;
        }
        return words.contains("rebase") ? words.indexOf("-x") + 1 : 0;
    }

    private static boolean isTarRunner(String word) {
        return word.startsWith("--to-c")
                || word.startsWith("--checkpoint-a")
                || word.startsWith("--use-c")
                || word.startsWith("-I")
                || word.startsWith("--rsh");
    }

    private static boolean isAwkRunner(String word) {
        return word.contains("system")
                || word.contains("getline")
                || word.indexOf('|') >= 0
                || word.indexOf('>') >= 0
                || word.indexOf('@') >= 0;
    }
}
