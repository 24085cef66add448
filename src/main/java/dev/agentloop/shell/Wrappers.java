package dev.agentloop.shell;

import dev.agentloop.shell.parse.Assignment;
import dev.agentloop.shell.parse.Findings;
import dev.agentloop.shell.parse.ShellParser;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import dev.agentloop.shell.program.Carried;
import dev.agentloop.shell.program.InlineCode;
import dev.agentloop.shell.program.ProgramKinds;
import dev.agentloop.shell.program.Rehearsal;
import dev.agentloop.shell.read.FindExpression;
import dev.agentloop.shell.read.ReadOnlyPrograms;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Programs that start another one. The inner command is found for rules that deny; whoever allows a
 * command has to allow both.
 */
final class Wrappers {
    private static final int OPTIONS_BEFORE_VERB = 5;

    private final Findings findings;
    private final Path home;
    private final CommandInput input;
    private final List<Integer> depths;

    private Wrappers(Findings findings, Path home) {
        this.findings = findings;
        this.home = home;
        this.input = new CommandInput(findings, home);
        this.depths = new ArrayList<>(Collections.nCopies(findings.commands().size(), 0));
    }

    /** Adds the commands that the ones found so far would start. */
    static void unwrap(Findings findings, Path home) {
        new Wrappers(findings, home).unwrapAll();
    }

    private void unwrapAll() {
        List<SimpleCommand> commands = findings.commands();
        for (int i = 0; i < commands.size(); i++) {
            int depth = depths.get(i) + 1;
            unwrap(commands.get(i));
            if (depths.size() < commands.size() && depth > Findings.MAX_DEPTH) {
                throw new Findings.TooComplexException(
                        "more than " + Findings.MAX_DEPTH + " programs start one another");
            }
            while (depths.size() < commands.size()) {
                depths.add(depth);
            }
        }
    }

    private void unwrap(SimpleCommand command) {
        String name = command.name();
        boolean asks = command.texts().size() == 1 && Rehearsal.asks(name, command.texts());
        for (Assignment assignment : command.assignments()) {
            if (ProgramKinds.mayRun(assignment.name())) {
                parse(assignment.value().text(), command); // GIT_PAGER='rm x' git log
            }
        }
        if (command.words().isEmpty()) {
            return;
        }
        if (!command.words().getFirst().isLiteral()) {
            suffixes(command.arguments(), command); // $SUDO may stand for nothing
        } else if (Builtins.changesState(name)) {
            List<Word> measured = Builtins.measured(command.program(), command.arguments());
            if (measured.isEmpty()) {
                shellState(command, name);
            } else {
                add(measured, command);
            }
        } else if (asks) {
            return; // bash --version
        } else if (mayEvaluate(command)) {
            findings.unclear("bash may run what stands in the words of " + name);
        } else if (ShellPrograms.isShell(name)) {
            shell(command);
        } else if (name.equals("find")) {
            FindExpression.commands(command.arguments())
                    .forEach(words -> {
                        if (!AnyWords.isReading(words)) {
                            findings.unclear("find starts a program for files not yet known");
                        }
                        add(words, command);
                    });
        } else {
            program(command, name);
        }
    }

    private void program(SimpleCommand command, String called) {
        WrapperTable.Row row = WrapperTable.row(called);
        List<String> words = command.texts();
        String name = ProgramKinds.plainName(called);
        boolean wrapped = row != null;
        if (row != null) {
            wrapped(row, command, command.arguments());
        } else {
            InlineCode.unclear(name, words).ifPresent(findings::unclear);
            wrapped = afterVerb(command);
        }
        if (name.matches("git-[a-z-]+")) {
            findings.unclear(name + " is a part of git");
            add(renamed(command), command);
        }
        List<String> texts = new ArrayList<>(InlineCode.shellTexts(name, words));
        texts.addAll(Carried.texts(name, words));
        texts.forEach(text -> parse(text, command));
        if (!texts.isEmpty()) {
            findings.unclear(name + " runs what its words say");
        }
        boolean hidden =
                words.stream().anyMatch(Wrappers::hidesSettings)
                        || name.equals("git") && InlineCode.isOtherVerb(words);
        if (name.equals("at") || name.equals("batch")) {
            input.fed(command);
        } else if (name.equals("git") && hidden) {
            input.unknownProgram(command);
        }
        input.read(command);
        if (!wrapped) {
            StartedWords started = StartedWords.of(command);
            started.reason().ifPresent(findings::unclear);
            started.commands().forEach(inner -> add(inner, command));
            started.texts().forEach(text -> parse(text, command));
        }
    }

