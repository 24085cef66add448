package dev.agentloop.permission;

/** Matches text against a pattern with {@code *} and {@code **}, in linear space, no regex. */
final class Wildcard {
    private Wildcard() {}

    /**
     * @param paths whether a single {@code *} stops at {@code /}
     */
    static boolean matches(String pattern, String text, boolean paths) {
        boolean[] reach = new boolean[text.length() + 1];
        reach[0] = true;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c != '*') {
                reach = literal(reach, text, c);
                continue;
            }
            boolean two = i + 1 < pattern.length() && pattern.charAt(i + 1) == '*';
            i += two ? 1 : 0;
            boolean dirs = two && paths && i + 1 < pattern.length() && pattern.charAt(i + 1) == '/';
            i += dirs ? 1 : 0;
            reach = dirs ? directories(reach, text) : star(reach, text, paths && !two);
        }
        return reach[text.length()];
    }

    private static boolean[] literal(boolean[] reach, String text, char c) {
        boolean[] next = new boolean[reach.length];
        for (int at = 0; at < text.length(); at++) {
            next[at + 1] = reach[at] && text.charAt(at) == c;
        }
        return next;
    }

    private static boolean[] star(boolean[] reach, String text, boolean stopAtSlash) {
        boolean[] next = reach.clone();
        for (int at = 0; at < text.length(); at++) {
            next[at + 1] |= next[at] && !(stopAtSlash && text.charAt(at) == '/');
        }
        return next;
    }

    /** {@code **}{@code /}: nothing, or whole directories. */
    private static boolean[] directories(boolean[] reach, String text) {
        boolean[] next = reach.clone();
        boolean open = false;
        for (int at = 0; at < text.length(); at++) {
            open |= reach[at];
            next[at + 1] |= open && text.charAt(at) == '/';
        }
        return next;
    }
}
