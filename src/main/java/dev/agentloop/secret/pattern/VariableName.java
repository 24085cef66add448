package dev.agentloop.secret.pattern;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

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
                    "JWT",
                    "MNEMONIC",
                    "MNEMONICS");

    /** Words that follow each other, wherever they stand. */
    private static final List<String> PHRASES =
            List.of(
                    "CONNECTION_STRING",
                    "CONNECTIONSTRING",
                    "WEBHOOK_URL",
                    "WEBHOOKURL",
                    "SEED_PHRASE",
                    "SEEDPHRASE",
                    "RECOVERY_PHRASE",
                    "STRIPE_SK");

    /** Parts of a word. */
    private static final List<String> PARTS =
            List.of(
                    "SECRET",
                    "PASSWORD",
                    "PASSWD",
                    "PASSPHRASE",
                    "PASSCODE",
                    "CREDENTIAL",
                    "APIKEY",
                    "ACCESSKEY",
                    "ACCESSTOKEN");

    /** Variables that only lead to something, which the value must look like as well. */
    private static final List<String> PLACES =
            List.of("_SOCK", "_PATH", "_FILE", "_DIR", "GOOGLE_APPLICATION_CREDENTIALS");

    /** Ends of a word, as in APIKEY and DBPASS. */
    private static final List<String> ENDS = List.of("KEY", "TOKEN", "PASS", "PWD", "PW", "AUTH");

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
                    "OLDPWD",
                    "SECRETARY",
                    "SECRETARIES",
                    "SECRETARIAT");

    /** Words of rules about secrets: PASSWORD_MIN_LENGTH, TOKEN_TTL, MAX_TOKENS. */
    private static final Set<String> RULES =
            Set.of(
                    "MIN",
                    "MAX",
                    "LENGTH",
                    "LEN",
                    "SIZE",
                    "BITS",
                    "COUNT",
                    "NUM",
                    "LIMIT",
                    "AGE",
                    "TTL",
                    "LIFETIME",
                    "TIMEOUT",
                    "EXPIRY",
                    "EXPIRES",
                    "EXPIRATION",
                    "DAYS",
                    "HOURS",
                    "MINUTES",
                    "SECONDS",
                    "MS",
                    "ROUNDS",
                    "RETRIES",
                    "ATTEMPTS",
                    "ROTATION",
                    "HISTORY");

    private static final Pattern NUMBER =
            Pattern.compile("[0-9]{1,9}(?:\\.[0-9]{1,3})? ?[A-Za-z]{0,3}");
    private static final Set<String> SWITCHES =
            Set.of("", "0", "1", "true", "false", "yes", "no", "on", "off", "null", "none");

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
        if (PHRASES.stream().anyMatch(upper::contains)) {
            return true;
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

    /**
     * Whether it names a file, a folder or a socket by its path, even if that holds a secret.
     *
     * @param upper the name in upper case
     */
    public static boolean isPlace(String upper, String value) {
        return (value.startsWith("/") || value.startsWith("~/"))
                && PLACES.stream().anyMatch(upper::endsWith);
    }

    /**
     * Whether the value is a switch, or a number in a variable whose name says what it measures.
     *
     * @param upper the name in upper case
     */
    public static boolean isRule(String upper, String value) {
        return SWITCHES.contains(value.strip().toLowerCase(Locale.ROOT))
                || NUMBER.matcher(value.strip()).matches()
                        && Arrays.stream(upper.split("[^A-Z0-9]+", -1)).anyMatch(RULES::contains);
    }

    private static boolean isSecret(String word, boolean first, boolean last) {
        if (word.equals("PASS")) {
            return last || !first; // PASS_RATE counts what has passed
        }
        if (word.equals("PAT") || word.equals("DSN") || word.equals("WEBHOOK")) {
            return last && !first;
        }
        String one = word.endsWith("S") && !word.endsWith("SS") ? cut(word) : word;
        return WORDS.contains(word)
                || PARTS.stream().anyMatch(word::contains) && !OTHERS.contains(word)
                || word.startsWith("TOKEN") && !word.startsWith("TOKENIZ")
                || ENDS.stream().anyMatch(one::endsWith) && !OTHERS.contains(one);
    }

    private static String cut(String word) {
        return word.substring(0, word.length() - 1);
    }

    private static String withoutNumber(String word) {
        int end = word.length();
        while (end > 0 && Character.isDigit(word.charAt(end - 1))) {
            end--;
        }
        return word.substring(0, end);
    }
}
