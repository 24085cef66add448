package dev.agentloop.secret.pattern;

/**
 * The part of a base64 text that is the same whatever stands around the value; found across the
 * line ends that encoders put in.
 *
 * @param start the characters that the value alone decides
 * @param head whether one more in front of them depends on the value, too
 * @param tail the same behind them
 */
record Encoded(String start, boolean head, boolean tail, String name) implements Trigger {
    @Override
    public int find(Scan scan, int at) {
        int end = at;
        for (int i = 0; i < start.length(); i++) {
            char c = scan.at(end);
            while (i > 0 && (c == '\n' || c == '\r') && end < scan.text.length()) {
                end++;
                c = scan.at(end);
            }
            if (c != start.charAt(i)) {
                return -1;
            }
            end++;
        }
        int from = head && at > 0 && isBase64(scan.at(at - 1)) ? at - 1 : at;
        end += tail && isBase64(scan.at(end)) ? 1 : 0;
        while (scan.at(end) == '=') {
            end++;
        }
        scan.add(from, end, name);
        return end;
    }

    private static boolean isBase64(char c) {
        return Chars.ANY_BASE64.has(c);
    }
}