    /** Settings of git that stand elsewhere: an alias among them may be anything. */
    private static boolean hidesSettings(String word) {
        return word.startsWith("--config-e")
                || word.toLowerCase(Locale.ROOT).matches("(-c)?include(if\\..*)?\\.path=.*");
    }

    /** {@code git-push x}, also as {@code /usr/lib/git-core/git-push}, is {@code git push x}. */
    private static List<Word> renamed(SimpleCommand command) {
        List<Word> words = new ArrayList<>();
        words.add(Word.literal("git"));
        words.add(Word.literal(command.name().substring("git-".length())));
        words.addAll(command.arguments());
        return words;
    }

    private void shell(SimpleCommand command) {
        ShellPrograms.Script script = ShellPrograms.script(command);
        script.unclear().ifPresent(findings::unclear);
        script.text().ifPresent(text -> parse(text, command));
        if (script.reads() && script.text().isEmpty()) {
            input.fed(command);
        }
    }

    /** bash takes some words of these for variables, and runs what their index holds. */
    private static boolean mayEvaluate(SimpleCommand command) {
        return switch (command.program()) {
            case "test", "[", "printf" -> !ReadOnlyPrograms.isReading(command);
            case "wait", "jobs" -> !command.arguments().isEmpty();
            default -> false;
        };
    }

    private void shellState(SimpleCommand command, String name) {
        String rest = String.join(" ", command.texts());
        if (Builtins.isHarmlessSet(name, rest)) {
            return;
        }
        findings.unclear(name + " changes what the shell does");
        if (name.equals("eval")) {
            parse(rest, command);
        } else if (name.equals(".") || name.equals("source")) {
            if (command.arguments().stream().allMatch(ShellPrograms::isInput)) {
                input.fed(command);
            }
        } else if (name.equals("alias")) {
            alias(command);
        } else if (Set.of("export", "declare", "typeset", "local", "readonly").contains(name)) {
            command.arguments().forEach(this::assigned);
        } else if (Builtins.takesCommands(name)) {
            command.texts().forEach(text -> parse(text, command));
        } else if (Builtins.isBeforeCommand(name)) {
            suffixes(command.arguments(), command);
        }
    }

