package dev.agentloop.hook;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A hook's command line, split once, before any file name is known. A name never becomes part of a
 * text that a shell reads: it is an argument of the program, or a positional parameter of the
 * shell.
 */
final class CommandTemplate {
    private static final String PLACEHOLDER = "{file}";
    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "zsh", "ksh", "fish");
    private static final Set<String> INTERPRETERS =
            Set.of("python", "python3", "perl", "ruby", "node", "php", "lua");
    private static final Set<String> EVALUATORS = Set.of("eval", "ssh", "su"); // join their words

    private final List<String> words;
    private final String script;

    private CommandTemplate(List<String> words, String script) {
        this.words = words;
        this.script = script;
    }

    static CommandTemplate parse(String template) {
        Reading reading = new Reading(template);
        reading.run();
        reading.refuseNestedScripts();
        return new CommandTemplate(reading.words, reading.needsShell ? reading.script() : "");
    }

    /** Program and arguments for {@code file}. */
    List<String> argv(String file) {
        String safe = file.startsWith("-") ? "./" + file : file; // a name is no option
        if (!script.isEmpty()) {
            return List.of("/bin/sh", "-c", script, "hook", safe);
        }
        return words.stream().map(word -> word.replace(PLACEHOLDER, safe)).toList();
    }

    /** Reads the template as a shell would, as far as quotes and words go. */
    private static final class Reading {
        private static final String NEEDS_SHELL = "|&;<>()$`*?[]#~=!\n";
        private static final char NONE = ' ';

        private final String template;
        private final List<String> words = new ArrayList<>();
        private final StringBuilder script = new StringBuilder();
        private final StringBuilder word = new StringBuilder();
        private boolean inWord;
        private boolean needsShell;
        private boolean placeholder;
        private boolean substitution;
        private char quote = NONE;
        private int at;

        Reading(String template) {
            this.template = template;
        }

        void run() {
            while (at < template.length()) {
                if (template.startsWith(PLACEHOLDER, at)) {
                    placeholder();
                } else {
                    character(template.charAt(at++));
                }
            }
            if (quote != NONE) {
                throw refused("a quote is not closed");
            }
            endWord();
            if (words.isEmpty()) {
                throw refused("it is empty");
            }
        }

        String script() {
            if (placeholder && substitution) {
                throw refused(
                        "{file} together with $(…), `…` or << cannot be kept one argument; use"
                                + " \"$AGENT_EDITED_FILE\" instead");
            }
            return script.toString();
        }

        /** In {@code sh -c 'lint {file}'} the inner shell would read the name as its own text. */
        void refuseNestedScripts() {
            boolean shell = false;
            boolean interpreter = false;
            boolean evaluated = false;
            boolean awaitsScript = false;
            for (String each : words) {
                boolean script = awaitsScript && !each.startsWith("-");
                if (each.contains(PLACEHOLDER) && (script || evaluated || holdsCode(each))) {
                    throw refused(
                            "{file} inside a script would be read as program text; use"
                                    + " \"$AGENT_EDITED_FILE\" there");
                }
                String program = each.replaceAll(".*[/;|&(]", "");
                shell |= SHELLS.contains(program);
                interpreter |= INTERPRETERS.contains(program);
                evaluated |= EVALUATORS.contains(program);
                awaitsScript &= !script;
                awaitsScript |= shell && each.matches("-[a-z]*c[a-z]*");
                awaitsScript |= interpreter && each.matches("-[a-z]*[cer]");
            }
        }

        /** Signs that only a program text has around a name; a shell's own operators are none. */
        private boolean holdsCode(String word) {
            String signs = needsShell ? "" : "()\"';{}$`";
            return word.replace(PLACEHOLDER, "")
                    .chars()
                    .anyMatch(c -> Character.isWhitespace(c) || signs.indexOf(c) >= 0);
        }

        private void placeholder() {
            at += PLACEHOLDER.length();
            placeholder = true;
            inWord = true;
            word.append(PLACEHOLDER);
            script.append(
                    switch (quote) {
                        case '\'' -> "'\"${1}\"'";
                        case '"' -> "${1}";
                        default -> "\"${1}\"";
                    });
        }

        private void character(char c) {
            script.append(c);
            if (quote == '\'') {
                singleQuoted(c);
            } else if (quote == '"') {
                doubleQuoted(c);
            } else {
                unquoted(c);
            }
        }

        private void singleQuoted(char c) {
            if (c == '\'') {
                quote = NONE;
            } else {
                word.append(c);
            }
        }

        private void doubleQuoted(char c) {
            if (c == '"') {
                quote = NONE;
            } else if (c == '\\' && at < template.length()) {
                char next = template.charAt(at++);
                script.append(next);
                word.append("$`\"\\".indexOf(next) < 0 ? "\\" + next : String.valueOf(next));
            } else {
                noteShell(c == '$' || c == '`', c);
                word.append(c);
            }
        }

        private void unquoted(char c) {
            if (c == '\'' || c == '"') {
                quote = c;
                inWord = true;
            } else if (c == '\\' && at < template.length()) {
                script.append(template.charAt(at));
                word.append(template.charAt(at++));
                inWord = true;
            } else if (Character.isWhitespace(c) && c != '\n') {
                endWord();
            } else {
                noteShell(NEEDS_SHELL.indexOf(c) >= 0 && !isOptionValue(c), c);
                word.append(c);
                inWord = true;
            }
        }

        /** {@code --config=x} is an argument, {@code X=1 lint} needs a shell. */
        private boolean isOptionValue(char c) {
            return c == '=' && (!words.isEmpty() || word.indexOf("-") == 0);
        }

        private void noteShell(boolean special, char c) {
            needsShell |= special;
            boolean opens = c == '$' && template.startsWith("(", at);
            boolean here = c == '<' && template.startsWith("<", at);
            substitution |= c == '`' || opens || here;
        }

        private void endWord() {
            if (inWord) {
                words.add(word.toString());
            }
            word.setLength(0);
            inWord = false;
        }

        private IllegalArgumentException refused(String why) {
            return new IllegalArgumentException("hook command \"%s\": %s".formatted(template, why));
        }
    }
}
