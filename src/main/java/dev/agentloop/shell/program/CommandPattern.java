package dev.agentloop.shell.program;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the words of a command must hold, as a line of {@code commands/dangers.txt} says it. */
final class CommandPattern {
    private static final Pattern TOKEN = Pattern.compile("!?\"[^\"]*\"|\\S+");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/");
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private final String line;
    private @Nullable List<String> verbs;
    private List<String> others = List.of();

    /**
     * @param line everything after the colon
     */
    CommandPattern(String line) {
        this.line = line;
    }

    /** Read when a command is compared with it: of most lines none ever is. */
    private synchronized List<String> verbs() {
        List<String> known = verbs;
        if (known == null) {
            known = new ArrayList<>();
            List<String> rest = new ArrayList<>();
            Matcher matcher = TOKEN.matcher(line);
            while (matcher.find()) {
                String token = matcher.group();
                boolean other =
                        token.startsWith("-") || token.startsWith("\"") || token.startsWith("!");
                (other ? rest : known).add(token);
            }
            others = rest;
            verbs = known;
        }
        return known;
    }

    /**
     * Whether the command is meant.
     *
     * @param read what it reads as text besides its words
     */
    boolean matches(Subcommand command, String read) {
        return hasVerbs(verbs(), command, 0)
                && others.stream()
                        .allMatch(token ->
                                token.startsWith("!")
                                        ? !holds(token.substring(1), command, read)
                                        : holds(token, command, read));
    }

    private static boolean hasVerbs(List<String> tokens, Subcommand command, int at) {
        if (tokens.isEmpty()) {
            return true;
        }
        String token = tokens.getFirst();
        List<String> rest = tokens.subList(1, tokens.size());
        if (token.equals("...")) {
            for (int i = at; i <= command.operands().size(); i++) {
                if (hasVerbs(rest, command, i)) {
                    return true;
                }
            }
            return false;
        }
        for (String alternative : token.split("\\|")) {
            if (alternative.startsWith("-")) {
                if (isOption(alternative, command) && hasVerbs(rest, command, at)) {
                    return true;
                }
            } else if (at < command.operands().size()
                    && isWord(alternative, command.operand(at))
                    && hasVerbs(rest, command, at + 1)) {
                return true;
            }
        }
        return false;
    }

    /** At most two stars: at the beginning, the end, or within. */
    private static boolean isWord(String pattern, String word) {
        int star = pattern.indexOf('*');
        if (star < 0) {
            return word.equals(pattern);
        }
        int last = pattern.lastIndexOf('*');
        String before = pattern.substring(0, star);
        String after = pattern.substring(last + 1);
        String middle = star < last ? pattern.substring(star + 1, last) : "";
        return word.length() >= before.length() + middle.length() + after.length()
                && word.startsWith(before)
                && word.endsWith(after)
                && word.indexOf(middle, before.length()) >= 0;
    }

    private static boolean holds(String token, Subcommand command, String read) {
        if (token.startsWith("\"")) {
            String text =
                    COMMENT.matcher(String.join(" ", command.words()) + " " + read).replaceAll(" ");
            return Pattern.compile(token.substring(1, token.length() - 1), Pattern.CASE_INSENSITIVE)
                    .matcher(BLANKS.matcher(text).replaceAll(" "))
                    .find();
        }
        if (token.equals("@local")) {
            return LocalUrl.isLocal(command.name(), command.words());
        }
        return isOption(token, command);
    }

    private static boolean isOption(String token, Subcommand command) {
        int equals = token.indexOf('=');
        if (equals > 0) {
            return hasValue(
                    command.words(), token.substring(0, equals), token.substring(equals + 1));
        }
        if (token.endsWith("*")) {
            return command.hasAnyWith(token.substring(0, token.length() - 1));
        }
        boolean letter = token.length() == 2 && token.charAt(1) != '-';
        if (letter) {
            return command.hasFlag(token.charAt(1));
        }
        return command.words().stream()
                .anyMatch(word -> word.equals(token) || word.startsWith(token + "="));
    }

    private static boolean hasValue(List<String> words, String option, String values) {
        boolean letter = option.length() == 2;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String value = "";
            if (word.equals(option)) {
                value = i + 1 < words.size() ? words.get(i + 1) : "";
            } else if (word.startsWith(option + "=")) {
                value = word.substring(option.length() + 1);
            } else if (letter && Subcommand.isFlag(word, option.charAt(1))) {
                int at = word.indexOf(option.charAt(1)) + 1;
                boolean last = at == word.length() && i + 1 < words.size();
                value = last ? words.get(i + 1) : word.substring(at);
            }
            for (String one : values.split("\\|")) {
                if (!value.isEmpty()
                        && value.toUpperCase(java.util.Locale.ROOT)
                                .equals(one.toUpperCase(java.util.Locale.ROOT))) {
                    return true;
                }
            }
        }
        return false;
    }
}
