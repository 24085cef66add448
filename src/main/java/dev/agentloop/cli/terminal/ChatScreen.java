package dev.agentloop.cli.terminal;

import dev.agentloop.chat.Entry;
import dev.agentloop.chat.LiveLine;
import dev.agentloop.colour.Background;
import dev.agentloop.control.Cancellation;
import dev.agentloop.output.LastResults;
import java.util.function.Supplier;

/**
 * What runs and commands in a chat share with it.
 *
 * @param line in which the person types while the run works
 * @param footer below that
 * @param results of the last calls, which the person can see in full
 * @param restore leaves the terminal as it was found, also in the middle of a line
 * @param background of the terminal, as far as it has said it
 * @param answers reads what the person answers to a question
 */
public record ChatScreen(
        LiveLine line,
        Footer footer,
        LastResults results,
        Runnable restore,
        Supplier<Background> background,
        Answers answers) {
    /** Reads a line behind a question. */
    @FunctionalInterface
    public interface Answers {
        /**
         * Shows the question and waits until the person ends the line behind it.
         *
         * @param draft text that stands in the line at first
         * @param ending when it is cancelled, the line ends as by Ctrl-C
         * @return the text, or how the person ended the line without one
         */
        Entry read(String question, String draft, Cancellation ending);
    }

    /** Said where the log shows an output in part. */
    public static final String UNFOLD = ", Ctrl-T shows them";

    /** The same where only whole lines are read. */
    public static final String UNFOLD_BY_WORD = ", /output shows them";

    /** The line behind a question between two runs; empty if there is none. */
    public String answer(String question) {
        return edited(question, "");
    }

    /** A text as the person has left it in the line behind a question; empty if there is none. */
    public String edited(String question, String text) {
        Entry entry = answers.read(question, text, new Cancellation());
        return entry instanceof Entry.Typed(String typed) ? typed : "";
    }
}
