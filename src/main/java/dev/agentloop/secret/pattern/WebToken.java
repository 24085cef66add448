package dev.agentloop.secret.pattern;

/** A JSON Web Token: three parts or more, of which the first two are JSON objects in base64. */
record WebToken() implements Trigger {
    private static final String OBJECT = "eyJ"; // {"
    private static final int SHORTEST_PART = 10;

    @Override
    public String start() {
        return OBJECT;
    }

    @Override
    public int find(Scan scan, int at) {
        if (!scan.beginsWord(at) || !scan.isLiteral(at, OBJECT)) {
            return -1;
        }
        int end = scan.run(at, Chars.TOKEN);
        if (end - at < SHORTEST_PART || scan.at(end) != '.') {
            return -1;
        }
        int parts = 1;
        while (scan.at(end) == '.') {
            int next = scan.run(end + 1, Chars.TOKEN);
            boolean encrypted = parts == 1 && next == end + 1; // may name no key
            if (next - end <= 1 && !encrypted) {
                break;
            }
            end = next;
            parts++;
        }
        if (parts < 3) {
            return -1;
        }
        scan.add(at, end, "JWT");
        return end;
    }
}
