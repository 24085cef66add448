package dev.agentloop.secret.pattern;

/**
 * A private key in PEM. Its lines are found one by one, so that the lines of a file keep their
 * numbers, whatever a tool has written in front of them.
 */
record PrivateKey() implements Trigger {
    private static final String NAME = "PRIVATE_KEY";
    private static final Chars HEAD = new Chars("A-Z0-9 ");
    private static final int MAX_HEAD = 40;
    private static final int FIRST_LINE = 40; // PEM has 64 characters a line, PuTTY's 76
    private static final int SHORTEST = 8; // a last line; shorter ones tell next to nothing
    private static final int HEADER_LINES = 5; // Proc-Type, DEK-Info, an empty one
    private static final int MAX_LINES = 400;

    @Override
    public String start() {
        return "-----BEGIN ";
    }

    @Override
    public int find(Scan scan, int at) {
        if (!scan.isLiteral(at, start())) {
            return -1;
        }
        int headEnd = scan.run(at + start().length(), HEAD);
        String head = scan.text.substring(at, headEnd);
        if (scan.at(headEnd) != '-' || headEnd - at > MAX_HEAD || !head.contains("PRIVATE KEY")) {
            return -1;
        }
        int found = -1;
        int line = nextLine(scan, headEnd);
        for (int i = 0; i < MAX_LINES; i++) {
            int end = lineEnd(scan, line);
            int from = bodyOf(scan.text, line, end);
            boolean body = end - from >= (found < 0 ? FIRST_LINE : SHORTEST);
            if (body) {
                scan.add(from, end, NAME);
                found = end;
            } else if (found >= 0 || i >= HEADER_LINES || end >= scan.text.length()) {
                break;
            }
            line = nextLine(scan, end);
        }
        return found;
    }

    /** Where the line's content ends: at a line feed, an escape that stands for one, a quote. */
    private static int lineEnd(Scan scan, int from) {
        int end = from;
        while ("\r\n\\\"'".indexOf(scan.at(end)) < 0) {
            end++;
        }
        return end;
    }

    /** Behind the line's end, also if that is written as an escape. */
    private static int nextLine(Scan scan, int from) {
        int at = lineEnd(scan, from);
        while (at < scan.text.length() && "\r\n".indexOf(scan.text.charAt(at)) >= 0) {
            at++;
        }
        while (scan.at(at) == '\\' && "nr".indexOf(scan.at(at + 1)) >= 0) {
            at += 2;
        }
        return at;
    }

    /** Start of the base64 run that the line ends with. */
    private static int bodyOf(String text, int line, int end) {
        int from = end;
        while (from > line && text.charAt(from - 1) == '=') {
            from--;
        }
        while (from > line && Chars.BASE64.has(text.charAt(from - 1))) {
            from--;
        }
        return from;
    }
}
