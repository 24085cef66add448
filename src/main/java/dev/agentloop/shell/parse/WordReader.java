package dev.agentloop.shell.parse;

import dev.agentloop.shell.parse.Word.Kind;

/**
 * Reads one word: quotes, escapes, and expansions, which make it unknown. The commands inside
 * substitutions are read too.
 */
final class WordReader {
    /** What may follow a dollar sign in double quotes so that it stands for itself. */
    private static final String AFTER_PLAIN_DOLLAR = "\" |)/.,:%";

    private final Cursor cursor;
    private final Findings findings;
    private final ShellParser parser;
    private StringBuilder text = new StringBuilder();
    private int start;
    private boolean pattern;
    private boolean dynamic;
    private boolean brace;

    WordReader(Cursor cursor, Findings findings, ShellParser parser) {
        this.cursor = cursor;
        this.findings = findings;
        this.parser = parser;
    }

    /** Reads the word that begins at the cursor. */
    static Word read(Cursor cursor, Findings findings, ShellParser parser) {
        return new WordReader(cursor, findings, parser).word();
    }

    /** Reads the commands inside the text of a here-document that the shell expands. */
    static void expansions(Cursor cursor, Findings findings, ShellParser parser) {
        WordReader reader = new WordReader(cursor, findings, parser);
        while (!cursor.atEnd()) {
            reader.quotedCharacter(Cursor.END);
        }
    }

    private Word word() {
        start = cursor.at();
        while (!cursor.atDelimiter(0)) {
            character();
        }
        String source = cursor.since(start);
        if (brace && (text.indexOf(",") >= 0 || text.indexOf("..") >= 0)) {
            unknown("braces may stand for several words");
        }
        boolean wild = pattern && !source.equals("[");
        Kind kind = dynamic ? Kind.DYNAMIC : wild ? Kind.PATTERN : Kind.LITERAL;
        return new Word(text.toString(), kind, source);
    }

    private void character() {
        char c = cursor.peek();
        switch (c) {
            case '\'' -> singleQuoted();
            case '"' -> doubleQuoted();
            case '\\' -> escaped();
            case '$' -> unquotedDollar();
            case '`' -> backquoted();
            case '~' -> tilde();
            default -> {
                pattern |= c == '*' || c == '?' || c == '[';
                brace |= c == '{' || c == '}';
                text.append(cursor.next());
            }
        }
    }

    private void singleQuoted() {
        cursor.skip(1);
        while (!cursor.atEnd() && cursor.peek() != '\'') {
            if (cursor.peek() == '\n') {
                parser.newlineInWord();
            }
            text.append(cursor.next());
        }
        closing("'");
    }

    private void doubleQuoted() {
        cursor.skip(1);
        while (!cursor.atEnd() && cursor.peek() != '"') {
            quotedCharacter('"');
        }
        closing("\"");
    }

    private void closing(String quote) {
        if (!cursor.take(quote)) {
            unknown("a quote is not closed");
        }
    }

    /** One character, or expansion, between double quotes. */
    private void quotedCharacter(char quote) {
        char c = cursor.peek();
        if (c == '\\') {
            quotedEscape(quote);
        } else if (c == '`') {
            backquoted();
        } else if (c == '$' && AFTER_PLAIN_DOLLAR.indexOf(cursor.peek(1)) < 0) {
            dollar();
        } else {
            if (c == '\n') {
                parser.newlineInWord();
            }
            text.append(cursor.next());
        }
    }

    private void quotedEscape(char quote) {
        char escaped = cursor.peek(1);
        if (escaped == '\n') {
            unknown("a line goes on after a backslash inside quotes");
        } else if (escaped != '$' && escaped != '`' && escaped != '\\' && escaped != quote) {
            text.append('\\');
            cursor.skip(1);
            return;
        }
        cursor.skip(1);
        append();
    }

    private void escaped() {
        cursor.skip(1);
        if (cursor.peek() == '\n' || cursor.atEnd()) {
            unknown("a line goes on after a backslash");
            cursor.skip(1);
            return;
        }
        append();
    }

    private void append() {
        if (!cursor.atEnd()) {
            text.append(cursor.next());
        }
    }

    private void tilde() {
        char before = cursor.before();
        cursor.skip(1);
        if (cursor.at() - 1 == start) {
            if (cursor.peek() == '/' || cursor.atDelimiter(0)) {
                text.append(parser.home());
                return;
            }
            unknown("~ stands for the folder of a user");
        } else if (before == '=' || before == ':') {
            unknown("~ inside a word is read differently by shells");
        }
        text.append('~');
    }

    private void unquotedDollar() {
        char after = cursor.peek(1);
        if (after == Cursor.END || after == '\n' || Cursor.isBlank(after)) {
            text.append(cursor.next());
        } else if (after == '\'' || after == '"') {
            unknown("$ before a quote is read differently by shells");
            cursor.skip(1);
        } else {
            dollar();
        }
    }

    private void dollar() {
        int from = cursor.at();
        cursor.skip(1);
        if (cursor.take("(")) {
            unknown("it holds a command substitution");
            parser.substitution();
        } else if (cursor.take("{")) {
            unknown("it holds the value of a variable");
            bracedParameter();
        } else {
            unknown("it holds the value of a variable");
            if (isName(cursor.peek())) {
                while (isName(cursor.peek())) {
                    cursor.skip(1);
                }
            } else if ("@*#?-!$".indexOf(cursor.peek()) >= 0) {
                cursor.skip(1);
            }
        }
        text.append(cursor.since(from));
    }

    private static boolean isName(char c) {
        return c == '_' || c < 128 && Character.isLetterOrDigit(c);
    }

    /** Steps past the brace that ends a parameter; commands inside it are read. */
    private void bracedParameter() {
        findings.enter();
        StringBuilder outer = text;
        text = new StringBuilder();
        while (!cursor.atEnd() && cursor.peek() != '}') {
            character();
        }
        text = outer;
        closing("}");
        findings.leave();
    }

    private void backquoted() {
        unknown("it holds a command substitution");
        int from = cursor.at();
        cursor.skip(1);
        StringBuilder inner = new StringBuilder();
        while (!cursor.atEnd() && cursor.peek() != '`') {
            if (cursor.peek() == '\\' && "$`\\".indexOf(cursor.peek(1)) >= 0) {
                cursor.skip(1);
            }
            if (!cursor.atEnd()) {
                inner.append(cursor.next());
            }
        }
        closing("`");
        text.append(cursor.since(from));
        parser.inner(inner.toString());
    }

    private void unknown(String why) {
        dynamic = true;
        findings.unclear(why);
    }
}
