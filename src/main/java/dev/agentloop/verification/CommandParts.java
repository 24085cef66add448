package dev.agentloop.verification;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

    /** What is only defined does not run; a call of it is not known to be a check. */
    private static final Pattern FUNCTION =
            Pattern.compile(
                    "(?:(?m:^)[ \\t]{0,40}+(?:function )?|(?<=[;&|] ))[\\w-]{1,50}+ ?\\(\\) ?"
                            + "\\{[^}]{0,2000}+}");

    private static final Pattern HERE_DOCUMENT =
            Pattern.compile("<<-?[ \\t]*['\"\\\\]?([\\w.-]{1,100})['\"]?");
    private static final String BACKGROUND = "&";
    private static final int MOST_SHELLS = 5; // one within the other

    private final String line;
    private final int depth;
    private final List<List<String>> programs = new ArrayList<>();
    private final List<String> operators = new ArrayList<>(); // behind each program
    private List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private final List<String> documents = new ArrayList<>(); // whose text comes behind the line
    private boolean inWord;

    private CommandParts(String line, int depth) {
        this.line = FUNCTION.matcher(line).replaceAll(" ");
        this.depth = depth;
    }

    static List<Part> of(String line) {
        return new CommandParts(line, 0).parts();
    }

    private List<Part> parts() {
        read();
        boolean[] pipefail = isSet("pipefail");
        boolean[] stops = isSet("e");
        boolean decides = !line.contains("trap ");
        ArrayDeque<Part> parts = new ArrayDeque<>();
        for (int i = programs.size() - 1; i >= 0; i--) {
            String behind = operators.get(i);
            if (behind.equals(BACKGROUND)) {
                decides = false;
            } else if (!parts.isEmpty()) {
                boolean piped = behind.equals("|");
                decides &=
                        piped ? pipefail[i] : behind.equals("&&") || behind.equals(";") && stops[i];
            }
            boolean asked = CONDITIONS.contains(programs.get(i).getFirst());
            boolean maybe = i > 0 && operators.get(i - 1).equals("||"); // then it need not run
            inner(programs.get(i), decides && !asked && !maybe).reversed().forEach(parts::addFirst);
        }
        return List.copyOf(parts);
    }

    /** At which programs of the line an option of the shell is on. */
    private boolean[] isSet(String option) {
        boolean[] all = new boolean[programs.size()];
        boolean set = false;
        for (int i = 0; i < all.length; i++) {
            List<String> program = programs.get(i);
            all[i] = set;
            if (program.size() > 1 && program.getFirst().equals("set")) {
                String given = program.get(1);
                boolean letter = option.length() == 1 && given.indexOf(option) > 0;
                set = letter || program.contains(option) ? given.startsWith("-") : set;
            }
        }
        return all;
    }

    /**
     * What it prints itself, each a line of the output, but where a program before has to succeed.
     */
    static List<String> echoed(String line) {
        return new CommandParts(line, 0).echoed();
    }

    private List<String> echoed() {
        read();
        List<String> echoed = new ArrayList<>();
        for (int i = 0; i < programs.size(); i++) {
            List<String> program = programs.get(i);
            boolean echoes =
                    program.getFirst().equals("echo") || program.getFirst().equals("printf");
            if (echoes && (i == 0 || !operators.get(i - 1).equals("&&"))) {
                String words = String.join(" ", program.subList(1, program.size()));
                echoed.addAll(printed(words));
            }
            shellLine(program).ifPresent(line -> echoed.addAll(line.echoed()));
        }
        return echoed;
    }

    /** The lines, without options of echo and with the escapes for line ends as such. */
    private static List<String> printed(String words) {
        String text = words.strip().replaceFirst("^(?:-[neE]+ )+", "");
        return Stream.of(text.split("\\\\[nrt]|\n")).map(String::strip).toList();
    }

    /** The program, or those of the line that a shell is given: {@code bash -c "pytest -q"}. */
    private List<Part> inner(List<String> words, boolean decides) {
        return shellLine(words)
                .map(line ->
                        line.parts().stream()
                                .map(part -> new Part(part.words(), decides && part.decides()))
                                .toList())
                .orElse(List.of(new Part(words, decides)));
    }

    /** The line that a shell is given. */
    private Optional<CommandParts> shellLine(List<String> words) {
        for (int at = 0; at + 2 < words.size() && depth < MOST_SHELLS; at++) {
            String name = words.get(at).substring(words.get(at).lastIndexOf('/') + 1);
            if (CheckCommands.SHELLS.contains(name) && words.get(at + 1).matches("-[a-z]*c")) {
                return Optional.of(new CommandParts(words.get(at + 2), depth + 1));
            }
        }
        return Optional.empty();
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
            } else if (quote != '\'' && (c == '`' || c == '$' && "({".indexOf(next(at)) >= 0)) {
                at = substitution(at);
            } else if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    take(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
                inWord = true;
            } else if (c == '#' && !inWord) {
                int end = line.indexOf('\n', at);
                at = end < 0 ? line.length() : end - 1;
            } else {
                at += plain(c, at);
            }
        }
        end("");
    }

    /** What a command or a variable prints is part of its word; the index of its last character. */
    private int substitution(int at) {
        char opens = line.charAt(at) == '`' ? '`' : next(at);
        char closes = opens == '(' ? ')' : opens == '{' ? '}' : '`';
        int depth = 0;
        int end = opens == '`' ? at + 1 : at + 2;
        while (end < line.length() && (line.charAt(end) != closes || depth > 0)) {
            depth += line.charAt(end) == opens ? 1 : line.charAt(end) == closes ? -1 : 0;
            end++;
        }
        take('$');
        return Math.min(end, line.length() - 1);
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
            case '\n' -> {
                int bodies = hereDocuments(at + 1);
                end(";");
                yield bodies;
            }
            case ';', '(', ')', '{', '}' -> {
                end(";");
                yield 0;
            }
            case '&', '|' -> {
                boolean twice = next(at) == c;
                end(twice ? "" + c + c : c == '&' ? BACKGROUND : "|");
                yield twice || next(at) == '&' ? 1 : 0;
            }
            case '<' -> hereDocument(at);
            default -> {
                take(c);
                yield 0;
            }
        };
    }

    /** Remembers the end of a text that begins behind the line. */
    private int hereDocument(int at) {
        Matcher here = HERE_DOCUMENT.matcher(line).region(at, line.length());
        if (line.startsWith("<<<", at) || !here.lookingAt()) {
            take('<');
            return 0;
        }
        endWord();
        documents.add(here.group(1));
        return here.end() - at - 1;
    }

    /** The text is told to a program: only a shell runs it. The characters that it has. */
    private int hereDocuments(int from) {
        int at = from;
        for (String name : documents) {
            StringBuilder body = new StringBuilder();
            boolean over = false;
            while (at < line.length() && !over) {
                int end = line.indexOf('\n', at);
                String one = line.substring(at, end < 0 ? line.length() : end);
                at = end < 0 ? line.length() : end + 1;
                over = one.strip().equals(name);
                body.append(over ? "" : one + "\n");
            }
            endWord();
            if (words.size() == 1 && CheckCommands.SHELLS.contains(words.getFirst())) {
                words.addAll(List.of("-c", body.toString()));
            }
        }
        documents.clear();
        return at - from;
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
