package dev.agentloop.shell;

import dev.agentloop.shell.parse.Redirect;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/** Paths outside the workspace that a command names. */
final class OutsidePaths {
    /** Their words are no files. */
    private static final Set<String> TEXT_ONLY =
            Set.of(
                    "echo",
                    "printf",
                    "true",
                    "false",
                    ":",
                    "seq",
                    "sleep",
                    "tr",
                    "basename",
                    "dirname");

    private static final Set<String> EXPRESSION_FIRST =
            Set.of("grep", "egrep", "fgrep", "rg", "sed", "awk", "gawk", "mawk", "jq", "yq");

    private OutsidePaths() {}

    static Set<Path> of(Places places, SimpleCommand command) {
        Set<Path> outside = new LinkedHashSet<>();
        for (Redirect redirect : command.redirects()) {
            if (redirect.isWriting() || redirect.isReading()) {
                add(places, command, redirect.target().text(), outside);
            }
        }
        if (!isSystemProgram(command.program())) {
            add(places, command, command.program(), outside);
        }
        if (TEXT_ONLY.contains(command.program())) {
            return outside;
        }
        boolean expression = EXPRESSION_FIRST.contains(command.name());
        for (Word word : command.arguments()) {
            if (expression && !word.startsWith("-")) {
                expression = false; // the first operand
                continue;
            }
            inWord(places, command, places.known(word), outside);
        }
        return outside;
    }

    /** The word, and what may be a path in it: {@code --dir=/x}, {@code -I/x}, {@code a:/x}. */
    private static void inWord(
            Places places, SimpleCommand command, String text, Set<Path> outside) {
        if (!text.startsWith("-")) {
            add(places, command, text, outside);
        } else if (text.length() > 2 && "/.~".indexOf(text.charAt(2)) >= 0) {
            add(places, command, text.substring(2), outside);
        }
        int equals = text.indexOf('=');
        if (equals >= 0) {
            add(places, command, text.substring(equals + 1), outside);
        }
        int at = text.indexOf('@');
        if (at == 0) {
            add(places, command, text.substring(1), outside);
        }
    }

    private static void add(Places places, SimpleCommand command, String text, Set<Path> outside) {
        boolean isPath = text.indexOf('/') >= 0 || text.equals("..");
        for (Path path : places.of(command, text)) {
            boolean stays = command.folders().stream().noneMatch(places::isOutside);
            if (places.isOutside(path) && (isPath || stays)) {
                outside.add(path); // a plain name in a folder outside is named by that folder
            }
        }
    }

    private static boolean isSystemProgram(String program) {
        if (program.indexOf('/') < 0) {
            return true;
        }
        int slash = program.lastIndexOf('/');
        return Set.of("/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin")
                .contains(program.substring(0, slash));
    }
}
