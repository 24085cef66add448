package dev.agentloop.edit;

/** Quotes, dashes and blanks that people set and models type plainly. Always one for one. */
public final class Typography {
    private static final int MAX_CELLS = 4_000_000; // of a table; longer lines are kept as sent

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

    /** The line with the file's signs wherever the model kept what it took them for. */
    static String keepSigns(String line, LineStyle.Pair instead) {
        String sent = instead.sent();
        if ((long) line.length() * sent.length() > MAX_CELLS) {
            return line;
        }
        StringBuilder kept = new StringBuilder(line);
        int[] partners =
                Alignment.of(
                                sent.length(),
                                line.length(),
                                (i, j) -> sent.charAt(i) == line.charAt(j))
                        .partners();
        for (int j = 0; j < partners.length; j++) {
            if (partners[j] >= 0 && partners[j] < instead.file().length()) {
                kept.setCharAt(j, instead.file().charAt(partners[j]));
            }
        }
        return kept.toString();
    }
}
