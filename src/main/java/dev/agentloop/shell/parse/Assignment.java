package dev.agentloop.shell.parse;

import dev.agentloop.shell.program.ProgramKinds;
import java.util.Set;
import java.util.regex.Pattern;

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

    /** Parts of names whose values programs run, load or read as options. */
    private static final Pattern LOADING =
            Pattern.compile(
                    "(?i)PATH|OPT|FLAGS|ARG|CMD|COMMAND|EXEC|PROG|SHELL|HOOK|EDIT|PAGER|PRELOAD|LIB|LOAD"
                            + "|PLUG|INIT|START|RC$|CONF|HOME|DIR|TOOL|COMPIL|WRAP|LAUNCH|RUNNER|BROWSER|CC$"
                            + "|CXX|SCRIPT|FILE|PROXY|MODULE|REQUIRE|IMPORT|ASKPASS|BIN|INCLUDE");

    private static final Pattern PLAIN_VALUE = Pattern.compile("[A-Za-z0-9_.,:@=*%+-]*");
    private static final Pattern INSIDE =
            Pattern.compile("(?!.*\\.\\.)[A-Za-z0-9_.-]+(:[A-Za-z0-9_.-]+)*");

    /** Whether it can change nothing but how output looks: a locale's name may also be a path. */
    public boolean isHarmless() {
        return HARMLESS.contains(name)
                && value.isLiteral()
                && value.text().chars().allMatch(Assignment::mayName);
    }

    /**
     * Whether no program takes it for a program, a file to load or an option, as far as its name
     * and value show: {@code FOO=bar}.
     *
     * @param program that it is set for; one that runs the project's files may load its modules
     */
    boolean startsNothing(String program) {
        String text = value.text();
        boolean plain = value.isLiteral() && PLAIN_VALUE.matcher(text).matches();
        boolean ofProject =
                name.equals("PYTHONPATH")
                        && ProgramKinds.of(program) == ProgramKinds.Kind.RUNNER
                        && INSIDE.matcher(text).matches();
        return isHarmless()
                || plain && ofProject
                || plain
                        && !ProgramKinds.mayRun(name)
                        && !LOADING.matcher(name).find()
                        && !ProgramKinds.isCommandName(text);
    }

    private static boolean mayName(int c) {
        return c < 128 && (Character.isLetterOrDigit(c) || "_.@-".indexOf(c) >= 0);
    }

    String shown() {
        return name + "=" + (value.isLiteral() && value.text().isEmpty() ? "" : value.shown());
    }
}
