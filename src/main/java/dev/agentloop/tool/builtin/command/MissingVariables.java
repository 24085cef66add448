package dev.agentloop.tool.builtin.command;

import dev.agentloop.process.ChildEnvironment;
import dev.agentloop.process.CommandOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Names the variables that a failed command may have missed. Those that the command or its output
 * names are told each time; what else was held back only once, and no secrets.
 */
final class MissingVariables {
    private static final int MOST = 8; // names; more say nothing

    /** What shells, terminals and desktops set for themselves. */
    private static final Pattern OF_NO_USE =
            Pattern.compile(
                    "_|OLDPWD|MAIL|STY|LS_COLORS|PS\\d|.*DISPLAY|(?:SSH|DBUS|LESS|COLOR|TERM|WINDOW"
                            + "|GTK|GDK|QT|GNOME|KDE|DESKTOP|SESSION|VTE|ITERM|TMUX|HIST|PROMPT|GPG"
                            + "|SYSTEMD|INVOCATION|JOURNAL|DEBUGINFOD|SUDO|VSCODE|MEMORY_PRESSURE"
                            + ").*");

    private final ChildEnvironment environment;
    private boolean told;

    MissingVariables(ChildEnvironment environment) {
        this.environment = environment;
    }

    /**
     * To be put behind the result; empty if nothing is to be said.
     *
     * @param explained whether the result says already why it failed: then only variables count
     *     that it names
     */
    synchronized String after(String command, CommandOutcome outcome, boolean explained) {
        boolean answers =
                outcome.exitCode() == 1 && ExitCodes.isAnswer(command, outcome.stderr().text());
        if (outcome.ending() != CommandOutcome.Ending.EXITED
                || outcome.exitCode() == 0
                || answers) {
            return "";
        }
        List<String> held = environment.heldBack();
        if (held.isEmpty()) {
            return "";
        }
        String said = command + "\n" + outcome.stdout().text() + "\n" + outcome.stderr().text();
        List<String> named = held.stream().filter(name -> isIn(said, name)).toList();
        if (!named.isEmpty()) {
            return hint(named);
        }
        if (explained) {
            return "";
        }
        List<String> others =
                held.stream()
                        .filter(name -> !environment.isSecret(name))
                        .filter(name -> !OF_NO_USE.matcher(name).matches())
                        .toList();
        boolean again = told || others.isEmpty();
        told = true;
        return again ? "" : hint(others);
    }

    private static String hint(List<String> names) {
        List<String> shown = new ArrayList<>(names.subList(0, Math.min(MOST, names.size())));
        int more = names.size() - shown.size();
        return "\n\n[Variables that commands do not get: %s%s. The user passes one with commands.pass_env: [%s] in the configuration.]"
                .formatted(
                        String.join(", ", shown),
                        more > 0 ? " and %d more".formatted(more) : "",
                        shown.getFirst());
    }

    private static boolean isIn(String text, String name) {
        for (int at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
            int end = at + name.length();
            boolean begins = at == 0 || !isPart(text.charAt(at - 1));
            if (begins && (end == text.length() || !isPart(text.charAt(end)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
