package dev.agentloop.shell;

import dev.agentloop.shell.parse.Findings;
import dev.agentloop.shell.parse.Redirect;
import dev.agentloop.shell.parse.ShellParser;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import dev.agentloop.shell.program.InlineCode;
import dev.agentloop.shell.program.ProgramKinds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Programs that run what they read: what the line prints, or a document in it, may be that. */
final class CommandInput {
    /** Stands for what is only known when it runs. */
    static final Word UNKNOWN = new Word("$@", Word.Kind.DYNAMIC, "\"$@\"");

    private final Findings findings;
    private final Path home;

    CommandInput(Findings findings, Path home) {
        this.findings = findings;
        this.home = home;
    }

    /** The command runs what it reads: that is unknown, and may be what the line prints. */
    void fed(SimpleCommand command) {
        for (SimpleCommand other : List.copyOf(findings.commands())) {
            String name = other.program();
            if (name.equals("echo") || name.equals("printf")) {
                List<String> words = other.texts();
                List<String> plain =
                        words.stream().filter(word -> !word.matches("-[neE]+")).toList();
                parse(String.join(" ", plain).replace("\\n", "\n"), command);
                words.stream().skip(1).forEach(word -> parse(word, command));
            } else if (name.equals("cat")) {
                other.redirects().stream()
                        .filter(Redirect::isText)
                        .forEach(redirect -> parse(redirect.target().text(), command));
            }
        }
        unknownProgram(command);
    }

    /** Rules that deny hold such a line back. */
    void unknownProgram(SimpleCommand outer) {
        findings.unclear("it is not known which program runs");
        findings.add(SimpleCommand.of(List.of(UNKNOWN), List.of(), List.of(), outer.folders()));
    }

    /** The code of another language that a program reads, as in {@code python3 - <<E}. */
    void read(SimpleCommand command) {
        String name = ProgramKinds.plainName(command.program());
        ProgramKinds.Kind kind = ProgramKinds.of(command.program());
        boolean runs = kind == ProgramKinds.Kind.RUNNER || kind == ProgramKinds.Kind.STARTER;
        boolean idle = command.arguments().stream().allMatch(word -> word.startsWith("-"));
        boolean input =
                command.arguments().stream()
                        .anyMatch(word -> word.isLiteral() && ShellPrograms.isInput(word));
        boolean reads = runs && (input || InlineCode.isInterpreter(name) && idle);
        boolean client = InlineCode.isClient(name);
        if (reads || client) {
            for (String text : texts(command, client)) {
                findings.worked(text.length() + 1); // each program that reads may read all of it
                if (reads) {
                    code(text, command);
                }
                if (client) {
                    client(name, text, command);
                }
            }
        }
    }

    /** What the line prints; of here-documents, for a client, only its own. */
    private List<String> texts(SimpleCommand command, boolean own) {
        List<String> texts = new ArrayList<>();
        for (SimpleCommand other : List.copyOf(findings.commands())) {
            if (Set.of("echo", "printf").contains(other.program())) {
                texts.add(String.join(" ", other.texts()).replace("\\n", "\n"));
            }
            for (Redirect redirect : other.redirects()) {
                boolean given = !own || other == command || other.program().equals("cat");
                if (redirect.isText() && given) {
                    texts.add(redirect.target().text());
                }
            }
        }
        return texts;
    }

    private void client(String name, String text, SimpleCommand command) {
        List<String> started = InlineCode.shellTexts(name, List.of(text));
        if (!started.isEmpty()) {
            findings.unclear(name + " starts what it reads");
            started.forEach(inner -> parse(inner, command));
        }
    }

    private void code(String text, SimpleCommand command) {
        findings.unclear(command.name() + " runs what it reads");
        InlineCode.commands(text).forEach(inner -> parse(inner, command));
        if (ProgramKinds.of(command.program()) == ProgramKinds.Kind.STARTER) {
            parse(text, command);
        }
    }

    private void parse(String text, SimpleCommand outer) {
        findings.enter();
        ShellParser.parse(text, outer.folders(), home, findings);
        findings.leave();
    }
}
