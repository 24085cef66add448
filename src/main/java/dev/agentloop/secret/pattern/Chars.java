package dev.agentloop.secret.pattern;

/** A set of ASCII characters, written like the inside of a bracket: {@code A-Za-z0-9_}. */
public final class Chars {
    public static final Chars DIGITS = new Chars("0-9");
    static final Chars LETTERS = new Chars("A-Za-z");
    static final Chars ALNUM = new Chars("A-Za-z0-9");
    public static final Chars WORD = new Chars("A-Za-z0-9_");
    static final Chars TOKEN = new Chars("A-Za-z0-9_-");
    static final Chars DOTTED = new Chars("A-Za-z0-9_.-");
    static final Chars BASE64 = new Chars("A-Za-z0-9+/");
    static final Chars ANY_BASE64 = new Chars("A-Za-z0-9+/_-");

    private final boolean[] has = new boolean[128];

    /** A range is written with a hyphen; one at the end stands for itself. */
    Chars(String ranges) {
        for (int i = 0; i < ranges.length(); i++) {
            boolean range = i + 2 < ranges.length() && ranges.charAt(i + 1) == '-';
            char last = ranges.charAt(range ? i + 2 : i);
            for (char c = ranges.charAt(i); c <= last; c++) {
                has[c] = true;
            }
            i += range ? 2 : 0;
        }
    }

    public boolean has(char c) {
        return c < 128 && has[c];
    }

    /** Whether any character of the part is of the set. */
    public boolean isIn(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (has(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
