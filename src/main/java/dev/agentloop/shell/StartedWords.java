package dev.agentloop.shell;

import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import dev.agentloop.shell.program.Catalogue;
import dev.agentloop.shell.program.InlineCode;
import dev.agentloop.shell.program.ProgramKinds;
import dev.agentloop.shell.program.ProgramKinds.Kind;
import dev.agentloop.shell.program.Rehearsal;
import dev.agentloop.shell.program.RemoteUse;
import dev.agentloop.shell.program.Subcommand;
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

    /** Verbs of runners behind which the words of another program may stand. */
    private static final Set<String> RUNS =
            Set.of(
                    "--",
                    "exec",
                    "x",
                    "dlx",
                    "run",
                    "watch",
                    "ssh",
                    "sh",
                    "shell",
                    "console",
                    "rsh",
                    "try-repo",
                    "devenv",
                    "command");

    /** Runners whose verb "run" is followed by the name of a script of the project. */
    private static final Set<String> SCRIPTS =
            Set.of(
                    "npm",
                    "pnpm",
                    "yarn",
                    "bun",
                    "composer",
                    "deno",
                    "make",
                    "gmake",
                    "npx",
                    "pnpx");

    /** Plain programs with such verbs, behind which a program of another machine may stand. */
    private static final Set<String> REMOTE =
            Set.of("az", "gcloud", "gh", "glab", "aws", "kubectl", "oc", "docker", "podman");

    private final SimpleCommand command;
    private final Kind kind;
    private final List<List<Word>> commands = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private Optional<String> reason = Optional.empty();

    private StartedWords(SimpleCommand command) {
        this.command = command;
        this.kind = ProgramKinds.of(command.program(), command.texts());
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

    /** What a pager does first, as if it were typed: of that, {@code !} runs a command. */
    private void firstKeys(String word) {
        int command = Math.max(word.indexOf('!'), word.indexOf('|'));
        if (command >= 0) {
            because("a pager runs a command first");
            texts.add(word.substring(command + 1));
        }
    }

    /**
     * {@code ip netns exec NAME PROGRAM}, which may be shortened, and {@code -all} for the name.
     */
    private void afterExec(List<Word> arguments) {
        for (int i = 1; i < arguments.size(); i++) {
            if (arguments.get(i).text().matches("ex?e?c?")) {
                because("ip runs a program in another network");
                for (int from = i + 1; from < Math.min(i + 3, arguments.size()); from++) {
                    commands.add(arguments.subList(from, arguments.size()));
                }
                return;
            }
        }
    }

    /** {@code git grep -nO'less +2'} opens what it finds with a program. */
    private void opener(List<String> words) {
        for (String word : words) {
            if (word.matches("-[a-zA-Z0-9]*O.+")) {
                because("an option of git grep names a program");
                texts.add(word.substring(word.indexOf('O') + 1));
            }
        }
    }

    private void look() {
        List<String> words = command.texts();
        if (Rehearsal.asks(command.name(), words) && words.size() == 1) {
            return;
        }
        for (String value : ProgramKinds.started(command.name(), words)) {
            because("an option of " + command.name() + " names a program");
            addText(value);
        }
        if (command.name().equals("less") || command.name().equals("more")) {
            words.stream().filter(word -> word.startsWith("+")).forEach(this::firstKeys);
        }
        if (command.name().equals("ip")) {
            afterExec(command.arguments());
        }
        if (command.name().equals("git") && words.contains("grep")) {
            opener(words);
        }
        if (kind == Kind.STARTER) {
            because(command.name() + " starts the program that its words name");
        }
        eachWord(words);
    }

    private void eachWord(List<String> words) {
        List<Word> arguments = command.arguments();
        int binary = binary(words);
        boolean runner =
                kind == Kind.RUNNER || kind == Kind.PLAIN && REMOTE.contains(command.name());
        int others = runner ? others(words) : words.size();
        for (int i = 0; i < arguments.size() && commands.size() < MAX_COMMANDS; i++) {
            String text = arguments.get(i).text();
            if (i == binary) {
                commands.add(arguments.subList(i, arguments.size()));
            } else if (kind == Kind.STARTER || kind == Kind.UNKNOWN) {
                mayBegin(arguments, i);
            } else if (runner && i >= others && isCommand(arguments, i)) {
                mayBegin(arguments, i);
            } else if (kind == Kind.RUNNER && isExpanded(text)) {
                because(command.name() + " may let a shell read " + text);
                texts.add(text);
            } else if (isSet(text)) {
                because("it sets the variable " + text.substring(0, text.indexOf('=')));
                texts.add(text.substring(text.indexOf('=') + 1));
            } else if (text.startsWith("+")
                    && Set.of("less", "more", "man").contains(command.name())) {
                because(command.name() + " runs commands behind a plus sign");
            }
        }
    }

    /** From where on the words may be those of a program that a runner starts. */
    private int others(List<String> words) {
        boolean script = InlineCode.isInterpreter(command.name()) && !command.name().equals("make");
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean verb = RUNS.contains(word) && !SCRIPTS.contains(command.name());
            boolean yarn = word.equals("run") && command.name().equals("yarn");
            if (verb || yarn || script && !word.startsWith("-")) {
                return i + 1;
            }
        }
        return words.size();
    }

    /** {@code yarn prisma migrate reset} starts a program of a package; -1 if it is none. */
    private int binary(List<String> words) {
        boolean packages =
                Set.of("yarn", "pnpm", "bun").contains(command.name())
                        && !RemoteUse.publishes(command.name(), words); // yarn npm publish
        boolean installs =
                words.stream()
                        .anyMatch(
                                Set.of("add", "install", "i", "remove", "why", "info", "up")
                                        ::contains);
        for (int i = 0; packages && !installs && i < words.size(); i++) {
            List<String> rest = words.subList(i + 1, words.size());
            if (!Catalogue.dangers(words.get(i), rest, "").isEmpty()
                    || DangerCatalogue.isRemover(words.get(i))
                    || RemoteUse.publishes(words.get(i), rest)) {
                return i;
            }
        }
        int first = packages && !installs ? firstOperand(words) : -1;
        return first >= 0 && ProgramKinds.isCommandName(words.get(first)) ? first : -1;
    }

    private int firstOperand(List<String> words) {
        List<Integer> starts = Subcommand.starts(command.name(), words);
        return starts.isEmpty() ? -1 : starts.getFirst();
    }

    private boolean isCommand(List<Word> arguments, int at) {
        String text = arguments.get(at).text();
        int blank = text.indexOf(' ');
        String first = blank < 0 ? text : text.substring(0, blank);
        return !text.startsWith("-") && isProgram(first, arguments.subList(at, arguments.size()));
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
            if (!open || kind == Kind.STARTER) {
                String plain = option && equals < 0 ? text.replaceFirst("^-+[A-Za-z]?", "") : text;
                addText(plain.replaceFirst("^[+:!]+", "")); // an editor's sign for a command
            }
        } else if (!option || equals > 0) {
            List<Word> rest = arguments.subList(at, arguments.size());
            if (option && ProgramKinds.isKnown(text)) {
                because(command.name() + " is not known, and may start " + text);
                List<Word> words = new ArrayList<>(List.of(Word.literal(text)));
                words.addAll(arguments.subList(at + 1, arguments.size()));
                commands.add(words);
            } else if (isProgram(text, rest)) {
                because(command.name() + " is not known, and may start " + text);
                commands.add(rest);
            }
        }
    }

    private boolean isProgram(String text, List<Word> words) {
        if (text.indexOf('/') < 0) {
            List<String> rest = words.stream().skip(1).map(Word::text).toList();
            boolean verb = ProgramKinds.isWord(text) || text.equals("install") && words.size() < 3;
            boolean harmless =
                    verb
                            && kind != Kind.STARTER
                            && Catalogue.dangers(text, rest, "").isEmpty()
                            && !RemoteUse.publishes(text, rest);
            return ProgramKinds.isKnown(text) && !harmless;
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
                equals > 0
                        && text.substring(equals + 1)
                                .matches(
                                        "[a-z+]*(gcc|g\\+\\+|clang(\\+\\+)?|cc|c\\+\\+)(-[0-9.]+)?");
        return name.matches("[A-Za-z_][A-Za-z0-9_]*") && ProgramKinds.mayRun(name) && !compiler;
    }

    /** A tool that reads its words again, as make does, runs what stands in these. */
    private static boolean isExpanded(String text) {
        return text.contains("$(") || text.contains("`") || text.contains("${");
    }

    /** The text, and what begins within it: {@code call system("git push")}. */
    private void addText(String text) {
        texts.add(text);
        texts.addAll(InlineCode.beginnings(text));
    }

    private void because(String why) {
        if (reason.isEmpty()) {
            reason = Optional.of(why);
        }
    }
}
