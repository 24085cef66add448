package dev.agentloop.shell.parse;

/**
 * One word of a command.
 *
 * @param text what the program gets; of an expansion, which is not known, the text as written
 * @param source the word as written, with its quotes
 */
public record Word(String text, Kind kind, String source) {
    private static final String PLAIN = "_@%+=:,./-";

    /** How much of a word is known before the command runs. */
    public enum Kind {
        /** The shell hands the text to the program as it is. */
        LITERAL,
        /** The shell puts the names of matching files in its place; with none, the text stays. */
        PATTERN,
        /** The shell expands a variable or a command in it, so its text is not known before. */
        DYNAMIC
    }

    public static Word literal(String text) {
        return new Word(text, Kind.LITERAL, quoted(text));
    }

    /** Whether the whole word is known. */
    public boolean isLiteral() {
        return kind == Kind.LITERAL;
    }

    /** Whether the word stands there unquoted: only then it can be a reserved word. */
    public boolean isBare(String reserved) {
        return source.equals(reserved);
    }

    public boolean startsWith(String prefix) {
        return text.startsWith(prefix);
    }

    /** The word as a shell reads it, with quotes only where it needs them. */
    public String shown() {
        return kind == Kind.LITERAL ? quoted(text) : source;
    }

    public static String quoted(String text) {
        boolean plain = !text.isEmpty() && text.chars().allMatch(Word::isPlain);
        return plain ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    private static boolean isPlain(int c) {
        return c >= 'a' && c <= 'z'
                || c >= 'A' && c <= 'Z'
                || c >= '0' && c <= '9'
                || PLAIN.indexOf(c) >= 0;
    }
}
