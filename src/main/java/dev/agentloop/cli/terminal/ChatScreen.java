package dev.agentloop.cli.terminal;

import dev.agentloop.chat.Entry;
import dev.agentloop.chat.LiveLine;
import dev.agentloop.colour.Background;
import dev.agentloop.control.Cancellation;
import dev.agentloop.output.LastResults;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * What runs and commands in a chat share with it.
 *
 * @param line in which the person types while the run works
 * @param footer below that
 * @param results of the last calls, which the person can see in full
 * @param restore leaves the terminal as it was found, also in the middle of a line
 * @param background of the terminal, as far as it has said it
 * @param answers reads a line behind a question; ended by a cancellation as by Ctrl-C
 */
public record ChatScreen(
        LiveLine line,
        Footer footer,
        LastResults results,
        Runnable restore,
        Supplier<Background> background,
        BiFunction<String, Cancellation, Entry> answers) {
    /** Said where the log shows an output in part. */
    public static final String UNFOLD = ", Ctrl-T shows them";

    /** The same where only whole lines are read. */
    public static final String UNFOLD_BY_WORD = ", /output shows them";

    /** The line behind a question between two runs; empty if there is none. */
    public String answer(String question) {
        Entry entry = answers.apply(question, new Cancellation());
        return entry instanceof Entry.Typed(String text) ? text : "";
    }
}
