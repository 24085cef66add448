package dev.agentloop.secret.pattern;

/**
 * A token that its vendor has given a beginning of its own.
 *
 * @param start how it begins
 * @param body characters that follow
 * @param min how many of them at least
 * @param max at most; more are no such token
 * @param random whether a long part of letters with a digit must be among them, as in no words
 */
record Token(String name, String start, Chars body, int min, int max, boolean random)
        implements Trigger {
    private static final int LONG_PART = 16;

    Token(String name, String start, Chars body, int min) {
        this(name, start, body, min, Integer.MAX_VALUE, false);
    }

    @Override
    public int find(Scan scan, int at) {
        if (!scan.beginsWord(at) || !scan.isLiteral(at, start)) {
            return -1;
        }
        int from = at + start.length();
        int end = scan.run(from, body);
        while (end > from && isPunctuation(scan.text.charAt(end - 1))) {
            end--; // of the sentence around it
        }
        if (end - from < min || end - from > max || random && !isRandom(scan.text, from, end)) {
            return -1;
        }
        scan.add(at, end, name);
        return end;
    }

    private static boolean isPunctuation(char c) {
        return c == '.' || c == '-';
    }

    /** {@code sk-} begins keys, and names of styles and packages. */
    static boolean isRandom(String text, int from, int to) {
        int part = from;
        for (int i = from; i <= to; i++) {
            if (i == to || !Chars.ALNUM.has(text.charAt(i))) {
                if (i - part >= LONG_PART && Chars.DIGITS.isIn(text, part, i)) {
                    return true;
                }
                part = i + 1;
            }
        }
        return false;
    }
}
