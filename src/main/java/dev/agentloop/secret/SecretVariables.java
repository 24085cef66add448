package dev.agentloop.secret;

import dev.agentloop.secret.pattern.Chars;
import dev.agentloop.secret.pattern.VariableName;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Which variables of the environment hold secrets. */
final class SecretVariables {
    private static final int SHORTEST = 8; // shorter values occur in any text
    private static final int LONGEST_WORD = 16; // longer ones of letters alone are no words
    private static final int LONGEST_NUMBER = 12; // times, sizes

    /** What leads to a secret is none. */
    private static final List<String> NONE = List.of("AUTHOR", "PATH", "SOCK", "FILE", "_DIR");

    private SecretVariables() {}

    /** Values, and the name of the variable of each. */
    static Map<String, String> of(Map<String, String> environment) {
        Map<String, String> values = new HashMap<>();
        environment.forEach((name, value) -> {
            addUserInfo(name, value, values);
            String stripped = value.strip();
            if (isSecretName(name.toUpperCase(Locale.ROOT)) && isSecret(stripped)) {
                values.merge(stripped, name, SecretVariables::first);
            }
        });
        return values;
    }

    /** Which of two names of one value does not depend on the order of the environment. */
    private static String first(String one, String other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static boolean isSecretName(String upper) {
        for (String part : NONE) {
            if (upper.contains(part)) {
                return false;
            }
        }
        return VariableName.isSecret(upper);
    }

    /** Whether the value may be taken out of all texts without making them unreadable. */
    static boolean isSecret(String value) {
        return value.length() >= SHORTEST
                && value.indexOf("://") < 0
                && !isWord(value)
                && !isPath(value);
    }

    /** Letters alone, in one case, or digits alone. */
    private static boolean isWord(String value) {
        boolean digits = true;
        boolean letters = true;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            digits &= c >= '0' && c <= '9' || c == '.';
            letters &= Character.isLetter(c) || c == '-' || c == '_' || c == ' ' || c == '.';
        }
        boolean oneCase =
                value.substring(1).equals(value.substring(1).toLowerCase(Locale.ROOT))
                        || value.equals(value.toUpperCase(Locale.ROOT));
        return digits && value.length() <= LONGEST_NUMBER
                || letters && oneCase && value.length() < LONGEST_WORD
                || value.chars().distinct().count() == 1;
    }

    /** A key in base64 may begin with a slash, too, but has no dots and hyphens. */
    private static boolean isPath(String value) {
        boolean begins = value.startsWith("/") || value.startsWith("~/") || value.startsWith("./");
        return begins
                && (!Chars.DIGITS.isIn(value, 0, value.length())
                        || value.indexOf('.') >= 0
                        || value.indexOf('-') >= 0
                        || value.indexOf('_') >= 0
                        || value.equals(value.toLowerCase(Locale.ROOT)));
    }

    /** A password, or a user that is a token, in an address as those of proxies. */
    private static void addUserInfo(String name, String value, Map<String, String> values) {
        int scheme = value.indexOf("://");
        int at = value.indexOf('@', scheme + 1);
        if (scheme < 0 || at < 0) {
            return;
        }
        String authority = value.substring(scheme + 3).split("[/?#\\s]", 2)[0];
        int host = authority.lastIndexOf('@');
        String info = host < 0 ? "" : authority.substring(0, host);
        int colon = info.indexOf(':');
        for (String part :
                new String[] {info.substring(0, Math.max(0, colon)), info.substring(colon + 1)}) {
            if (isSecret(part)) {
                values.merge(part, name, SecretVariables::first);
            }
        }
    }
}
