package dev.agentloop.cli;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code agent completion bash|zsh|fish|powershell}: a script for the shell to read. It asks {@link
 * CompleteCommand} at each Tab, so that it is never older than the program.
 */
final class CompletionCommand implements Command {
    private static final List<String> SHELLS = List.of("bash", "zsh", "fish", "powershell");

    @Override
    public CommandSpec spec() {
        String shells = String.join("|", SHELLS);
        CommandSpec spec =
                Specs.command(
                        "completion",
                        "Print a completion script: "
                                + shells
                                + ". For bash, in ~/.bashrc: source"
                                + " <(agent completion bash); for the others, see the script's"
                                + " first lines.");
        spec.addPositional(Specs.words(shells, "For which shell."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> words = Specs.positional(arguments);
        if (words.size() != 1 || !SHELLS.contains(words.getFirst())) {
            throw new UsageException(
                    "write agent completion and one of " + String.join(", ", SHELLS) + ".");
        }
        String name = "/completion/agent." + words.getFirst();
        try (InputStream script =
                Objects.requireNonNull(CompletionCommand.class.getResourceAsStream(name), name)) {
            invocation.streams().print(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
        return ExitCode.SUCCESS.code();
    }
}
