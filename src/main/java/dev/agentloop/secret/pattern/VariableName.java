package dev.agentloop.secret.pattern;

import java.util.List;
import java.util.Set;

/** Whether a variable of the environment holds a secret, as far as its name tells. */
public final class VariableName {
    /** Words between underscores that say so wherever they stand. */
    private static final Set<String> WORDS =
            Set.of(
                    "KEY",
                    "KEYS",
                    "TOKEN",
                    "TOKENS",
                    "AUTH",
                    "AUTHORIZATION",
                    "COOKIE",
                    "COOKIES",
                    "CREDS",
                    "BEARER",
                    "JWT");

    /** Parts of a word. */
    private static final List<String> PARTS =
            List.of("SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL");

    /** Ends of a word, as in APIKEY and DBPASS. */
    private static final List<String> ENDS = List.of("KEY", "TOKEN", "PASS", "PWD", "AUTH");

    /** Words that end so and mean something else. */
    private static final Set<String> OTHERS =
            Set.of(
                    "MONKEY",
                    "TURKEY",
                    "DONKEY",
                    "HOTKEY",
                    "HOCKEY",
                    "WHISKEY",
                    "COMPASS",
                    "BYPASS",
                    "TRESPASS",
                    "SURPASS",
                    "ENCOMPASS",
                    "OVERPASS",
                    "UNDERPASS",
                    "OLDPWD");

    private VariableName() {}

    /**
     * Whether it looks like that of a secret.
     *
     * @param upper the name in upper case
     */
    public static boolean isSecret(String upper) {
        if (upper.equals("PWD")) {
            return false; // looks like a password, is a folder
        }
        String[] words = upper.split("[^A-Z0-9]+", -1);
        for (int i = 0; i < words.length; i++) {
            boolean last = i == words.length - 1;
            if (isSecret(withoutNumber(words[i]), i == 0, last)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSecret(String word, boolean first, boolean last) {
        if (word.equals("PASS")) {
            return last || !first; // PASS_RATE counts what has passed
        }
        if (word.equals("PAT") || word.equals("DSN")) {
            return last && !first;
        }
        return WORDS.contains(word)
                || PARTS.stream().anyMatch(word::contains)
                || ENDS.stream().anyMatch(word::endsWith) && !OTHERS.contains(word);
    }

    private static String withoutNumber(String word) {
        int end = word.length();
        while (end > 0 && Character.isDigit(word.charAt(end - 1))) {
            end--;
        }
        return word.substring(0, end);
    }
}
