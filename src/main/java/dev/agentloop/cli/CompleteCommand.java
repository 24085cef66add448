package dev.agentloop.cli;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.output.SafeText;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code agent complete -- WORDS…}: what the last of these words of a command line may become. Each
 * line is a word, a tab and what it means; the line {@code :files} or {@code :folders} at the end
 * leaves the rest to the shell. It asks nobody, and whatever is wrong with a configuration only
 * makes the list shorter.
 */
final class CompleteCommand implements Command {
    static final String NAME = "complete";

    private static final int MOST = 500;
    private static final int WIDEST = 60;

    @Override
    public CommandSpec spec() {
        CommandSpec spec = Specs.command(NAME, "What a shell offers at the Tab key.");
        spec.usageMessage().hidden(true);
        spec.addOption(Specs.flag("The word at the cursor is still empty.", "--more"));
        spec.addPositional(Specs.words("WORD", "Behind --: the words behind agent so far."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> words = Specs.positional(arguments);
        boolean empty = words.isEmpty() || Specs.has(arguments, "--more");
        List<String> before = empty ? words : words.subList(0, words.size() - 1);
        CommandWords.Offer offer =
                new CommandWords(invocation).offer(before, empty ? "" : words.getLast());
        StringBuilder lines = new StringBuilder();
        offer.words().stream()
                .limit(MOST)
                .forEach(word -> {
                    lines.append(SafeText.line(word.text())).append('\t');
                    lines.append(SafeText.line(word.meaning(), WIDEST)).append('\n');
                });
        switch (offer.paths()) {
            case NONE -> {} // the words are all
            case FILES -> lines.append(":files\n");
            case FOLDERS -> lines.append(":folders\n");
        }
        invocation.streams().print(lines.toString());
        return ExitCode.SUCCESS.code();
    }
}