    /** What the alias stands for runs by itself, and before the words of commands of its name. */
    private void alias(SimpleCommand command) {
        for (String word : command.texts()) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                String name = word.substring(0, equals);
                String text = word.substring(equals + 1);
                parse(text, command);
                for (SimpleCommand other : List.copyOf(findings.commands())) {
                    if (other.program().equals(name)) {
                        parse(text + other.text().substring(name.length()), command);
                    }
                }
            }
        }
    }

    private void assigned(Word word) {
        int equals = word.text().indexOf('=');
        String name = equals > 0 ? word.text().substring(0, equals) : "";
        if (ProgramKinds.mayRun(name)) {
            findings.enter();
            ShellParser.parse(word.text().substring(equals + 1), Set.of(home), home, findings);
            findings.leave();
        }
    }

    private boolean afterVerb(SimpleCommand command) {
        List<Word> arguments = command.arguments();
        for (int i = 0; i < Math.min(arguments.size(), OPTIONS_BEFORE_VERB); i++) {
            WrapperTable.Row row = WrapperTable.row(command.name(), arguments.get(i).text());
            if (row != null) {
                wrapped(row, command, arguments.subList(i + 1, arguments.size()));
                return true;
            }
        }
        return false;
    }

    private void wrapped(WrapperTable.Row row, SimpleCommand command, List<Word> arguments) {
        int at = row.options().firstOperand(arguments);
        boolean reads =
                at >= 0
                        && command.name().equals("xargs")
                        && mark(arguments.subList(0, at)).isEmpty()
                        && AnyWords.isReading(arguments.subList(at, arguments.size()));
        if (!reads) {
            row.reason().ifPresent(findings::unclear);
        }
        if (at < 0) {
            findings.unclear(command.name() + " has an option that is not known");
            suffixes(arguments, command);
            return;
        }
        while (row.assigns() && at < arguments.size() && isBefore(arguments.get(at))) {
            at++;
        }
        at = Math.min(at + row.skipped(), arguments.size());
        while (at < arguments.size() && arguments.get(at).text().equals("--")) {
            at++;
        }
        List<Word> inner =
                filledIn(
                        command, arguments.subList(0, at), arguments.subList(at, arguments.size()));
        if (row.joins()) {
            parse(String.join(" ", inner.stream().map(Word::text).toList()), command);
        } else {
            add(inner, command);
        }
        given(command, inner);
    }

    /** {@code xargs -I% sh -c %}: what stands for a line that it reads is not known. */
    private static List<Word> filledIn(
            SimpleCommand command, List<Word> options, List<Word> inner) {
        String mark = command.name().equals("xargs") ? mark(options) : "";
        if (mark.isEmpty()) {
            return inner;
        }
        return inner.stream()
                .map(word ->
                        word.text().contains(mark)
                                ? new Word(
                                        word.text().replace(mark, "$@"),
                                        Word.Kind.DYNAMIC,
                                        word.text().replace(mark, "$@"))
                                : word)
                .toList();
    }

    private static String mark(List<Word> options) {
        for (int i = 0; i < options.size(); i++) {
            String text = options.get(i).text();
            if (text.equals("-I") && i + 1 < options.size()) {
                return options.get(i + 1).text();
            }
            if (text.startsWith("-I")
                    || text.startsWith("-i") && text.length() > 2
                    || text.startsWith("--replace=")) {
                return text.substring(text.startsWith("--") ? text.indexOf('=') + 1 : 2);
            }
        }
        return "";
    }

    /** Words that the program adds to the command: those it reads, or those behind {@code :::}. */
    private void given(SimpleCommand command, List<Word> inner) {
        String name = command.name();
        if (name.equals("xargs") && !inner.isEmpty()) {
            List<Word> words = new ArrayList<>(inner);
            words.add(CommandInput.UNKNOWN);
            add(words, command);
        } else if (name.equals("parallel")) {
            List<String> texts = inner.stream().map(Word::text).toList();
            int values = texts.stream().map(text -> text.startsWith(":::")).toList().indexOf(true);
            int end = values < 0 ? texts.size() : values;
            if (end == 0) {
                texts.stream().skip(1).forEach(text -> parse(text, command));
                input.fed(command);
            } else {
                parse(String.join(" ", texts.subList(0, end)) + " \"$@\"", command);
            }
        } else if (name.equals("ssh") && inner.isEmpty()) {
            input.fed(command);
        }
    }

    /** An assignment, or the dash by which {@code env} begins with nothing. */
    private boolean isBefore(Word word) {
        return word.text().equals("-") || assigns(word);
    }

    private boolean assigns(Word word) {
        int equals = word.text().indexOf('=');
        if (equals <= 0) {
            return false;
        }
        String name = word.text().substring(0, equals);
        Word value = new Word(word.text().substring(equals + 1), word.kind(), word.source());
        if (!new Assignment(name, value).isHarmless()) {
            findings.unclear("it sets the variable " + name);
            assigned(word);
        }
        return true;
    }

    /** Options that are not known may take words: each word after them may be the program. */
    private void suffixes(List<Word> arguments, SimpleCommand outer) {
        int candidates = 0;
        for (int i = 0; i < arguments.size() && candidates < 4; i++) {
            String text = arguments.get(i).text();
            if (!text.startsWith("-") && text.indexOf('=') < 0) {
                candidates++;
                add(arguments.subList(i, arguments.size()), outer);
                if (text.indexOf(' ') >= 0) {
                    parse(text.replaceFirst("^[+:!]+", ""), outer);
                }
            }
        }
    }

    private void add(List<Word> words, SimpleCommand outer) {
        if (words.isEmpty()) {
            return;
        }
        if (!words.getFirst().isLiteral()) {
            findings.unclear("it is not known which program runs");
        }
        words.forEach(word -> findings.word());
        findings.add(SimpleCommand.of(words, List.of(), List.of(), outer.folders()));
    }

    private void parse(String text, SimpleCommand outer) {
        findings.enter();
        ShellParser.parse(text, outer.folders(), home, findings);
        findings.leave();
    }
}
