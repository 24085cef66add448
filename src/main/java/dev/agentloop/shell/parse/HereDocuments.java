package dev.agentloop.shell.parse;

import java.util.ArrayList;
import java.util.List;

/** Here-documents whose text begins after the line that announces them. */
final class HereDocuments {
    private final Cursor cursor;
    private final Findings findings;
    private final ShellParser parser;
    private final List<Pending> pending = new ArrayList<>();

    private static final class Pending {
        private final Word delimiter;
        private final String operator;
        private final int redirect;
        private int command = -1;

        Pending(Word delimiter, String operator, int redirect) {
            this.delimiter = delimiter;
            this.operator = operator;
            this.redirect = redirect;
        }
    }

    HereDocuments(Cursor cursor, Findings findings, ShellParser parser) {
        this.cursor = cursor;
        this.findings = findings;
        this.parser = parser;
    }

    /** One more, the {@code redirect}-th redirection of the command that is being read. */
    void announce(Word delimiter, String operator, int redirect) {
        if (!delimiter.isLiteral() || !delimiter.text().chars().allMatch(HereDocuments::isPlain)) {
            findings.unclear("the end of a here-document is hard to see");
        }
        pending.add(new Pending(delimiter, operator, redirect));
    }

    private static boolean isPlain(int c) {
        return c < 128 && (Character.isLetterOrDigit(c) || c == '_');
    }

    /** The command being read has got its number. */
    void commandIs(int index) {
        for (Pending document : pending) {
            if (document.command < 0) {
                document.command = index;
            }
        }
    }

    boolean isWaiting() {
        return !pending.isEmpty();
    }

    /** Reads the text of those that were announced: the cursor stands after a line feed. */
    void read() {
        for (Pending document : List.copyOf(pending)) {
            String body = body(document);
            boolean expanded = document.delimiter.isBare(document.delimiter.text());
            if (expanded && body.chars().anyMatch(c -> "$`\\".indexOf(c) >= 0)) {
                findings.unclear("it holds an expansion in a here-document");
                parser.innerText(body);
            }
            if (document.command >= 0) {
                Redirect known = new Redirect(document.operator, Word.literal(body));
                findings.complete(document.command, document.redirect, known);
            }
        }
        pending.clear();
    }

    private String body(Pending document) {
        StringBuilder body = new StringBuilder();
        while (!cursor.atEnd()) {
            String line = cursor.line();
            if (document.operator.endsWith("-")) {
                line = line.substring(leadingTabs(line));
            }
            if (line.equals(document.delimiter.text())) {
                return body.toString();
            }
            body.append(line).append('\n');
        }
        findings.unclear("a here-document has no end");
        return body.toString();
    }

    private static int leadingTabs(String line) {
        int tabs = 0;
        while (tabs < line.length() && line.charAt(tabs) == '\t') {
            tabs++;
        }
        return tabs;
    }
}
