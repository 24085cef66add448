package dev.agentloop.cli.terminal;

import dev.agentloop.chat.Entry;
import dev.agentloop.colour.Background;
import dev.agentloop.control.Cancellation;
import dev.agentloop.markdown.TextFlow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Questions and answers at the terminal, one exchange at a time. What was typed before a question
 * does not count as its answer. Reading only when a line is there keeps the question interruptible.
 */
public final class TerminalTalk {
    private static final long POLL_MILLIS = 20;
    private static final long STOP_MILLIS = 2_000; // until the run knows that it was stopped
    private static final String ENDING = "the run is ending";

    /** What the terminal shows as {@code ^[}: a key that is no character. */
    private static final Pattern KEY =
            Pattern.compile("\u001b(?:\\[[0-9;]*[A-Za-z~]|O[A-Za-z])?|\\p{Cntrl}");

    private final Streams streams;
    private final ErrorConsole console;
    private final Screen screen;
    private final @Nullable ChatScreen chat;

    public TerminalTalk(Streams streams, ErrorConsole console) {
        this(streams, console, Screen.UNKNOWN, null);
    }

    /**
     * @param chat in which the run works; null elsewhere
     */
    public TerminalTalk(
            Streams streams, ErrorConsole console, Screen screen, @Nullable ChatScreen chat) {
        this.streams = streams;
        this.console = console;
        this.screen = screen;
        this.chat = chat;
    }

    /** What is said from the question to the answer. */
    interface Exchange<T> {
        T hold() throws IOException;
    }

    /** Holds an exchange that nothing else is printed into. */
    synchronized <T> T alone(Exchange<T> exchange) throws IOException {
        boolean keys = chat != null && console.isTypedIn();
        console.hold();
        try {
            if (!keys) {
                discardTypedAhead();
            } // else the chat keeps it for the person
            return exchange.hold();
        } finally {
            console.release();
        }
    }

    void show(String text) {
        console.print(TextFlow.wrapped(text, screen.columns()));
    }

    /**
     * Shows lines; those that do not fit on the screen together wait for Enter, so that nothing
     * scrolls away unseen.
     *
     * @param kept lines of the screen that are needed below them
     * @return what was typed instead of Enter, which ends it; empty once all was shown
     */
    String showPaged(List<String> lines, int kept, Cancellation cancellation) throws IOException {
        int page = Math.max(1, screen.lines() - kept);
        int width = Math.max(20, screen.columns());
        List<String> rows = new ArrayList<>();
        lines.forEach(line -> rows.addAll(TextFlow.wrapped(line, width).lines().toList()));
        for (int i = 0; i < rows.size(); i++) {
            if (i > 0 && i % page == 0) {
                String more =
                        "   -- row %d of %d, Enter shows more, [n]o, [a]bort -- "
                                .formatted(i, rows.size());
                String typed = answer(more, cancellation);
                if (typed.matches("(?i)n|no|a|abort")) {
                    return typed;
                }
            }
            show(rows.get(i) + "\n");
        }
        return "";
    }

    /**
     * What is typed behind a question, without blanks around it.
     *
     * @throws IOException if the run ends before, or is stopped here by Escape, Ctrl-C or Ctrl-D
     */
    String answer(String question, Cancellation cancellation) throws IOException {
        if (chat == null || !console.isTypedIn()) {
            show(question);
            return readLine(cancellation).strip();
        }
        String shown = TextFlow.wrapped(question, screen.columns());
        int last = TerminalQuestion.lastRows(shown);
        show(shown.substring(0, last));
        Entry entry = chat.answers().read(shown.substring(last), "", cancellation);
        console.lineWasTyped();
        if (entry instanceof Entry.Typed(String text) && !cancellation.isCancelled()) {
            return text.strip();
        }
        if (!cancellation.isCancelled()) {
            chat.line().stopRun();
            pause(cancellation, STOP_MILLIS);
        }
        throw new IOException(ENDING);
    }

    private String readLine(Cancellation cancellation) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            if (cancellation.isCancelled()) {
                throw new IOException(ENDING);
            }
            if (streams.in().available() == 0) {
                pause(cancellation, POLL_MILLIS);
                continue;
            }
            int next = streams.in().read();
            if (next < 0 || next == '\n') {
                console.lineWasTyped();
                return typed(line);
            }
            line.write(next);
        }
    }

    /** A line without what is no character: other keys, and what the terminal itself said. */
    static String typed(ByteArrayOutputStream line) {
        String text = Background.withoutAnswers(line.toString(StandardCharsets.UTF_8));
        return KEY.matcher(text).replaceAll("");
    }

    private void discardTypedAhead() throws IOException {
        InputStream in = streams.in();
        screen.releaseTypedLine(); // a line without its end would wait for the next Enter
        while (in.available() > 0) {
            in.skipNBytes(in.available());
        }
    }

    private static void pause(Cancellation cancellation, long millis) throws IOException {
        try {
            cancellation.await(millis);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
