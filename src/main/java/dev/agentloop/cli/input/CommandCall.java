package dev.agentloop.cli.input;

import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.output.SafeText;
import dev.agentloop.skill.CustomCommands;
import dev.agentloop.skill.SkillPlaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A task that begins with a slash: a command of the user or the project, else plain text. */
public final class CommandCall {
    private static final String INSTEAD =
            "agent skills list names all; a text that begins with a slash can be given by"
                    + " --prompt-file or standard input.";
    private static final String INSTEAD_TYPED =
            "/help lists those of the chat, agent skills list your own; at the prompt, a task that"
                    + " begins with a slash can be put in quotes.";

    private CommandCall() {}

    /**
     * The task that is meant.
     *
     * @param typed at the prompt of a chat, where a slash means a command and can be corrected
     * @param workspace whose commands may be untrusted
     * @throws UsageException for what is a command by its form but surely none that is there
     */
    public static String meant(
            String given, SkillPlaces places, Path workspace, boolean typed, Streams streams)
            throws UsageException {
        if (!CustomCommands.looksLikeOne(given)) {
            return given;
        }
        CustomCommands commands = new CustomCommands(places);
        Optional<String> task = commands.expand(given);
        if (task.isPresent()) {
            return task.get();
        }
        String name = given.strip().split("\\s", 2)[0];
        if (Files.exists(Path.of(name))) {
            return given; // a path, such as /tmp
        }
        Path file = workspace.resolve(".agent/commands").resolve(name.substring(1) + ".md");
        if (places.project().isEmpty() && Files.exists(file)) {
            throw new UsageException(
                    name
                            + " is a command of this workspace, which does not count here: trust it"
                            + " (agent config trust, or --trust for one run).");
        }
        String hint = commands.meant(given);
        if (typed || !hint.isEmpty()) {
            throw new UsageException(
                    "there is no command "
                            + SafeText.line(name)
                            + hint
                            + "\n  "
                            + (typed ? INSTEAD_TYPED : INSTEAD));
        }
        streams.printError(
                "note: there is no command "
                        + SafeText.line(name)
                        + ", so the task is the text as it is\n");
        return given;
    }
}
