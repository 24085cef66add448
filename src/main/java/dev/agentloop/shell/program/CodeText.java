package dev.agentloop.shell.program;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Commands inside the code of another language: {@code os.system('git push')}. */
final class CodeText {
    private static final Pattern RUNS =
            Pattern.compile(
                    "[sS]ystem|popen|subprocess|exec|spawn|run|call|shell|Open3|[pP]rocess|cmd|qx|%x|`|sh\\b");

    /** Quoted strings with nothing but commas between them are the words of one command. */
    private static final Pattern STRINGS =
            Pattern.compile(
                    "(?:\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`)"
                            + "(?:\\s*(?:,|\\.\\.?|\\+)?\\s*"
                            + "\\[?\\s*(?:\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'))*");

    private static final Pattern JOINED =
            Pattern.compile("[\"'`]\\s*(?:,|\\.\\.?|\\+)?\\s*\\[?\\s*[\"']");

    /** Where something begins: at the start, or behind a sign that is part of no word. */
    private static final Pattern BEGINNING = Pattern.compile("(?:^|[^\\w\\s./+-])\\s*([\\w./+-]+)");

    private static final Pattern BETWEEN = Pattern.compile("[^\\w./:@%+=-]+");
    private static final int MAX_BEGINNINGS = 10;
    private static final int MAX_LENGTH = 300; // of a command in code: its program and some words

    private CodeText() {}

    /** What begins with the name of a program: {@code ["git", "push"]}, {@code EXEC:git push}. */
    static List<String> beginnings(String code) {
        List<String> found = new ArrayList<>();
        Matcher matcher = BEGINNING.matcher(code);
        while (matcher.find() && found.size() < MAX_BEGINNINGS) {
            if (ProgramKinds.isCommandName(matcher.group(1))) {
                int start = matcher.start(1);
                String rest = code.substring(start, Math.min(code.length(), start + MAX_LENGTH));
                found.add(BETWEEN.matcher(rest).replaceAll(" ").strip());
            }
        }
        return found;
    }

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
            texts.addAll(beginnings(code));
        }
        return texts;
    }
}
