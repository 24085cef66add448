package dev.agentloop.shell;

import dev.agentloop.shell.ShellReading.Clear;
import dev.agentloop.shell.ShellReading.TooComplex;
import dev.agentloop.shell.ShellReading.Unclear;
import dev.agentloop.shell.parse.Findings;
import dev.agentloop.shell.parse.RealPath;
import dev.agentloop.shell.parse.Redirect;
import dev.agentloop.shell.parse.ShellParser;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import dev.agentloop.shell.program.RemoteUse;
import dev.agentloop.shell.read.GitReads;
import dev.agentloop.shell.read.ReadOnlyPrograms;
import dev.agentloop.storage.Roots;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads a command line for {@code /bin/sh -c} and says what it would do. It never throws: what it
 * cannot read is unclear, what is too large to be read is too complex.
 */
public final class CommandAnalysis {
    private CommandAnalysis() {}

    /**
     * What {@code command} would do.
     *
     * @param cwd the folder it runs in
     * @param workspace the folder outside of which paths are foreign
     * @param home what {@code ~} stands for
     */
    public static CommandFacts of(String command, Path cwd, Path workspace, Path home) {
        return of(command, cwd, Roots.only(workspace), home);
    }

    /** The same where further folders are not foreign. */
    public static CommandFacts of(String command, Path cwd, Roots roots, Path home) {
        if (command.length() >= Findings.MAX_CHARS) {
            return only(new TooComplex("it has " + Findings.MAX_CHARS + " characters or more"));
        }
        try {
            Findings findings = new Findings();
            ShellReading reading = read(command, cwd, home, findings);
            return facts(command, reading, new Places(roots, home));
        } catch (Findings.TooComplexException e) {
            return only(new TooComplex(String.valueOf(e.getMessage())));
        } catch (RuntimeException | StackOverflowError e) {
            // A mistake of ours must not let a command pass, nor end the run.
            return only(new Unclear("it could not be read: " + e, List.of()));
        }
    }

    static ShellReading read(String command, Path cwd, Path home, Findings findings) {
        ShellParser.parse(command, Set.of(cwd), home, findings);
        Wrappers.unwrap(findings, home);
        List<SimpleCommand> commands = List.copyOf(findings.commands());
        for (SimpleCommand simple : commands) {
            if (hasOpenPattern(simple)) {
                findings.unclear("a pattern may stand for an option");
            }
        }
        if (commands.isEmpty()) {
            findings.unclear("there is no command");
        }
        String reason = findings.reason();
        return reason == null ? new Clear(commands) : new Unclear(reason, commands);
    }

    private static boolean hasOpenPattern(SimpleCommand command) {
        return command.words().stream().anyMatch(word -> word.kind() == Word.Kind.PATTERN)
                && !ReadOnlyPrograms.isReadOnly(command);
    }

    private static CommandFacts only(ShellReading reading) {
        return new CommandFacts(
                reading, false, false, List.of(), List.of(), List.of(), List.of(), List.of(),
                List.of(), false);
    }

    private static CommandFacts facts(String line, ShellReading reading, Places places) {
        List<SimpleCommand> commands = reading.commands();
        Set<Path> outside = new LinkedHashSet<>();
        Set<Path> writes = new LinkedHashSet<>();
        Set<Path> reads = new LinkedHashSet<>();
        Set<Path> searched = new LinkedHashSet<>();
        for (SimpleCommand command : commands) {
            FileUse use = new FileUse(places, command);
            reads.addAll(use.reads());
            searched.addAll(use.searched());
            writes.addAll(use.writes());
            outside.addAll(OutsidePaths.of(places, command));
        }
        boolean clear = reading instanceof Clear;
        return new CommandFacts(
                reading,
                clear && commands.stream().allMatch(ReadOnlyPrograms::isReadOnly),
                clear && commands.stream().allMatch(command -> isReadIfTrusted(places, command)),
                dangers(line, commands, places),
                commands.stream()
                        .filter(command -> RemoteUse.publishes(command.name(), command.texts()))
                        .map(SimpleCommand::text)
                        .distinct()
                        .toList(),
                List.copyOf(outside),
                List.copyOf(writes),
                List.copyOf(reads),
                List.copyOf(searched),
                commands.stream()
                        .anyMatch(command ->
                                RemoteUse.needsNetwork(command.name(), command.texts())));
    }

    /** Only the repository of the workspace can be trusted, not one that a cd leads to. */
    private static boolean isReadIfTrusted(Places places, SimpleCommand command) {
        return ReadOnlyPrograms.isReadOnly(command)
                || ReadOnlyPrograms.isHarmlessAround(command)
                        && GitReads.isReading(command)
                        && command.folders().stream()
                                .allMatch(folder ->
                                        RealPath.ofFolder(folder).startsWith(places.workspace()));
    }

    private static List<Danger> dangers(String line, List<SimpleCommand> commands, Places places) {
        List<Danger> dangers = new ArrayList<>();
        if (DangerCatalogue.isForkBomb(line)) {
            dangers.add(new Danger("starts copies of itself without end", List.of(), line));
        }
        String printed = printed(commands);
        for (SimpleCommand command : commands) {
            dangers.addAll(new DangerCatalogue(places, command, printed).dangers());
        }
        return dangers.stream().distinct().toList();
    }

    /** What the line prints, and so may give to a program behind a pipe. */
    private static String printed(List<SimpleCommand> commands) {
        StringBuilder printed = new StringBuilder();
        for (SimpleCommand command : commands) {
            boolean prints = Set.of("echo", "printf", "cat").contains(command.program());
            if (prints && commands.size() > 1) {
                command.texts().forEach(text -> printed.append(text).append(' '));
                command.redirects().stream()
                        .filter(Redirect::isText)
                        .forEach(redirect -> printed.append(redirect.target().text()).append(' '));
            }
        }
        return printed.toString();
    }
}
