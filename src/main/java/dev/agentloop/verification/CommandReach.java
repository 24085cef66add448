package dev.agentloop.verification;

import dev.agentloop.shell.CommandAnalysis;
import dev.agentloop.shell.CommandFacts;
import dev.agentloop.shell.ShellReading;
import dev.agentloop.shell.parse.Redirect;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.read.GitReads;
import dev.agentloop.shell.read.ReadOnlyPrograms;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How a command line is known to leave the files of a project.
 *
 * @param mayChange whether something in it besides its checks may change files
 * @param mayChangeLast whether that may come after its last check
 */
record CommandReach(boolean mayChange, boolean mayChangeLast) {
    private static final Path ANYWHERE = Path.of("/");

    /** They change the shell or git's own records, and none of the files. */
    private static final Set<String> HARMLESS =
            Set.of("cd", "export", "exit", "set", "sleep", "kill", "pkill", "which", "type");

    private static final Set<String> OF_GIT =
            Set.of("add", "commit", "push", "fetch", "tag", "remote", "branch", "config");

    static CommandReach of(String line, CheckCommands checks) {
        CommandFacts facts = CommandAnalysis.of(line, ANYWHERE, ANYWHERE, ANYWHERE);
        if (facts.readOnlyIfTrusted()) {
            return new CommandReach(false, false);
        }
        if (!(facts.reading() instanceof ShellReading.Clear(List<SimpleCommand> commands))) {
            return new CommandReach(true, !endsWithCheck(line, checks));
        }
        boolean before = false;
        boolean after = false;
        for (SimpleCommand command : commands) {
            boolean isCheck = checks.isCheck(words(command));
            boolean harmless =
                    command.redirects().stream().allMatch(Redirect::isHarmless)
                            && (isCheck || isHarmless(command));
            before |= !harmless;
            after = !isCheck && (after || !harmless);
        }
        return new CommandReach(before, after);
    }

    private static boolean endsWithCheck(String line, CheckCommands checks) {
        List<CommandParts.Part> parts = CommandParts.of(line);
        return !parts.isEmpty() && checks.isCheck(parts.getLast().words());
    }

    private static boolean isHarmless(SimpleCommand command) {
        List<String> words = command.texts();
        return ReadOnlyPrograms.isReading(command)
                || GitReads.isReading(command)
                || HARMLESS.contains(command.program())
                || command.program().equals("git")
                        && !words.isEmpty()
                        && OF_GIT.contains(words.getFirst());
    }

    private static List<String> words(SimpleCommand command) {
        List<String> words = new ArrayList<>(List.of(command.program()));
        words.addAll(command.texts());
        return words;
    }
}
