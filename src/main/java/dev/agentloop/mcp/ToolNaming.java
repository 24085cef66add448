package dev.agentloop.mcp;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names of a server's tools for models: {@code mcp__SERVER__TOOL} of letters, digits, dash and
 * underscore, at most 64. No two are the same, and none is that of a tool of ours or of another
 * server, whatever the server calls its own.
 */
public final class ToolNaming {
    private static final int MAX = 64; // the least that providers allow
    private static final int DIGITS = 6; // of a digest that tells similar names apart
    private static final int MOST_DIGITS = 16; // the prefix, at most 31 characters, stays whole
    private static final int MAX_SERVER = 24;

    private ToolNaming() {}

    /** What goes before the names of a server's tools. */
    public static String prefix(String server) {
        String clean = clean(server).replaceAll("_{2,}", "_").replaceAll("^_|_$", "");
        boolean same = clean.equals(server) && clean.length() <= MAX_SERVER;
        return "mcp__" + (same ? clean : shortened(clean, server, MAX_SERVER, DIGITS)) + "__";
    }

    /**
     * Their names to ours; names that need no change keep them whatever else there is. A tool whose
     * name is taken however long its digest is missing.
     */
    static Map<String, String> of(String server, List<String> tools) {
        String prefix = prefix(server);
        Map<String, String> names = new LinkedHashMap<>();
        List<String> changed = new ArrayList<>();
        for (String tool : tools) {
            String name = prefix + tool;
            if (name.equals(clean(name)) && name.length() <= MAX) {
                names.put(tool, name);
            } else {
                changed.add(tool);
            }
        }
        Set<String> taken = new HashSet<>(names.values());
        for (String tool : changed) {
            String name = prefix + clean(tool);
            String free = name.length() <= MAX ? name : shortened(name, tool, MAX, DIGITS);
            for (int digits = DIGITS; taken.contains(free) && digits <= MOST_DIGITS; digits += 2) {
                free = shortened(name, tool, MAX, digits);
            }
            if (taken.add(free)) {
                names.put(tool, free);
            }
        }
        return names;
    }

    private static String shortened(String name, String original, int max, int digits) {
        String digest = Digest.of(original).substring(0, digits);
        int kept = Math.min(name.length(), max - digits - 1);
        return name.substring(0, kept) + "_" + digest;
    }

    private static String clean(String name) {
        return name.replaceAll("[^A-Za-z0-9_-]", "_");
    }

    /** Whether a glob of the user means the tool. */
    static boolean isWanted(List<String> globs, String tool) {
        return globs.isEmpty() || globs.stream().anyMatch(glob -> matches(glob, tool));
    }

    private static boolean matches(String glob, String tool) {
        StringBuilder pattern = new StringBuilder();
        for (String part : glob.split("\\*", -1)) {
            pattern.append(pattern.isEmpty() ? "" : ".*");
            pattern.append(Pattern.quote(part));
        }
        return tool.matches(pattern.toString());
    }
}
