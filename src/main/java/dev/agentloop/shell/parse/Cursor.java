package dev.agentloop.shell.parse;

/** A place in a line. Past its end it reads {@link #END}, which no line may hold. */
final class Cursor {
    static final char END = '\0';

    private final String line;
    private final Findings findings;
    private int at;

    Cursor(String line, Findings findings) {
        this.line = line;
        this.findings = findings;
    }

    char peek() {
        return peek(0);
    }

    char peek(int ahead) {
        return at + ahead < line.length() ? line.charAt(at + ahead) : END;
    }

    char next() {
        char c = peek();
        skip(1);
        return c;
    }

    void skip(int count) {
        findings.worked(count);
        at = Math.min(at + count, line.length());
    }

    boolean take(String expected) {
        if (!line.startsWith(expected, at)) {
            return false;
        }
        skip(expected.length());
        return true;
    }

    boolean atEnd() {
        return at >= line.length();
    }

    int at() {
        return at;
    }

    String since(int start) {
        return line.substring(start, at);
    }

    char before() {
        return at == 0 ? '\n' : line.charAt(at - 1);
    }

    /** The rest of the line of text, past its end; without the line feed. */
    String line() {
        int end = line.indexOf('\n', at);
        int stop = end < 0 ? line.length() : end;
        String text = line.substring(at, stop);
        skip(stop - at + 1);
        return text;
    }

    /** Steps over blanks, and over a line feed that a backslash takes back after a blank. */
    void blanks() {
        while (true) {
            if (isBlank(peek())) {
                skip(1);
            } else if (peek() == '\\' && peek(1) == '\n' && isBlank(before())) {
                skip(2);
                if (!isBlank(peek())) {
                    return; // what follows stands where a blank did
                }
            } else {
                return;
            }
        }
    }

    /** Whether nothing of a word can follow. */
    boolean atDelimiter(int ahead) {
        char c = peek(ahead);
        return c == END || isBlank(c) || ";&|<>()\n".indexOf(c) >= 0;
    }

    static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
