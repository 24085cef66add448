package dev.agentloop.shell.parse;

import java.nio.file.Path;
import java.util.Set;

/**
 * Reads a command line by recursive descent. It never stops at what it does not understand: it
 * notes that the line is unclear and goes on, so that rules that deny see the commands behind it.
 */
public final class ShellParser {
    private final Cursor cursor;
    private final Findings findings;
    private final Folders folders;
    private final Path home;
    private final HereDocuments documents;

    private ShellParser(String line, Set<Path> start, Path home, Findings findings) {
        this.cursor = new Cursor(line.replace(Cursor.END, ' '), findings); // unclear anyway
        this.findings = findings;
        this.folders = new Folders(start, home, findings);
        this.home = home;
        this.documents = new HereDocuments(cursor, findings, this);
    }

    /** Reads a whole line; what it holds is in {@code findings} afterwards. */
    public static void parse(String line, Set<Path> start, Path home, Findings findings) {
        if (line.codePoints().anyMatch(ShellParser::isOdd)) {
            findings.unclear("it holds characters that cannot be seen");
        }
        if (line.startsWith("-") || line.startsWith("+")) {
            findings.unclear("a shell takes it for one of its options"); // sh -c '-x'
        }
        new ShellParser(line, start, home, findings).program();
    }

    /** Characters that people do not see, or that shells may take for blanks. */
    private static boolean isOdd(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL -> c != '\n' && c != '\t';
            case Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED -> true;
            case Character.SPACE_SEPARATOR -> c != ' ';
            case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    String home() {
        return home.toString();
    }

    /** A line feed inside quotes: shells do not agree where a here-document begins then. */
    void newlineInWord() {
        if (documents.isWaiting()) {
            findings.unclear("a quote goes over the line of a here-document");
        }
    }

    /** The commands of {@code $(…)}, up to its end. */
    void substitution() {
        nested(")");
    }

    /** The commands of {@code text}, which runs inside this line. */
    void inner(String text) {
        findings.enter();
        new ShellParser(text, folders.now(), home, findings).program();
        findings.leave();
    }

    /** Text that the shell expands, but does not run. */
    void innerText(String text) {
        findings.enter();
        ShellParser parser = new ShellParser(text, folders.now(), home, findings);
        WordReader.expansions(parser.cursor, findings, parser);
        findings.leave();
    }

    private void program() {
        list();
        while (!cursor.atEnd()) {
            findings.unclear("a bracket closes what was not opened");
            cursor.skip(1);
            list();
        }
        if (documents.isWaiting()) {
            findings.unclear("a here-document has no end");
        }
    }

    /** Reads what stands in brackets and the bracket that closes them, in a world of its own. */
    private void nested(String close) {
        findings.enter();
        Set<Path> before = folders.now();
        linebreak();
        if (cursor.peek() == close.charAt(0)) {
            findings.unclear("there is nothing between two brackets");
        }
        list();
        if (!cursor.take(close)) {
            findings.unclear("a bracket is not closed");
        }
        if (close.equals(")")) {
            folders.now(before);
        }
        findings.leave();
    }

    /** Commands up to the end, or to a bracket that closes. */
    private void list() {
        while (true) {
            linebreak();
            if (cursor.atEnd() || cursor.peek() == ')' || atWord("}")) {
                return;
            }
            Set<Path> before = folders.now();
            andOr();
            if (cursor.peek() == '&') {
                background(before);
            } else {
                separator();
            }
        }
    }

    private void separator() {
        switch (cursor.peek()) {
            case ';' -> {
                cursor.skip(1);
                if (cursor.peek() == ';' || cursor.peek() == '&') {
                    findings.unclear("it branches");
                    cursor.skip(1);
                }
            }
            case '\n', ')', '#', Cursor.END -> {}
            default -> findings.unclear("a command does not end where it should");
        }
    }

    private void andOr() {
        pipeline();
        Set<Path> good = folders.succeeded();
        Set<Path> bad = folders.failed();
        while (true) {
            if (cursor.take("&&")) {
                folders.now(good);
                linebreak();
                pipeline();
                good = folders.succeeded();
                bad = folders.union(bad, folders.failed());
            } else if (cursor.take("||")) {
                folders.now(bad);
                linebreak();
                pipeline();
                good = folders.union(good, folders.succeeded());
                bad = folders.failed();
            } else {
                break;
            }
        }
        folders.outcome(good, bad);
    }

    private void background(Set<Path> before) {
        cursor.skip(1);
        if (cursor.peek() == '>') {
            findings.unclear("&> is read differently by shells");
        }
        folders.now(before);
        cursor.blanks();
        if (cursor.peek() == ';' || cursor.peek() == '&' || cursor.peek() == '|') {
            findings.unclear("a command is missing");
            cursor.skip(1);
        }
    }

    private void pipeline() {
        Set<Path> before = folders.now();
        cursor.blanks();
        boolean negated = atWord("!") && Cursor.isBlank(cursor.peek(1));
        if (negated) {
            cursor.skip(1);
        }
        command();
        boolean piped = false;
        while (cursor.peek() == '|' && cursor.peek(1) != '|') {
            piped = true;
            cursor.skip(1);
            if (cursor.take("&")) {
                findings.unclear("|& is read differently by shells");
            }
            folders.now(before);
            linebreak();
            command();
        }
        if (piped) {
            folders.now(before);
        } else if (negated) {
            folders.now(folders.union(folders.succeeded(), folders.failed()));
        }
    }

    private void command() {
        cursor.blanks();
        if (cursor.peek() == '(') {
            cursor.skip(1);
            if (cursor.peek() == '(') {
                findings.unclear("(( is read differently by shells");
            }
            group(")");
        } else if (atWord("{") && isSpace(cursor.peek(1))) {
            cursor.skip(1);
            group("}");
        } else {
            new CommandReader(cursor, findings, folders, documents, this).read();
        }
        cursor.blanks();
    }

    /** A group in brackets; what it is redirected to counts as a command of its own. */
    private void group(String close) {
        CommandReader outside = new CommandReader(cursor, findings, folders, documents, this);
        Set<Path> before = folders.now();
        nested(close);
        Set<Path> after = folders.now();
        folders.now(before);
        outside.readRedirects();
        folders.now(after);
    }

    /** Steps over line feeds, comments, blanks, and reads the here-documents between them. */
    private void linebreak() {
        while (true) {
            cursor.blanks();
            if (cursor.peek() == '#') {
                comment();
            } else if (cursor.take("\n")) {
                documents.read();
            } else {
                return;
            }
        }
    }

    private void comment() {
        while (!cursor.atEnd() && cursor.peek() != '\n') {
            if (cursor.next() == '\\' && cursor.peek() == '\n') {
                findings.unclear("a comment ends with a backslash");
            }
        }
    }

    private boolean atWord(String reserved) {
        return cursor.peek() == reserved.charAt(0) && cursor.atDelimiter(1);
    }

    private static boolean isSpace(char c) {
        return Cursor.isBlank(c) || c == '\n';
    }
}
