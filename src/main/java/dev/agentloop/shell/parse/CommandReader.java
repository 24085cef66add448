package dev.agentloop.shell.parse;

import java.util.ArrayList;
import java.util.List;

/** Reads one simple command: assignments, words and redirections, in any order. */
final class CommandReader {
    private final Cursor cursor;
    private final Findings findings;
    private final Folders folders;
    private final HereDocuments documents;
    private final ShellParser parser;
    private final List<Word> words = new ArrayList<>();
    private final List<Redirect> redirects = new ArrayList<>();
    private final List<Assignment> assignments = new ArrayList<>();

    CommandReader(
            Cursor cursor,
            Findings findings,
            Folders folders,
            HereDocuments documents,
            ShellParser parser) {
        this.cursor = cursor;
        this.findings = findings;
        this.folders = folders;
        this.documents = documents;
        this.parser = parser;
    }

    void read() {
        int from = cursor.at();
        while (part()) {
            cursor.blanks();
        }
        if (words.isEmpty() && redirects.isEmpty() && assignments.isEmpty()) {
            findings.unclear("a command is missing");
            if (cursor.at() == from && (cursor.peek() == ';' || cursor.peek() == '&')) {
                cursor.skip(1); // so that the line comes to its end
            }
            return;
        }
        finish();
    }

    /** Only redirections, those of a group. */
    void readRedirects() {
        cursor.blanks();
        while (isRedirect()) {
            redirect();
            cursor.blanks();
        }
        if (!redirects.isEmpty()) {
            finish();
        }
    }

    private void finish() {
        if (words.isEmpty() && !assignments.isEmpty()) {
            findings.unclear("it sets a variable of the shell");
        }
        for (Assignment assignment : assignments) {
            if (!assignment.startsNothing(words.isEmpty() ? "" : words.getFirst().text())) {
                findings.unclear("it sets the variable " + assignment.name());
            }
        }
        SimpleCommand command = SimpleCommand.of(words, redirects, assignments, folders.now());
        documents.commandIs(findings.add(command));
        folders.ran(command);
    }

    private boolean part() {
        char c = cursor.peek();
        if (cursor.atEnd() || "\n;|&)".indexOf(c) >= 0 || c == '#') {
            return cursor.peek() == '&' && cursor.peek(1) == '>' && bothStreams();
        }
        if (c == '(') {
            findings.unclear("it defines a function");
            return false;
        }
        if (isRedirect()) {
            redirect();
        } else {
            word();
        }
        return true;
    }

    /** {@code &>}: one redirection to bash, the end of a command to other shells. */
    private boolean bothStreams() {
        findings.unclear("&> is read differently by shells");
        cursor.skip(1);
        return true;
    }

    private boolean isRedirect() {
        int digits = 0;
        while (isDigit(cursor.peek(digits))) {
            digits++;
        }
        char c = cursor.peek(digits);
        return c == '<' || c == '>';
    }

    private void word() {
        findings.word();
        Word word = WordReader.read(cursor, findings, parser);
        if (!words.isEmpty()) {
            words.add(word);
        } else if (isAssignment(word)) {
            int equals = word.source().indexOf('=');
            String value = word.text().substring(equals + 1);
            assignments.add(
                    new Assignment(
                            word.source().substring(0, equals),
                            new Word(value, word.kind(), word.source().substring(equals + 1))));
        } else if (word.isBare(word.text()) && Reserved.isBeforeCommand(word.text())) {
            findings.unclear("it branches or loops");
        } else if (word.isBare("function")) {
            findings.unclear("it defines a function");
            cursor.blanks();
            WordReader.read(cursor, findings, parser); // its name
        } else {
            program(word);
        }
    }

    private void program(Word word) {
        if (word.isBare(word.text()) && Reserved.isBeforeWords(word.text())) {
            findings.unclear("it branches or loops");
        } else if (!word.isLiteral() || word.text().isEmpty()) {
            findings.unclear("it is not known which program runs");
        } else if (word.text().contains("=") || word.startsWith("%")) {
            findings.unclear("a program has the name of something else");
        } else if (word.text().indexOf('{') >= 0 || word.text().indexOf('}') >= 0) {
            findings.unclear("a brace stands where a program should");
        }
        words.add(word);
    }

    private static boolean isAssignment(Word word) {
        String source = word.source();
        int equals = source.indexOf('=');
        if (equals <= 0 || Character.isDigit(source.charAt(0))) {
            return false;
        }
        return source.substring(0, equals).chars().allMatch(CommandReader::isName);
    }

    private static boolean isName(int c) {
        return c == '_' || c < 128 && Character.isLetterOrDigit(c);
    }

    private void redirect() {
        findings.word();
        int start = cursor.at();
        while (isDigit(cursor.peek())) {
            cursor.skip(1);
        }
        if (cursor.at() - start > 1) {
            findings.unclear("a descriptor of two digits is read differently by shells");
        }
        String descriptor =
                cursor.since(start).isEmpty() ? "" : cursor.since(start).substring(0, 1);
        String operator = operator();
        cursor.blanks();
        if (cursor.atDelimiter(0)) {
            findings.unclear("a redirection has no target");
            if (cursor.peek() == '<' || cursor.peek() == '>' || cursor.peek() == '(') {
                substitutedTarget();
            }
            return;
        }
        Word target = WordReader.read(cursor, findings, parser);
        checkTarget(operator, target);
        redirects.add(new Redirect(descriptor + operator, target));
        if (operator.startsWith("<<") && !operator.equals(Redirect.HERE_STRING)) {
            documents.announce(target, descriptor + operator, redirects.size() - 1);
        }
    }

    private String operator() {
        for (String operator : List.of("<<-", "<<", "<>", "<&", ">>", ">|", ">&", "<", ">")) {
            if (cursor.take(operator)) {
                if (operator.equals("<<") && cursor.take("<")) {
                    findings.unclear("<<< is read differently by shells");
                    return Redirect.HERE_STRING;
                }
                return operator;
            }
        }
        return ">"; // not reached: the caller saw one of the two signs
    }

    /** {@code <(…)} and {@code >(…)}: the commands inside run. */
    private void substitutedTarget() {
        boolean opened = cursor.peek() == '(' || cursor.peek(1) == '(';
        cursor.skip(cursor.peek() == '(' ? 1 : opened ? 2 : 1);
        if (opened) {
            findings.unclear("it holds a process substitution");
            parser.substitution();
        }
    }

    private void checkTarget(String operator, Word target) {
        String text = target.text();
        if (operator.endsWith("&") && !(text.equals("-") || isDigit(text))) {
            findings.unclear(operator + " with a file is read differently by shells");
        } else if (target.kind() == Word.Kind.PATTERN && !operator.startsWith("<<")) {
            findings.unclear("a redirection has a pattern for a target");
        } else if (text.startsWith("/dev/tcp/") || text.startsWith("/dev/udp/")) {
            findings.unclear("a redirection opens a connection");
        } else if (text.isEmpty() || target.source().startsWith("#")) {
            findings.unclear("a redirection has no target");
        }
    }

    private static boolean isDigit(String text) {
        return text.length() == 1 && isDigit(text.charAt(0));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
