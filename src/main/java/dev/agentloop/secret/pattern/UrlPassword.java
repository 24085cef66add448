package dev.agentloop.secret.pattern;

/** The password in {@code scheme://user:password@host}; the rest of the address stays. */
record UrlPassword() implements Trigger {
    private static final String ENDS = "/?#\\\"'`<> \t\r\n";
    private static final int MAX_AUTHORITY = 2_048; // longer ones no program takes
    private static final int SHORTEST = 3;

    @Override
    public String start() {
        return "://";
    }

    @Override
    public int find(Scan scan, int at) {
        if (!scan.isLiteral(at, start())) {
            return -1;
        }
        int from = at + start().length();
        int colon = -1;
        int host = -1;
        int end = from;
        while (end - from < MAX_AUTHORITY && ENDS.indexOf(scan.at(end)) < 0) {
            char c = scan.text.charAt(end);
            colon = c == ':' && colon < 0 ? end : colon;
            host = c == '@' ? end : host; // the last one: passwords have them, too
            end++;
        }
        if (colon < 0 || host - colon <= SHORTEST || isPlaceholder(scan.text, colon + 1, host)) {
            return -1;
        }
        scan.add(colon + 1, host, "URL_PASSWORD");
        return host;
    }

    /** A variable, a mask, or one of our own placeholders. */
    private static boolean isPlaceholder(String text, int from, int to) {
        char first = text.charAt(from);
        return first == '$' || first == '{' || first == '[' || first == '*' || first == '%'
                ? !Chars.DIGITS.isIn(text, from, to) || first != '%'
                : text.substring(from, to).chars().allMatch(c -> c == 'x' || c == 'X');
    }
}
