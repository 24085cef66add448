package dev.agentloop.shell;

import dev.agentloop.shell.program.ProgramKinds;
import dev.agentloop.shell.program.ProgramKinds.Kind;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The commands that may stand in the words of a program that is not known to start none: each word
 * may be where one begins, as in {@code fakeroot git push} or {@code hyperfine 'git push'}.
 */
final class StartedWords {
    private static final int MAX_COMMANDS = 40; // of one command; the others are not looked at
    private static final String SHELL_SIGNS = " \t\n;|&$`<>()";

    /** Programs whose names are more often words: alone they do nothing to speak of. */
    private static final Set<String> VERBS =
            Set.of(
                    ("test help info start open view last look type file host users groups date true"
                                    + " false yes print see edit report stat top who clear reset"
                                    + " bench isolate retry mock deploy banner units image images"
                                    + " build stress dot server jobs pods")
                            .split(" "));

    private final SimpleCommand command;
    private final List<List<Word>> commands = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private Optional<String> reason = Optional.empty();

    private StartedWords(SimpleCommand command) {
        this.command = command;
    }

    static StartedWords of(SimpleCommand command) {
        StartedWords words = new StartedWords(command);
        words.look();
        return words;
    }

    /** Words that may be a command, the first of them its program. */
    List<List<Word>> commands() {
        return commands;
    }

    /** Texts that may be a command line. */
    List<String> texts() {
        return texts;
    }

    /** Why it is not known what runs; empty if the program starts nothing but itself. */
    Optional<String> reason() {
        return reason;
    }

    private void look() {
        Kind kind = ProgramKinds.of(command.program());
        List<String> words = command.texts();
        for (String value : ProgramKinds.started(command.name(), words)) {
            because("an option of " + command.name() + " names a program");
            texts.add(value);
        }
        if (kind == Kind.STARTER) {
            because(command.name() + " starts the program that its words name");
        }
        List<Word> arguments = command.arguments();
        for (int i = 0; i < arguments.size() && commands.size() < MAX_COMMANDS; i++) {
            String text = arguments.get(i).text();
            if (kind == Kind.STARTER || kind == Kind.UNKNOWN) {
                mayBegin(arguments, i);
            } else if (kind == Kind.RUNNER && isExpanded(text)) {
                because(command.name() + " may let a shell read " + text);
                texts.add(text);
            } else if (isSet(text)) {
                because("it sets the variable " + text.substring(0, text.indexOf('=')));
                texts.add(text.substring(text.indexOf('=') + 1));
            } else if (text.startsWith("+") && Set.of("less", "more", "man").contains(command.name())) {
                because(command.name() + " runs commands behind a plus sign");
            }
        }
    }

    private void mayBegin(List<Word> arguments, int at) {
        String word = arguments.get(at).text();
        boolean option = word.startsWith("-");
        int equals = word.indexOf('=');
        String text = option && equals > 0 ? word.substring(equals + 1) : word;
        if (isSet(text)) {
            because("it may set the variable " + text.substring(0, text.indexOf('=')));
            texts.add(text.substring(text.indexOf('=') + 1));
        } else if (text.chars().anyMatch(c -> SHELL_SIGNS.indexOf(c) >= 0)) {
            because(command.name() + " is not known, and may run \"" + text + "\"");
            boolean open = !arguments.get(at).isLiteral() && text.startsWith("$");
            if (!open || ProgramKinds.of(command.program()) == Kind.STARTER) {
                String plain = option && equals < 0 ? text.replaceFirst("^-+[A-Za-z]?", "") : text;
                texts.add(plain.replaceFirst("^[+:!]+", "")); // an editor's sign for a command
            }
        } else if (!option || equals > 0) {
            List<Word> rest = arguments.subList(at, arguments.size());
            if (option && ProgramKinds.isKnown(text)) {
                because(command.name() + " is not known, and may start " + text);
                List<Word> words = new ArrayList<>(List.of(Word.literal(text)));
                words.addAll(arguments.subList(at + 1, arguments.size()));
                commands.add(words);
            } else if (isProgram(text, rest.size())) {
                because(command.name() + " is not known, and may start " + text);
                commands.add(rest);
            }
        }
    }

    private boolean isProgram(String text, int words) {
        if (text.indexOf('/') < 0) {
            boolean verb = VERBS.contains(text) || text.equals("install") && words < 3;
            return ProgramKinds.isKnown(text) && !verb;
        }
        return ProgramKinds.isKnown(text) || isExecutable(text);
    }

    /** A file that could be started: the words of a program that is not known may name it. */
    private boolean isExecutable(String text) {
        try {
            for (Path folder : command.folders()) {
                Path path = folder.resolve(text);
                if (Files.isRegularFile(path) && Files.isExecutable(path)) {
                    return true;
                }
            }
        } catch (InvalidPathException e) {
            return false;
        }
        return false;
    }

    /** {@code NAME=VALUE}, where programs run the value. */
    private boolean isSet(String text) {
        int equals = text.indexOf('=');
        String name = equals > 0 ? text.substring(0, equals) : "";
        boolean compiler =
                equals > 0 && text.substring(equals + 1).matches("[a-z+]*(gcc|g\\+\\+|clang(\\+\\+)?|cc|c\\+\\+)(-[0-9.]+)?");
        return name.matches("[A-Za-z_][A-Za-z0-9_]*") && ProgramKinds.mayRun(name) && !compiler;
    }

    /** A tool that reads its words again, as make does, runs what stands in these. */
    private static boolean isExpanded(String text) {
        return text.contains("$(") || text.contains("`") || text.contains("${");
    }

    private void because(String why) {
        if (reason.isEmpty()) {
            reason = Optional.of(why);
        }
    }
}
