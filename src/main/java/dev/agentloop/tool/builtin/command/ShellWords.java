package dev.agentloop.tool.builtin.command;

import java.util.ArrayList;
import java.util.List;

/**
 * The simple commands of a shell command line, with quotes taken off. A guess for keeping files in
 * time, not a parser: what only the shell can know, such as the value of a variable, is left out.
 */
final class ShellWords {
    private static final String ENDS = ";&|\n(){}`";

    private final List<Simple> commands = new ArrayList<>();
    private List<Word> words = new ArrayList<>();
    private List<Word> overwritten = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean open;
    private boolean pattern;
    private boolean unknown;
    private Next next = Next.WORD;

    private enum Next {
        WORD,
        OVERWRITTEN,
        IGNORED
    }

    /**
     * One word.
     *
     * @param pattern whether the shell makes names of it
     */
    record Word(String text, boolean pattern) {}

    /**
     * One command.
     *
     * @param overwritten files that {@code >} empties
     */
    record Simple(List<Word> words, List<Word> overwritten) {}

    static List<Simple> of(String line) {
        ShellWords shell = new ShellWords();
        shell.read(line);
        return shell.commands;
    }

    private void read(String line) {
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\'' || c == '"') {
                i = quoted(line, i);
            } else if (c == '\\' && i + 1 < line.length()) {
                add(line.charAt(++i));
            } else if (c == '>') {
                i = redirected(line, i);
            } else if (c == '<') {
                endWord();
                next = Next.IGNORED;
            } else if (ENDS.indexOf(c) >= 0) {
                endCommand();
            } else if (c == ' ' || c == '\t') {
                endWord();
            } else {
                pattern |= "*?[".indexOf(c) >= 0;
                unknown |= c == '$';
                add(c);
            }
        }
        endCommand();
    }

    private void add(char c) {
        word.append(c);
        open = true;
    }

    /** Returns where the closing quote is. */
    private int quoted(String line, int start) {
        char quote = line.charAt(start);
        open = true;
        int i = start + 1;
        for (; i < line.length() && line.charAt(i) != quote; i++) {
            char c = line.charAt(i);
            if (quote == '"' && c == '\\' && i + 1 < line.length()) {
                i++;
                add(line.charAt(i));
            } else {
                unknown |= quote == '"' && (c == '$' || c == '`');
                add(c);
            }
        }
        return i;
    }

    /** Returns the last character of the operator. */
    private int redirected(String line, int start) {
        boolean descriptor = !word.isEmpty() && word.chars().allMatch(Character::isDigit);
        if (descriptor) {
            forget();
        }
        endWord();
        int i = start + 1;
        char second = i < line.length() ? line.charAt(i) : ' ';
        next = second == '>' || second == '&' ? Next.IGNORED : Next.OVERWRITTEN;
        return second == '>' || second == '&' || second == '|' ? i : start;
    }

    private void endWord() {
        if (!open) {
            return;
        }
        if (!unknown && next != Next.IGNORED) {
            (next == Next.WORD ? words : overwritten).add(new Word(word.toString(), pattern));
        }
        next = Next.WORD;
        forget();
    }

    private void forget() {
        word.setLength(0);
        open = false;
        pattern = false;
        unknown = false;
    }

    private void endCommand() {
        endWord();
        if (!words.isEmpty() || !overwritten.isEmpty()) {
            commands.add(new Simple(words, overwritten));
        }
        words = new ArrayList<>();
        overwritten = new ArrayList<>();
        next = Next.WORD;
    }
}
