package dev.agentloop.secret.pattern;

/** A value as it is, or in a spelling that has the same characters everywhere. */
record Literal(String start, String name) implements Trigger {
    @Override
    public int find(Scan scan, int at) {
        if (!scan.isLiteral(at, start)) {
            return -1;
        }
        scan.add(at, at + start.length(), name);
        return at + start.length();
    }
}
