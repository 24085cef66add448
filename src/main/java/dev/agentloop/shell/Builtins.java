package dev.agentloop.shell;

import dev.agentloop.shell.parse.Reserved;
import dev.agentloop.shell.parse.Word;
import java.util.List;
import java.util.Set;

/** Builtins of shells that change what later words mean, or run text. */
final class Builtins {
    private static final Set<String> STATE =
            Set.of(
                    (". source eval exec trap alias unalias builtin enable coproc hash shopt set "
                                    + "export readonly local declare typeset unset let read mapfile readarray getopts "
                                    + "bind complete compgen compopt function fc history pushd popd dirs fg bg "
                                    + "command time in ]] shift caller suspend chdir disown")
                            .split(" "));

    /** Of those, the ones that a command follows. */
    private static final Set<String> BEFORE_COMMAND =
            Set.of("exec", "builtin", "coproc", "command", "time");

    private static final Set<String> HARMLESS_SET =
            Set.of("-e", "-u", "-x", "-eu", "-ex", "-eux", "-euo pipefail", "-o pipefail");

    private Builtins() {}

    static boolean changesState(String name) {
        return STATE.contains(name);
    }

    static boolean isBeforeCommand(String name) {
        return BEFORE_COMMAND.contains(name);
    }

    /** Whether some of its words are command lines for later: {@code trap}, {@code mapfile -C}. */
    static boolean takesCommands(String name) {
        return Set.of("trap", "mapfile", "readarray", "complete", "compgen", "bind").contains(name);
    }

    /** Whether {@code set} gets only options that make a script stricter. */
    static boolean isHarmlessSet(String name, String words) {
        return name.equals("set") && HARMLESS_SET.contains(words);
    }

    /**
     * The command that {@code time} measures; empty where it is not sure that it is one, and the
     * same one for the builtin and for the program of this name.
     */
    static List<Word> measured(String name, List<Word> words) {
        int at = !words.isEmpty() && words.getFirst().text().equals("-p") ? 1 : 0;
        if (!name.equals("time") || words.size() <= at) {
            return List.of();
        }
        Word program = words.get(at);
        String text = program.text();
        boolean plain =
                program.isLiteral()
                        && !text.startsWith("-")
                        && text.indexOf('=') < 0
                        && !Reserved.isReserved(text)
                        && !changesState(text)
                        && !text.equals("cd");
        return plain ? words.subList(at, words.size()) : List.of();
    }
}
