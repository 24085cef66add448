package dev.agentloop.verification;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The programs that a shell line starts, and what stands behind each. Good enough to recognise a
 * test run, not to judge what a line may do.
 */
final class CommandParts {
    /**
     * One program with its words.
     *
     * @param decides whether the exit code of the line is not 0 when this program fails
     */
    record Part(List<String> words, boolean decides) {}

    /** Words whose program's failure does not end the line with a failure. */
    private static final Set<String> CONDITIONS = Set.of("!", "if", "elif", "while", "until");

    private static final Pattern HERE_DOCUMENT =
            Pattern.compile("(?<!<)<<-?\\s*['\"\\\\]?([\\w.-]+)['\"]?");
    private static final String BACKGROUND = "&";
    private static final int MOST_SHELLS = 5; // one within the other

    private final String line;
    private final int depth;
    private final List<List<String>> programs = new ArrayList<>();
    private final List<String> operators = new ArrayList<>(); // behind each program
    private List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;

    private CommandParts(String line, int depth) {
        this.line = withoutHereDocuments(line);
        this.depth = depth;
    }

    static List<Part> of(String line) {
        return new CommandParts(line, 0).parts();
    }

    /** What is written to a file or told to a program starts none. */
    private static String withoutHereDocuments(String line) {
        if (!line.contains("<<")) {
            return line;
        }
        StringBuilder kept = new StringBuilder();
        String end = "";
        for (String one : line.split("\n", -1)) {
            if (!end.isEmpty()) {
                end = one.strip().equals(end) ? "" : end;
                continue;
            }
            kept.append(one).append('\n');
            Matcher here = HERE_DOCUMENT.matcher(one);
            end = here.find() ? here.group(1) : "";
        }
        return kept.toString();
    }

    private List<Part> parts() {
        read();
        boolean pipefail = line.contains("pipefail");
        boolean stops = line.contains("set -e");
        boolean decides = true;
        ArrayDeque<Part> parts = new ArrayDeque<>();
        for (int i = programs.size() - 1; i >= 0; i--) {
            String behind = operators.get(i);
            if (behind.equals(BACKGROUND)) {
                decides = false;
            } else if (!parts.isEmpty()) {
                boolean piped = behind.equals("|");
                decides &= piped ? pipefail : behind.equals("&&") || behind.equals(";") && stops;
            }
            boolean asked = CONDITIONS.contains(programs.get(i).getFirst());
            inner(programs.get(i), decides && !asked).reversed().forEach(parts::addFirst);
        }
        return List.copyOf(parts);
    }

    /** The program, or those of the line that a shell is given: {@code bash -c "pytest -q"}. */
    private List<Part> inner(List<String> words, boolean decides) {
        for (int at = 0; at + 2 < words.size() && depth < MOST_SHELLS; at++) {
            String name = words.get(at).substring(words.get(at).lastIndexOf('/') + 1);
            if (CheckCommands.SHELLS.contains(name) && words.get(at + 1).matches("-[a-z]*c")) {
                return new CommandParts(words.get(at + 2), depth + 1)
                        .parts().stream()
                                .map(part -> new Part(part.words(), decides && part.decides()))
                                .toList();
            }
        }
        return List.of(new Part(words, decides));
    }

    private void read() {
        char quote = 0;
        for (int at = 0; at < line.length(); at++) {
            char c = line.charAt(at);
            if (c == '\\' && quote != '\'' && at + 1 < line.length()) {
                at++;
                if (line.charAt(at) != '\n') {
                    take(line.charAt(at));
                }
            } else if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    take(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
                inWord = true;
            } else {
                at += plain(c, at);
            }
        }
        end("");
    }

    /** Outside quotes; how many characters are taken besides this one. */
    private int plain(char c, int at) {
        boolean redirects = at > 0 && line.charAt(at - 1) == '>' || next(at) == '>';
        if (c == '&' && redirects) {
            take(c);
            return 0;
        }
        return switch (c) {
            case ' ', '\t' -> {
                endWord();
                yield 0;
            }
            case '\n', ';', '(', ')', '{', '}' -> {
                end(";");
                yield 0;
            }
            case '&', '|' -> {
                boolean twice = next(at) == c;
                end(twice ? "" + c + c : c == '&' ? BACKGROUND : "|");
                yield twice || next(at) == '&' ? 1 : 0;
            }
            default -> {
                take(c);
                yield 0;
            }
        };
    }

    private char next(int at) {
        return at + 1 < line.length() ? line.charAt(at + 1) : 0;
    }

    private void take(char c) {
        word.append(c);
        inWord = true;
    }

    private void endWord() {
        if (inWord) {
            words.add(word.toString());
        }
        word.setLength(0);
        inWord = false;
    }

    private void end(String operator) {
        endWord();
        if (!words.isEmpty()) {
            programs.add(words);
            operators.add(operator);
        } else if (!operators.isEmpty() && !operator.equals(";") && !operator.isEmpty()) {
            operators.set(operators.size() - 1, operator); // behind a bracket
        }
        words = new ArrayList<>();
    }
}
