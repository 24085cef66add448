package dev.agentloop.shell;

import dev.agentloop.shell.parse.Redirect;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import dev.agentloop.shell.program.ProgramKinds;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Shells, started with text to run. */
final class ShellPrograms {
    /** The two whose common ground the parser knows. */
    private static final Set<String> KNOWN = Set.of("sh", "bash", "dash");

    private static final Set<String> VALUED = Set.of("--rcfile", "--init-file", "--emulate");

    private ShellPrograms() {}

    /**
     * @param text what the shell runs, if it stands in the words or in a here-document
     * @param unclear why it is not known what runs
     * @param reads whether it runs what it reads
     */
    record Script(Optional<String> text, Optional<String> unclear, boolean reads) {}

    static boolean isShell(String name) {
        return ProgramKinds.of(name) == ProgramKinds.Kind.SHELL;
    }

    static Script script(SimpleCommand command) {
        List<Word> words = command.arguments();
        boolean text = false;
        boolean input = false;
        boolean plain = KNOWN.contains(command.program());
        int at = 0;
        while (at < words.size() && isOption(words.get(at).text())) {
            String option = words.get(at).text();
            boolean isLong = option.startsWith("--");
            text |=
                    isLong
                            ? option.matches("--(init-)?commands?") // fish, nu
                            : option.indexOf('c') > 0 || option.indexOf('C') > 0; // fish -C
            input |= !isLong && option.indexOf('s') > 0; // what follows are its arguments
            plain &= option.chars().skip(1).allMatch(c -> "ceunx".indexOf(c) >= 0);
            at += hasValue(option) ? 2 : 1;
        }
        Optional<String> unclear =
                plain ? Optional.empty() : Optional.of("a shell starts with unknown options");
        if (text && at < words.size()) {
            Word script = words.get(at);
            if (script.text().startsWith("-") || script.text().startsWith("+")) {
                return new Script(
                        Optional.of(script.text()), Optional.of("a shell gets odd text"), false);
            }
            return new Script(Optional.of(script.text()), unclear, false);
        }
        if (at < words.size() && !text && !input && !isInput(words.get(at))) {
            return new Script(Optional.empty(), unclear, false);
        }
        return new Script(document(command), Optional.of("a shell runs what it reads"), true);
    }

    /** Whether the next word belongs to it: {@code bash -o pipefail --rcfile FILE}. */
    private static boolean hasValue(String option) {
        return option.startsWith("--")
                ? VALUED.contains(option)
                : option.indexOf('o') > 0 || option.indexOf('O') > 0;
    }

    /** Whether the word is a file by which a program reads its standard input. */
    static boolean isInput(Word word) {
        return word.text().matches("-|/dev/(stdin|fd/.*)|/proc/[^/]+/fd/.*") || !word.isLiteral();
    }

    private static boolean isOption(String word) {
        return word.length() > 1 && (word.startsWith("-") || word.startsWith("+"));
    }

    private static Optional<String> document(SimpleCommand command) {
        return command.redirects().stream()
                .filter(Redirect::isText)
                .map(redirect -> redirect.target().text())
                .findFirst();
    }
}
