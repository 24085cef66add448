package dev.agentloop.shell.parse;

import java.util.Set;

/** Words that the grammar of a shell keeps for itself where a command begins. */
public final class Reserved {
    /** A command may follow them at once. */
    private static final Set<String> BEFORE_COMMAND =
            Set.of("if", "then", "else", "elif", "while", "until", "do", "{", "!");

    private static final Set<String> AFTER_COMMAND = Set.of("fi", "done", "esac", "}");

    /** Words follow them that are no command. */
    private static final Set<String> BEFORE_WORDS = Set.of("for", "case", "select", "[[");

    private Reserved() {}

    public static boolean isReserved(String word) {
        return isBeforeCommand(word)
                || AFTER_COMMAND.contains(word)
                || isBeforeWords(word)
                || Set.of("function", "time", "coproc", "in", "]]").contains(word);
    }

    static boolean isBeforeCommand(String word) {
        return BEFORE_COMMAND.contains(word) || AFTER_COMMAND.contains(word);
    }

    static boolean isBeforeWords(String word) {
        return BEFORE_WORDS.contains(word);
    }
}
