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

    /**
     * Whether the text could become one that matches, stars meaning any characters.
     *
     * @param anything in the text stands for any characters, or none
     */
    static boolean meets(String pattern, String text, char anything) {
        boolean[] reach = new boolean[text.length() + 1];
        reach[0] = true;
        for (int at = 0; at < text.length() && text.charAt(at) == anything; at++) {
            reach[at + 1] = true;
        }
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            boolean[] next = new boolean[reach.length];
            for (int at = 0; at <= text.length(); at++) {
                boolean open = at < text.length() && text.charAt(at) == anything;
                next[at] |= reach[at] && (c == '*' || open);
                if (at < text.length()) {
                    boolean one = c == '*' ? next[at] : reach[at] && text.charAt(at) == c;
                    next[at + 1] |= one || open && next[at];
                }
            }
            reach = next;
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
