package dev.agentloop.cli.terminal;

import dev.agentloop.colour.Background;
import dev.agentloop.control.Cancellation;
import dev.agentloop.markdown.TextFlow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Questions and answers at the terminal, one exchange at a time. What was typed before a question
 * does not count as its answer. Reading only when a line is there keeps the question interruptible.
 */
public final class TerminalTalk {
    private static final long POLL_MILLIS = 20;

    private final Streams streams;
    private final ErrorConsole console;
    private final Screen screen;

    public TerminalTalk(Streams streams, ErrorConsole console) {
        this(streams, console, Screen.UNKNOWN);
    }

    public TerminalTalk(Streams streams, ErrorConsole console, Screen screen) {
        this.streams = streams;
        this.console = console;
        this.screen = screen;
    }

    /** What is said from the question to the answer. */
    interface Exchange<T> {
        T hold() throws IOException;
    }

    /** Holds an exchange that nothing else is printed into. */
    synchronized <T> T alone(Exchange<T> exchange) throws IOException {
        console.hold();
        try {
            discardTypedAhead();
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
                show(
                        "   -- row %d of %d, Enter shows more, [n]o, [a]bort -- "
                                .formatted(i, rows.size()));
                String typed = readLine(cancellation).strip();
                if (typed.matches("(?i)n|no|a|abort")) {
                    return typed;
                }
            }
            show(rows.get(i) + "\n");
        }
        return "";
    }

    /** The next line; a failure if the run ends before there is one. */
    String readLine(Cancellation cancellation) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            if (cancellation.isCancelled()) {
                throw new IOException("the run is ending");
            }
            if (streams.in().available() == 0) {
                pause(cancellation);
                continue;
            }
            int next = streams.in().read();
            if (next < 0 || next == '\n') {
                console.lineWasTyped();
                return Background.withoutAnswers(line.toString(StandardCharsets.UTF_8));
            }
            line.write(next);
        }
    }

    private void discardTypedAhead() throws IOException {
        InputStream in = streams.in();
        screen.releaseTypedLine(); // a line without its end would wait for the next Enter
        while (in.available() > 0) {
            in.skipNBytes(in.available());
        }
    }

    private static void pause(Cancellation cancellation) throws IOException {
        try {
            cancellation.await(POLL_MILLIS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
