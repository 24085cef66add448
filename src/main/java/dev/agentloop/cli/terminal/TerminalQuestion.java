package dev.agentloop.cli.terminal;

import dev.agentloop.markdown.TextFlow;
import dev.agentloop.output.SafeText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A question to the person at the terminal, outside of a run.
 *
 * @param editor reads a line behind a question, in a chat; null elsewhere
 */
public record TerminalQuestion(
        Streams streams, Screen screen, @Nullable UnaryOperator<String> editor) {
    private static final int MOST_ROWS = 6; // a question with its choices, on a narrow screen

    public TerminalQuestion(Streams streams, Screen screen) {
        this(streams, screen, null);
    }

    /** Anything but a plain yes is no. */
    public boolean isAgreed(String question) throws IOException {
        String word = answer(question + " [y]es, [n]o: ").toLowerCase(Locale.ROOT);
        return word.equals("y") || word.equals("yes");
    }

    /**
     * Where the rows of a question begin that the editor shows: with them it takes keys for an
     * answer, and of a long text it would show the last screen alone.
     */
    static int lastRows(String shown) {
        boolean isShort = shown.lines().count() <= MOST_ROWS;
        return isShort ? 0 : shown.lastIndexOf('\n') + 1;
    }

    /** The line that is typed after the question has appeared; empty at the end of the input. */
    public String answer(String question) throws IOException {
        String shown = TextFlow.wrapped(SafeText.exact(question), screen.columns());
        if (editor != null) {
            int last = lastRows(shown);
            streams.printError(shown.substring(0, last));
            return editor.apply(shown.substring(last)).strip();
        }
        while (streams.in().available() > 0) {
            streams.in().skipNBytes(streams.in().available()); // typed before it was asked
        }
        streams.printError(shown);
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = streams.in().read();
                next >= 0 && next != '\n';
                next = streams.in().read()) {
            line.write(next);
        }
        return TerminalTalk.typed(line).strip();
    }
}
