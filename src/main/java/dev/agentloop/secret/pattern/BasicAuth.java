package dev.agentloop.secret.pattern;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A user and a password as the HTTP scheme Basic writes them. */
record BasicAuth() implements Trigger {
    private static final int SHORTEST = 8;
    private static final int LONGEST = 4_096; // no header is longer

    @Override
    public String start() {
        return "Basic ";
    }

    @Override
    public int find(Scan scan, int at) {
        if (!scan.isLiteral(at, start())) {
            return -1;
        }
        int from = at + start().length();
        int end = scan.run(from, Chars.BASE64);
        if (end - from < SHORTEST || end - from > LONGEST || !holdsUser(scan.text, from, end)) {
            return -1;
        }
        while (scan.at(end) == '=') {
            end++;
        }
        scan.add(from, end, "BASIC_AUTH");
        return end;
    }

    /** Words are base64, too; a colon between printable characters is seldom in them. */
    private static boolean holdsUser(String text, int from, int to) {
        int whole = to - (to - from) % 4;
        byte[] bytes = Base64.getDecoder().decode(text.substring(from, whole));
        String user = new String(bytes, StandardCharsets.ISO_8859_1);
        return user.indexOf(':') > 0 && user.chars().allMatch(c -> c >= ' ' && c != 127);
    }
}
