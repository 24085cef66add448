package dev.agentloop.verification;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

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

    private final String line;
    private final List<List<String>> programs = new ArrayList<>();
    private final List<String> operators = new ArrayList<>(); // behind each program
    private List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;

    private CommandParts(String line) {
        this.line = line;
    }

    static List<Part> of(String line) {
        return new CommandParts(line).parts();
    }

    private List<Part> parts() {
        read();
        boolean pipefail = line.contains("pipefail");
        boolean stops = line.contains("set -e");
        boolean decides = true;
        ArrayDeque<Part> parts = new ArrayDeque<>();
        for (int i = programs.size() - 1; i >= 0; i--) {
            if (!parts.isEmpty()) {
                String behind = operators.get(i);
                boolean piped = behind.equals("|");
                decides &= piped ? pipefail : behind.equals("&&") || behind.equals(";") && stops;
            }
            parts.addFirst(new Part(programs.get(i), decides));
        }
        return List.copyOf(parts);
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
                end(twice ? "" + c + c : c == '&' ? ";" : "|");
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
