package dev.agentloop.cli.terminal;

import dev.agentloop.chat.LiveLine;
import dev.agentloop.colour.Background;
import dev.agentloop.output.LastResults;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What runs and commands in a chat share with it.
 *
 * @param line in which the person types while the run works
 * @param footer below that
 * @param results of the last calls, which the person can see in full
 * @param restore leaves the terminal as it was found, also in the middle of a line
 * @param background of the terminal, as far as it has said it
 * @param answers reads a line behind a question, between two runs; empty after Ctrl-C
 */
public record ChatScreen(
        LiveLine line,
        Footer footer,
        LastResults results,
        Runnable restore,
        Supplier<Background> background,
        UnaryOperator<String> answers) {
    /** Said where the log shows an output in part. */
    public static final String UNFOLD = ", Ctrl-T shows them";
}
