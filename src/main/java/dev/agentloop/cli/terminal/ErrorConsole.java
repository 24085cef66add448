package dev.agentloop.cli.terminal;

import dev.agentloop.markdown.TextFlow;
import dev.agentloop.output.SafeText;
import dev.agentloop.secret.MaskedStream;
import dev.agentloop.secret.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Standard error of a run: the human log, and on a terminal a few live lines below it while
 * something takes long. They are erased before anything else is written, so they leave no trace.
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

    public synchronized void print(String text) {
        erase();
        if (!text.isEmpty()) {
            streams.printError(text);
            atLineStart = text.endsWith("\n");
        }
    }

    /** Draws nothing until {@link #release}: somebody is being asked. */
    public synchronized void hold() {
        erase();
        holds++;
    }

    public synchronized void release() {
        holds--;
    }

    @Override
    public synchronized void close() {
        erase();
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
