package dev.agentloop.secret.pattern;

/**
 * A secret without a beginning of its own, behind the name that it is given.
 *
 * @param start end of the name, as {@code api_key}
 * @param separated whether a colon or an equals sign stands between
 * @param body characters of the value
 * @param min how many of them at least
 * @param max at most
 */
record Assigned(String name, String start, boolean separated, Chars body, int min, int max)
        implements Trigger {
    private static final String AROUND = " \t\"'`\\>";
    private static final int MAX_AROUND = 12;

    @Override
    public int find(Scan scan, int at) {
        if (!scan.isLiteral(at, start)) {
            return -1;
        }
        int from = at + start.length();
        boolean assigned = !separated;
        for (int i = 0; i < MAX_AROUND; i++) {
            char c = scan.at(from);
            if (c != ':' && c != '=' && AROUND.indexOf(c) < 0) {
                break;
            }
            assigned |= c == ':' || c == '=';
            from++;
        }
        if (!assigned) {
            return -1;
        }
        int end = scan.run(from, body);
        int length = end - from;
        if (length < min || length > max || !isMixed(scan.text, from, end)) {
            return -1;
        }
        while (scan.at(end) == '=') {
            end++; // padding
        }
        scan.add(from, end, name);
        return end;
    }

    /** Words, numbers and names of variables are no secrets. */
    private static boolean isMixed(String text, int from, int to) {
        return Chars.DIGITS.isIn(text, from, to) && Chars.LETTERS.isIn(text, from, to);
    }
}
