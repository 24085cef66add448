package dev.agentloop.cli.terminal;

import dev.agentloop.colour.Theme;
import dev.agentloop.output.SafeText;
import dev.agentloop.storage.PrivateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The theme that the person has chosen: by a variable, else by {@code /theme} in a chat, which a
 * file keeps for all that comes.
 */
public final class ThemeChoice {
    /** Names a theme; wins over what is kept. */
    public static final String VARIABLE = "AGENT_THEME";

    private static final int LONGEST = 40; // characters of the variable that are shown

    private final String variable;
    private final PrivateFile kept;

    /**
     * @param state the folder of what this program must remember
     */
    public ThemeChoice(Map<String, String> environment, Path state) {
        this.variable = environment.getOrDefault(VARIABLE, "");
        this.kept = new PrivateFile(state, "theme");
    }

    /** What the variable says; empty if it is not set. */
    public String variable() {
        return variable;
    }

    /** {@link Theme#AUTO} where nothing, or nothing that is a theme, was chosen. */
    public Theme theme() {
        return Theme.named(variable.isEmpty() ? keptWord() : variable).orElse(Theme.AUTO);
    }

    /** A line for whoever has set the variable to what is no theme; else empty. */
    public static String problem(Map<String, String> environment) {
        String variable = environment.getOrDefault(VARIABLE, "");
        return variable.isEmpty() || Theme.named(variable).isPresent()
                ? ""
                : VARIABLE
                        + "="
                        + SafeText.line(variable, LONGEST)
                        + " names no theme: "
                        + Theme.words()
                        + ".\n";
    }

    private String keptWord() {
        try {
            return kept.read();
        } catch (IOException e) {
            return ""; // a file that others can write, for one; colours are worth no error
        }
    }

    /** From now on it is the theme, also of later starts. */
    public void keep(Theme theme) throws IOException {
        kept.change(() -> theme.word() + "\n");
    }
}
