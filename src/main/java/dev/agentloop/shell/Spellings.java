package dev.agentloop.shell;

import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import dev.agentloop.shell.program.ProgramKinds;
import dev.agentloop.shell.program.ProgramKinds.Kind;
import dev.agentloop.shell.program.Subcommand;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * All that a command could turn out to be when it runs, in its normal form: for rules that deny or
 * ask. {@link #ANYTHING} stands in it for what is not known before.
 */
public final class Spellings {
    /** Any text, or none. No command line holds this character. */
    public static final char ANYTHING = '\uFFFF';

    private static final int MAX_WORDS = 200; // a program that starts another takes fewer
    private static final String ENDS_KNOWN = "$`{\\\"'~\n";

    private Spellings() {}

    /** At least one, unless the command has no words. */
    public static Set<String> of(SimpleCommand command) {
        Set<String> spellings = new LinkedHashSet<>();
        List<Word> words = command.words();
        if (words.isEmpty()) {
            return spellings;
        }
        if (!words.getFirst().isLiteral() || isPlaceholder(words.getFirst())) {
            spellings.add(String.valueOf(ANYTHING));
            return spellings;
        }
        add(words, spellings);
        Kind kind = ProgramKinds.of(command.program(), command.texts());
        if (kind == Kind.STARTER || kind == Kind.UNKNOWN) {
            if (words.size() > MAX_WORDS) {
                spellings.add(String.valueOf(ANYTHING));
                return spellings;
            }
            for (int i = 1; i < words.size(); i++) {
                if (words.get(i).isLiteral() && !words.get(i).startsWith("-")) {
                    add(words.subList(i, words.size()), spellings);
                } else if (kind == Kind.STARTER && !words.get(i).isLiteral()) {
                    spellings.add(String.valueOf(ANYTHING));
                }
            }
        }
        return spellings;
    }

    /** The command without folders before its program, and without options before its verb. */
    private static void add(List<Word> words, Set<String> spellings) {
        String program = words.getFirst().text();
        String name = program.substring(program.lastIndexOf('/') + 1);
        add(name, words, spellings);
        add(SimpleCommand.withoutEnding(name), words, spellings);
    }

    private static void add(String name, List<Word> words, Set<String> spellings) {
        spellings.add(text(Word.quoted(name), words.subList(1, words.size())));
        List<String> texts = words.stream().skip(1).map(Word::text).toList();
        for (int start : Subcommand.starts(name, texts)) {
            if (start > 0) {
                spellings.add(text(Word.quoted(name), words.subList(start + 1, words.size())));
            }
        }
    }

    private static String text(String program, List<Word> words) {
        StringBuilder text = new StringBuilder(program);
        for (Word word : words) {
            append(text, word);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Word word) {
        if (isPlaceholder(word)) {
            text.append(' ').append(ANYTHING);
        } else if (word.isLiteral()) {
            text.append(' ').append(word.shown());
        } else if (word.kind() == Word.Kind.PATTERN) {
            text.append(' ').append(matched(word.text()));
        } else {
            String known = known(word.source());
            if (!known.isEmpty()) {
                text.append(' ').append(known);
            }
            text.append(ANYTHING); // may be nothing at all, without the blank before it
        }
    }

    /** What find, xargs and parallel put files or lines into. */
    private static boolean isPlaceholder(Word word) {
        return word.text().contains("{}");
    }

    /** A pattern may stand for many files: their names with blanks between them. */
    private static String matched(String pattern) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            int close = c == '[' ? pattern.indexOf(']', i + 2) : i;
            if ("*?[".indexOf(c) < 0) {
                text.append(c);
            } else {
                text.append(ANYTHING);
                i = Math.max(i, close);
            }
        }
        return text.toString();
    }

    /** What stands before the first thing in a word that only the shell knows. */
    private static String known(String source) {
        int end = 0;
        while (end < source.length() && ENDS_KNOWN.indexOf(source.charAt(end)) < 0) {
            end++;
        }
        boolean plain = source.substring(0, end).chars().noneMatch(c -> "*?[".indexOf(c) >= 0);
        return plain ? source.substring(0, end) : "";
    }

    /** Whether nothing is known of what runs. */
    public static boolean isAnything(SimpleCommand command) {
        return of(command).contains(String.valueOf(ANYTHING));
    }

    /** The spellings of all commands. */
    public static List<String> of(List<SimpleCommand> commands) {
        List<String> all = new ArrayList<>();
        commands.forEach(command -> all.addAll(of(command)));
        return all;
    }
}
