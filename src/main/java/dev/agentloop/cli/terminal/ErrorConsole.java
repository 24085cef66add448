package dev.agentloop.cli.terminal;

import dev.agentloop.chat.LiveLine;
import dev.agentloop.markdown.TextFlow;
import dev.agentloop.output.SafeText;
import dev.agentloop.secret.MaskedStream;
import dev.agentloop.secret.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Standard error of a run: the human log, and on a terminal a few live lines below it while
 * something takes long. They are erased before anything else is written, so they leave no trace.
 * Where a person types while the run works, they stand above what is typed.
 */
public final class ErrorConsole implements AutoCloseable {
    private static final long TICK_MILLIS = 200;
    private static final String ERASE = "\r\u001b[J"; // to the end of the screen
    private static final String DIM = "\u001b[2m";
    private static final String PLAIN = "\u001b[0m";
    private static final String FRAMES = "|/-\\";
    private static final int NARROWEST = 20; // columns; below, only the status is shown

    private final Streams streams;
    private final Live live;
    private List<Integer> drawn = List.of(); // columns that each line takes
    private boolean atLineStart = true;
    private int holds;
    private boolean closed;
    private final boolean draws;
    private final StringBuilder begun = new StringBuilder(); // a line that waits for its end
    private @Nullable Typing typing;
    private int frame;

    /**
     * Where the live lines come from; asked five times a second while they are drawn.
     *
     * @param status what stands behind the moving sign
     * @param output the newest lines of what runs, above it
     * @param columns of the terminal
     * @param dims whether the output may be less visible than the status
     */
    public record Live(
            Supplier<String> status,
            Supplier<List<String>> output,
            IntSupplier columns,
            boolean dims) {}

    /**
     * Where the person types while a run works, and what the line does to that run.
     *
     * @param stop what Escape and Ctrl-C do
     * @param resumed called whenever the line has let go of the terminal
     */
    private record Typing(LiveLine line, Runnable stop, Runnable resumed) {}

    /** For commands that wait for nothing long: it prints, and draws no live lines. */
    public ErrorConsole(Streams streams) {
        this(streams, false, new Live(() -> "", List::of, () -> 0, false));
    }

    /**
     * @param draws whether live lines may be drawn; never off a terminal
     */
    public ErrorConsole(Streams streams, boolean draws, Live live) {
        this.streams = streams;
        this.live = live;
        this.draws = draws;
        if (draws) {
            Thread ticker = new Thread(this::tick, "live line");
            ticker.setDaemon(true);
            ticker.start();
        }
    }

    /**
     * Lines of an output as a person may see them; what could be the beginning of a secret at their
     * end waits for the rest.
     */
    public static List<String> shown(String newest, Secrets secrets) {
        String text = new MaskedStream(secrets).add(newest.replace("\t", "    "));
        return text.lines().map(SafeText::line).toList();
    }

    /**
     * From now on a person may type while nobody is asked; nothing where no live lines are drawn.
     *
     * @param stop what Escape and Ctrl-C do
     * @param resumed called whenever the line has let go of the terminal and of its signals
     */
    public synchronized void letType(LiveLine line, Runnable stop, Runnable resumed) {
        if (draws && !closed) {
            erase();
            streams.printError(atLineStart ? "" : "\n");
            atLineStart = true;
            typing = new Typing(line, stop, resumed);
            resume();
        }
    }

    private void resume() {
        if (typing != null && holds == 0 && !closed) {
            typing.line().begin(typing.stop());
        }
    }

    private void pause() {
        if (typing != null && holds == 0 && !closed) {
            typing.line().pause();
            streams.printError(begun.toString());
            begun.setLength(0);
            typing.resumed().run();
        }
    }

    public synchronized void print(String text) {
        if (typing != null && holds == 0 && !closed) {
            begun.append(text);
            int end = begun.lastIndexOf("\n") + 1;
            if (end > 0) {
                typing.line().print(begun.substring(0, end));
                begun.delete(0, end);
            }
            return;
        }
        erase();
        if (!text.isEmpty()) {
            streams.printError(text);
            atLineStart = text.endsWith("\n");
        }
    }

    /** Draws nothing until {@link #release}: somebody is being asked. */
    public synchronized void hold() {
        erase();
        pause();
        holds++;
    }

    /** Whether a person types while the run works, so that the keys are read by the chat. */
    synchronized boolean isTypedIn() {
        return typing != null && !closed;
    }

    /** Behind what was printed the person has typed a line, and its end. */
    synchronized void lineWasTyped() {
        atLineStart = true;
    }

    public synchronized void release() {
        holds--;
        resume();
    }

    @Override
    public synchronized void close() {
        erase();
        pause();
        closed = true;
        notifyAll();
    }

    private synchronized void tick() {
        while (!closed) {
            try {
                wait(TICK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
            if (!closed && holds == 0 && atLineStart) {
                draw();
            }
        }
    }

    /** A line that wraps could not be erased, so each is cut. */
    private void draw() {
        int columns = live.columns().getAsInt();
        List<String> lines = new ArrayList<>();
        if (columns >= NARROWEST) {
            live.output()
                    .get()
                    .forEach(line -> lines.add(TextFlow.cut("    " + line, columns - 1)));
        }
        frame = (frame + 1) % FRAMES.length();
        String status = FRAMES.charAt(frame) + " " + live.status().get();
        if (typing != null) {
            drawAbove(typing.line(), lines, TextFlow.cut(status, Math.max(0, columns - 1)));
            return;
        }
        StringBuilder text = new StringBuilder(toStart());
        List<Integer> widths = new ArrayList<>();
        for (String line : lines) {
            text.append(live.dims() ? DIM + line + PLAIN : line).append('\n');
            widths.add(TextFlow.width(line));
        }
        String last = TextFlow.cut(status, Math.max(0, columns - 1));
        widths.add(TextFlow.width(last));
        streams.printError(text + last);
        drawn = widths;
    }

    private void drawAbove(LiveLine line, List<String> output, String status) {
        int room = Math.max(0, line.room() - 1);
        List<String> all = new ArrayList<>();
        for (String each : output.subList(Math.max(0, output.size() - room), output.size())) {
            all.add(live.dims() ? DIM + each + PLAIN : each);
        }
        all.add(status);
        line.show(all);
    }

    private void erase() {
        if (!drawn.isEmpty()) {
            streams.printError(toStart());
            drawn = List.of();
        }
    }

    /**
     * Back to where the live lines begin, and clears them; a narrower terminal has wrapped them.
     */
    private String toStart() {
        int columns = Math.max(1, live.columns().getAsInt());
        int up = -1;
        for (int width : drawn) {
            up += Math.max(1, (width + columns - 1) / columns);
        }
        return (up > 0 ? "\u001b[" + up + "A" : "") + ERASE;
    }
}
