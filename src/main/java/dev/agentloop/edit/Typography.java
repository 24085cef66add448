package dev.agentloop.edit;

/** Quotes, dashes and blanks that people set and models type plainly. Always one for one. */
public final class Typography {
    private static final String PLAIN = "'\"- ";

    private Typography() {}

    /** The text with plain signs. */
    public static String plain(String text) {
        StringBuilder plain = new StringBuilder(text);
        for (int i = 0; i < plain.length(); i++) {
            plain.setCharAt(i, plain(plain.charAt(i)));
        }
        return plain.toString();
    }

    static char plain(char c) {
        return switch (c) {
            case '\u2018', '\u2019', '\u201A', '\u201B' -> '\'';
            case '\u201C', '\u201D', '\u201E', '\u201F' -> '"';
            case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212' -> '-';
            case '\u00A0', '\u2002', '\u2003', '\u2007', '\u2009', '\u200A', '\u202F', '\u3000' ->
                    ' ';
            default -> c;
        };
    }

    /**
     * The line with the file's signs, kind by kind, if it is the old line but for some words and
     * has as many of the kind. Anything else is written as the model sent it: a sign in a wrong
     * place may be an error in a program.
     */
    static String keepSigns(String line, LineStyle.Pair instead) {
        if (!isNearly(line, instead.sent())) {
            return line;
        }
        String kept = line;
        for (char kind : PLAIN.toCharArray()) {
            kept = keep(kept, instead, kind);
        }
        return kept;
    }

    private static String keep(String line, LineStyle.Pair instead, char kind) {
        String sent = instead.sent();
        String file = instead.file();
        StringBuilder kept = new StringBuilder(line);
        int old = -1;
        for (int i = 0; i < line.length(); i++) {
            if (plain(line.charAt(i)) == kind) {
                old = next(sent, kind, old + 1);
                if (old < 0 || sent.charAt(old) != line.charAt(i) || old >= file.length()) {
                    return line;
                }
                kept.setCharAt(i, file.charAt(old));
            }
        }
        return next(sent, kind, old + 1) < 0 ? kept.toString() : line;
    }

    private static int next(String text, char kind, int from) {
        for (int i = from; i < text.length(); i++) {
            if (plain(text.charAt(i)) == kind) {
                return i;
            }
        }
        return -1;
    }

    /** Whether at least half of the longer one is the same at both ends. */
    private static boolean isNearly(String one, String other) {
        int shorter = Math.min(one.length(), other.length());
        int head = 0;
        while (head < shorter && one.charAt(head) == other.charAt(head)) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head
                && one.charAt(one.length() - 1 - tail) == other.charAt(other.length() - 1 - tail)) {
            tail++;
        }
        return 2 * (head + tail) >= Math.max(one.length(), other.length());
    }
}
