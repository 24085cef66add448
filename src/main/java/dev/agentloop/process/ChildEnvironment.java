package dev.agentloop.process;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The environment of commands: what programs need to find their tools and their language, nothing
 * that looks like a secret, and nothing that makes a program wait for a person.
 */
final class ChildEnvironment {
    // no regular expressions here: the first one of a JVM costs milliseconds at each start
    private static final List<String> SECRET_NAMES =
            List.of(
                    "KEY",
                    "TOKEN",
                    "SECRET",
                    "PASS",
                    "PWD",
                    "CREDENTIAL",
                    "AUTH",
                    "_PAT",
                    "_DSN",
                    "COOKIE",
                    "DATABASE_URL");
    private static final Pattern KEY = // how well-known keys begin, wherever they stand
            Pattern.compile(
                    "(?<![A-Za-z0-9])(?:sk-|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza"
                            + "|-----BEGIN )");

    /** {@code scheme://user@host} and {@code user:password@host}: a user is often a token. */
    private static final Pattern USER_INFO =
            Pattern.compile("://[^/\\s@]+@|(?<![^\\s,;='\"])[^/\\s:@]+:[^/\\s@]+@");

    private static final int SHORTEST_KEY = 16; // shorter values with such a start are words
    private static final List<String> OWN_PREFIXES = List.of("AGENT_ORIG_", "AGENT_ARGV_HEX");
    private static final String ORIGINAL_LC_ALL = "AGENT_ORIG_LC_ALL";
    private static final String USUAL_PATH =
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** No program may ask a question that nobody can answer, or keep what it prints to itself. */
    private static final Map<String, String> NO_QUESTIONS =
            Map.ofEntries(
                    Map.entry("PYTHONUNBUFFERED", "1"), // else a killed program has printed nothing
                    Map.entry("EDITOR", "true"),
                    Map.entry("VISUAL", "true"),
                    Map.entry("GIT_EDITOR", "true"),
                    Map.entry("MANPAGER", "cat"),
                    Map.entry("SYSTEMD_PAGER", "cat"),
                    Map.entry("GCM_INTERACTIVE", "never"),
                    Map.entry("GH_PROMPT_DISABLED", "1"),
                    Map.entry("PIP_NO_INPUT", "1"),
                    Map.entry("POETRY_NO_INTERACTION", "1"),
                    Map.entry("COMPOSER_NO_INTERACTION", "1"),
                    Map.entry("GIT_TERMINAL_PROMPT", "0"),
                    Map.entry("GIT_ASKPASS", "/bin/true"),
                    Map.entry("SSH_ASKPASS_REQUIRE", "never"),
                    Map.entry("DEBIAN_FRONTEND", "noninteractive"),
                    Map.entry("PAGER", "cat"),
                    Map.entry("GIT_PAGER", "cat"),
                    Map.entry("TERM", "dumb"),
                    Map.entry("NO_COLOR", "1"),
                    Map.entry("CI", "1"));

    private ChildEnvironment() {}

    /**
     * @param passed names that are handed on as they are, whatever they look like
     */
    static Map<String, String> from(Map<String, String> parent, Collection<String> passed) {
        Map<String, String> child = new HashMap<>();
        for (Map.Entry<String, String> variable : parent.entrySet()) {
            if (mayPass(variable.getKey(), variable.getValue())) {
                child.put(variable.getKey(), variable.getValue());
            }
        }
        restoreLocale(parent, child);
        child.putAll(NO_QUESTIONS);
        for (String name : passed) {
            String value = parent.get(name);
            if (value != null) {
                child.put(name, value);
            }
        }
        child.put("PATH", absoluteEntries(parent.getOrDefault("PATH", "")));
        return child;
    }

    private static boolean mayPass(String name, String value) {
        String upper = name.toUpperCase(Locale.ROOT);
        if (!AllowedVariables.contains(upper)) {
            return false;
        }
        if (upper.equals("PWD")) {
            return true; // looks like a password, is a folder
        }
        for (String part : SECRET_NAMES) {
            if (upper.contains(part)) {
                return false;
            }
        }
        for (String prefix : OWN_PREFIXES) {
            if (upper.startsWith(prefix)) {
                return false;
            }
        }
        return !looksLikeKey(value);
    }

    private static boolean looksLikeKey(String value) {
        if (value.length() >= SHORTEST_KEY && KEY.matcher(value).find()) {
            return true;
        }
        return USER_INFO.matcher(value).find();
    }

    /** The launcher forces a UTF-8 locale on us; children get what the user had. */
    private static void restoreLocale(Map<String, String> parent, Map<String, String> child) {
        String original = parent.get(ORIGINAL_LC_ALL);
        if (original == null) {
            return;
        }
        if (original.isEmpty()) {
            child.remove("LC_ALL");
        } else {
            child.put("LC_ALL", original);
        }
    }

    /** An empty or relative entry would run programs out of the workspace. */
    private static String absoluteEntries(String path) {
        StringBuilder kept = new StringBuilder();
        for (String entry : path.split(":")) {
            if (entry.startsWith("/")) {
                kept.append(kept.isEmpty() ? "" : ":").append(entry);
            }
        }
        return kept.isEmpty() ? USUAL_PATH : kept.toString();
    }
}
