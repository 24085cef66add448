package dev.agentloop.colour;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Which colours a person wants to see. */
public enum Theme {
    AUTO("for the background that the terminal says it has, else its own 16 colours"),
    DARK("for a dark background"),
    LIGHT("for a light background"),
    TERMINAL("the terminal's own 16 colours"),
    PLAIN("no colours");

    /** For a person. */
    public final String meaning;

    Theme(String meaning) {
        this.meaning = meaning;
    }

    /** As it is typed. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Empty for a word that names none. */
    public static Optional<Theme> named(String word) {
        return Arrays.stream(values())
                .filter(theme -> theme.word().equals(word.strip().toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** All of them, for a person. */
    public static String words() {
        return Arrays.stream(values()).map(Theme::word).collect(Collectors.joining(", "));
    }
}
