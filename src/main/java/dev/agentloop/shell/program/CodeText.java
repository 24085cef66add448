package dev.agentloop.shell.program;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Commands inside the code of another language: {@code os.system('git push')}. */
final class CodeText {
    private static final Pattern RUNS =
            Pattern.compile(
                    "system|popen|subprocess|exec|spawn|run|call|shell|Open3|Process|qx|%x|`|sh\\b");

    /** Quoted strings with nothing but commas between them are the words of one command. */
    private static final Pattern STRINGS =
            Pattern.compile(
                    "(?:\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`)"
                            + "(?:\\s*(?:,|\\.\\.?|\\+)?\\s*"
                            + "\\[?\\s*(?:\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'))*");

    private static final Pattern JOINED =
            Pattern.compile("[\"'`]\\s*(?:,|\\.\\.?|\\+)?\\s*\\[?\\s*[\"']");

    private CodeText() {}

    /** Texts that the code may give to a shell, or run as a program. */
    static List<String> commands(String code) {
        List<String> texts = new ArrayList<>();
        if (RUNS.matcher(code).find()) {
            Matcher strings = STRINGS.matcher(code);
            StringBuilder all = new StringBuilder();
            while (strings.find()) {
                String text =
                        JOINED.matcher(strings.group())
                                .replaceAll(found -> found.group().contains(",") ? " " : "");
                texts.add(text.substring(1, text.length() - 1));
                all.append(text, 1, text.length() - 1).append(' ');
            }
            if (!all.isEmpty()) {
                texts.add(all.toString().strip());
            }
            Matcher quoted = Pattern.compile("(?:qx|%x|q|qq)[{(\\[/]([^})\\]/]*)").matcher(code);
            while (quoted.find()) {
                texts.add(quoted.group(1));
            }
        }
        return texts;
    }
}
