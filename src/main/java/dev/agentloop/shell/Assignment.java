package dev.agentloop.shell;

import java.util.Set;

/** A variable set for one command, as in {@code CI=1 npm test}. */
public record Assignment(String name, Word value) {
    /** Variables that no program takes for a program, a file or an option. */
    private static final Set<String> HARMLESS =
            Set.of(
                    "CI",
                    "NO_COLOR",
                    "FORCE_COLOR",
                    "CLICOLOR",
                    "TERM",
                    "LANG",
                    "LC_ALL",
                    "LC_CTYPE",
                    "LC_COLLATE",
                    "LC_MESSAGES",
                    "COLUMNS",
                    "NODE_ENV",
                    "RUST_BACKTRACE",
                    "PYTHONUNBUFFERED",
                    "PYTHONDONTWRITEBYTECODE");

    /** Whether it can change nothing but how output looks: a locale's name may also be a path. */
    boolean isHarmless() {
        return HARMLESS.contains(name)
                && value.isLiteral()
                && value.text().chars().allMatch(Assignment::mayName);
    }

    private static boolean mayName(int c) {
        return c < 128 && (Character.isLetterOrDigit(c) || "_.@-".indexOf(c) >= 0);
    }

    String shown() {
        return name + "=" + (value.isLiteral() && value.text().isEmpty() ? "" : value.shown());
    }
}
