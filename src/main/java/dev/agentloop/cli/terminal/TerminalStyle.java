package dev.agentloop.cli.terminal;

import dev.agentloop.colour.Colours;
import dev.agentloop.output.Style;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** Which signs and colours standard error can show. */
public final class TerminalStyle {
    private TerminalStyle() {}

    /**
     * NO_COLOR and TERM=dumb win over a terminal, CLICOLOR_FORCE over its absence.
     *
     * @param chosen asked only where colours are shown
     */
    public static Style of(
            Map<String, String> environment, boolean terminal, Supplier<Colours> chosen) {
        boolean forced = !environment.getOrDefault("CLICOLOR_FORCE", "0").equals("0");
        boolean forbidden =
                !environment.getOrDefault("NO_COLOR", "").isEmpty()
                        || environment.getOrDefault("TERM", "").equals("dumb");
        boolean colour = forced || (terminal && !forbidden);
        return new Style(isUnicode(environment), colour ? chosen.get() : Colours.NONE);
    }

    /**
     * A locale that says another charset is believed; where none is set, as in containers, the
     * signs are used. The launcher forces UTF-8 on the JVM and keeps the user's own LC_ALL in a
     * variable.
     */
    private static boolean isUnicode(Map<String, String> environment) {
        String all = environment.getOrDefault("LC_ALL", "");
        String locale = environment.getOrDefault("AGENT_ORIG_LC_ALL", all);
        for (String name : new String[] {"LC_CTYPE", "LANG"}) {
            if (locale.isEmpty()) {
                locale = environment.getOrDefault(name, "");
            }
        }
        String upper = locale.toUpperCase(Locale.ROOT);
        return locale.isEmpty() || upper.contains("UTF-8") || upper.contains("UTF8");
    }
}
