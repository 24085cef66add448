package dev.agentloop.shell.program;

import java.util.List;
import java.util.regex.Pattern;

/** Scripts of {@code awk}: whether one starts a program, or writes a file. */
final class AwkScript {
    private static final Pattern RUNS = Pattern.compile("system|getline|@");
    private static final Pattern SIGNS = Pattern.compile("[|>]");

    /** With other options than these, several words together may be the script. */
    private static final Pattern PLAIN_OPTION = Pattern.compile("-F.*|-v.*|--(posix|traditional|)");

    private static final Pattern LOADS =
            Pattern.compile("-[lE].*|--(load|exec).*|-i|--include.*|-W|-iinplace");

    private final String script;
    private int at;
    private int braces;
    private int parentheses;
    private char before = '\n'; // the last sign that is no blank

    private AwkScript(String script) {
        this.script = script;
    }

    static boolean runs(List<String> words) {
        boolean plain =
                words.stream()
                        .allMatch(word ->
                                !word.startsWith("-") || PLAIN_OPTION.matcher(word).matches());
        return words.stream()
                .anyMatch(word ->
                        LOADS.matcher(word).matches()
                                || RUNS.matcher(word).find()
                                || SIGNS.matcher(word).find()
                                        && !word.matches("-F.{1,3}|[|>]")
                                        && !(plain && new AwkScript(word).compares()));
    }

    /** Whether each sign of a pipe or of a file is a comparison, or text: in doubt it is not. */
    private boolean compares() {
        while (at < script.length()) {
            char c = script.charAt(at);
            boolean known =
                    switch (c) {
                        case '"' -> skipTo('"');
                        case '/' -> !beginsExpression() || skipTo('/');
                        case '|' -> isOr();
                        case '>' -> braces == 0 && parentheses == 0 || parentheses > 0;
                        case '#', '\\' -> false;
                        default -> true;
                    };
            braces += c == '{' ? 1 : c == '}' ? -1 : 0;
            parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (!known || braces < 0 || parentheses < 0) {
                return false;
            }
            before = Character.isWhitespace(c) && c != '\n' ? before : c;
            at++;
        }
        return braces == 0 && parentheses == 0;
    }

    /** Where a slash cannot divide, it begins an expression. */
    private boolean beginsExpression() {
        return "\n(,~!{;&|}".indexOf(before) >= 0;
    }

    private boolean isOr() {
        boolean or = script.startsWith("||", at) && !script.startsWith("|||", at);
        at += or ? 1 : 0;
        return or;
    }

    /** To the end of a string or an expression; one with an open bracket may end elsewhere. */
    private boolean skipTo(char end) {
        int open = 0;
        for (at++; at < script.length(); at++) {
            char c = script.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == '\n') {
                return false;
            } else if (c == end) {
                return open == 0;
            } else if (end == '/') {
                open += c == '[' ? 1 : c == ']' ? -1 : 0;
            }
        }
        return false;
    }
}
