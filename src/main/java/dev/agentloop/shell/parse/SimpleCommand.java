package dev.agentloop.shell.parse;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;

/**
 * One program with its words.
 *
 * @param words the program first; empty if the command only redirects or assigns
 * @param folders in which it may run; more than one if an earlier {@code cd} may have failed
 * @param text the command in its normal form: single blanks, quotes only where needed, redirections
 *     at the end; what a person allows for ever is compared with it
 */
public record SimpleCommand(
        List<Word> words,
        List<Redirect> redirects,
        List<Assignment> assignments,
        Set<Path> folders,
        String text) {
    private static final String EXE = ".exe";

    public static SimpleCommand of(
            List<Word> words,
            List<Redirect> redirects,
            List<Assignment> assignments,
            Set<Path> folders) {
        StringJoiner text = new StringJoiner(" ");
        assignments.forEach(assignment -> text.add(assignment.shown()));
        for (int i = 0; i < words.size(); i++) {
            text.add(i == 0 ? program(words.getFirst()) : words.get(i).shown());
        }
        redirects.forEach(redirect -> text.add(redirect.shown()));
        return new SimpleCommand(
                List.copyOf(words),
                List.copyOf(redirects),
                List.copyOf(assignments),
                folders,
                text + String.join("", redirects.stream().map(Redirect::body).toList()));
    }

    /** The word that names the program, as written; empty if there is none. */
    public String program() {
        return words.isEmpty() ? "" : words.getFirst().text();
    }

    /**
     * The program without the folders before it, without the version behind it as in {@code npx
     * rimraf@5}, and without the ending of Windows, whose programs WSL starts: good enough to be
     * careful, not to trust.
     */
    public String name() {
        String name = program().substring(program().lastIndexOf('/') + 1);
        int version = name.indexOf('@');
        return withoutEnding(version > 0 ? name.substring(0, version) : name);
    }

    /** In lower case if it has one: Windows knows no other. */
    public static String withoutEnding(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(EXE) && name.length() > EXE.length()
                ? lower.substring(0, lower.length() - EXE.length())
                : name;
    }

    /** The words after the program. */
    public List<Word> arguments() {
        return words.isEmpty() ? List.of() : words.subList(1, words.size());
    }

    /** The arguments as plain text. */
    public List<String> texts() {
        return arguments().stream().map(Word::text).toList();
    }

    /** The same command, once the text of a here-document is known. */
    SimpleCommand with(int redirect, Redirect known) {
        List<Redirect> all = new ArrayList<>(redirects);
        all.set(redirect, known);
        return of(words, all, assignments, folders);
    }

    /** A quoted first word stays quoted where bare it would be read as something else. */
    private static String program(Word word) {
        boolean special = Reserved.isReserved(word.text()) || word.text().contains("=");
        return special && word.isLiteral()
                ? "'" + word.text().replace("'", "'\\''") + "'"
                : word.shown();
    }
}
