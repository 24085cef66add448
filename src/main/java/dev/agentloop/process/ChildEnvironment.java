package dev.agentloop.process;

import dev.agentloop.secret.pattern.VariableName;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The environment of commands: what programs need to find their tools and their language, nothing
 * that looks like a secret, and nothing that makes a program wait for a person.
 */
public final class ChildEnvironment {
    private static final Pattern PASSWORD_IN_URL =
            Pattern.compile("@|(?i:password|passwd|pwd|secret|token|key)=");

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

    private final Map<String, String> parent;
    private final Map<String, String> child;

    /**
     * @param parent the environment of this program
     * @param passed names that are handed on as they are, whatever they look like
     * @param reach which of the others are
     */
    ChildEnvironment(Map<String, String> parent, Collection<String> passed, VariableReach reach) {
        this.parent = parent;
        this.child = new HashMap<>();
        parent.forEach((name, value) -> {
            if (mayPass(name, value, reach)) {
                child.put(name, value);
            }
        });
        restoreLocale(parent, child);
        child.putAll(NO_QUESTIONS);
        for (String name : passed) {
            String value = parent.get(name);
            if (value != null) {
                child.put(name, value);
            }
        }
        child.put("PATH", absoluteEntries(parent.getOrDefault("PATH", "")));
    }

    /** All of them. */
    Map<String, String> variables() {
        return child;
    }

    /** Those that a program gets which is granted nothing. */
    Map<String, String> harmless() {
        return new HashMap<>(
                new ChildEnvironment(parent, List.of(), VariableReach.KNOWN).variables());
    }

    /**
     * For our own small programs, which run unconfined: a command could put a program into a folder
     * of the search path.
     */
    Map<String, String> ofHelpers(String marker) {
        Map<String, String> variables = new HashMap<>(child);
        variables.remove(marker);
        variables.put("PATH", Programs.USUAL);
        return variables;
    }

    /** A program of the machine as commands would find it, but none of the workspace. */
    public Optional<Path> program(String name, Path workspace) {
        return Programs.find(get("PATH"), name, workspace);
    }

    /** A variable; empty if commands get none of that name. */
    public String get(String name) {
        return child.getOrDefault(name, "");
    }

    /** Names of variables that this program has and commands do not get, sorted. */
    public List<String> heldBack() {
        return parent.keySet().stream()
                .filter(name -> !child.containsKey(name) && !isOwn(name) && !name.isBlank())
                .sorted()
                .toList();
    }

    /** Whether a variable of this program may hold a secret, by its name or its value. */
    public boolean isSecret(String name) {
        return isSecret(name, parent.getOrDefault(name, ""));
    }

    private static boolean mayPass(String name, String value, VariableReach reach) {
        String upper = name.toUpperCase(Locale.ROOT);
        boolean known = reach == VariableReach.ALL || AllowedVariables.contains(upper);
        return known && !isOwn(name) && !isSecret(name, value);
    }

    private static boolean isSecret(String name, String value) {
        String upper = name.toUpperCase(Locale.ROOT);
        return VariableName.isSecret(upper)
                        && !VariableName.isPlace(upper, value)
                        && !VariableName.isRule(upper, value)
                || upper.contains("DATABASE_URL") && PASSWORD_IN_URL.matcher(value).find()
                || looksLikeKey(value);
    }

    private static boolean isOwn(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return OWN_PREFIXES.stream().anyMatch(upper::startsWith);
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
