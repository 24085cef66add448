package dev.agentloop.chat;

import java.io.IOError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.MaskingCallback;
import org.jline.reader.Reference;
import org.jline.reader.UserInterruptException;
import org.jline.reader.Widget;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;

/**
 * The line in which a person types while a run works, below what the run prints. Enter puts what is
 * typed into a queue of tasks, and pressed again on the empty line tells the oldest of them to the
 * model at once. Up takes the newest back, Escape and Ctrl-C stop the run.
 *
 * <p><b>Contract.</b> Safe from any thread. Who prints on the same terminal otherwise must {@link
 * #pause} it before.
 */
public final class LiveLine {
    private static final String SIGN = "+ "; // it is added to what the run does
    private static final String SAID = "> ";
    private static final String QUEUED = "  queued: ";
    private static final String ENTER = "queue-text"; // names of our widgets
    private static final String STOP = "stop-run";
    private static final String CTRL_D = "\u0004";
    private static final int MOST_SHOWN = 3; // of the queue, and of what is told
    private static final int MOST_FAULTS = 100;
    private static final List<String> ENTERING = // of the library, all of which end the line
            List.of(
                    LineReader.ACCEPT_LINE,
                    LineReader.ACCEPT_AND_HOLD,
                    LineReader.ACCEPT_LINE_AND_DOWN_HISTORY,
                    LineReader.ACCEPT_AND_INFER_NEXT_HISTORY);
    private static final long ESCAPE_MILLIS = 100; // then it is not the beginning of another key
    private static final long END_NANOS = 2_000_000_000;

    private final Terminal terminal;
    private final Attributes found;
    private final TypedReader reader;
    private final UnaryOperator<String> expanded;
    private final UnaryOperator<String> masked;
    private final Deque<String> queue = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>(); // and not heard yet
    private String draft = "";
    private List<String> above = List.of();
    private @Nullable Thread typing;
    private volatile boolean paused = true;
    private volatile Runnable stop = () -> {};

    /**
     * @param found attributes of the terminal while nobody types
     * @param reader for this line alone
     * @param expanded what stands for a typed text, with all that was pasted
     * @param masked what is shown of a text, without secrets
     */
    LiveLine(
            Terminal terminal,
            Attributes found,
            TypedReader reader,
            UnaryOperator<String> expanded,
            UnaryOperator<String> masked) {
        this.terminal = terminal;
        this.found = found;
        this.reader = reader;
        this.expanded = expanded;
        this.masked = masked;
        reader.setOpt(LineReader.Option.ERASE_LINE_ON_FINISH);
        bindKeys();
    }

    private void bindKeys() {
        reader.getWidgets().put(ENTER, this::enter);
        for (String name : ENTERING) {
            reader.getWidgets().put(name, this::enter);
        }
        reader.getWidgets().put(LineReader.SEND_BREAK, () -> false);
        reader.getWidgets().put(LineReader.CALLBACK_INIT, this::hearCtrlC);
        reader.getWidgets().put(STOP, () -> reader.isEscapeAlone() ? stopRun() : true);
        for (String name : List.of(LineReader.UP_LINE_OR_SEARCH, LineReader.UP_LINE_OR_HISTORY)) {
            Widget up = Objects.requireNonNull(reader.getWidgets().get(name));
            reader.getWidgets().put(name, () -> takeNewest() || up.apply());
        }
        for (String name : List.of(LineReader.EMACS, LineReader.VIINS, LineReader.VICMD)) {
            KeyMap<Binding> keys = Objects.requireNonNull(reader.getKeyMaps().get(name));
            keys.bind(new Reference(ENTER), "\r", "\n");
            keys.setAmbiguousTimeout(ESCAPE_MILLIS);
        }
        KeyMap<Binding> keys = Objects.requireNonNull(reader.getKeyMaps().get(LineReader.EMACS));
        keys.bind(new Reference(STOP), KeyMap.esc(), KeyMap.esc() + KeyMap.esc());
    }

    /** At once, also while a key waits for the screen: the library would only end the line. */
    private boolean hearCtrlC() {
        terminal.handle(Terminal.Signal.INT, _ -> stopRun());
        return true;
    }

    /** For a program that ends: keys are read no more. */
    void giveUp() {
        paused = true;
    }

    /**
     * Begins to read keys.
     *
     * @param onStop stops the run; called in a thread of its own
     */
    public void begin(Runnable onStop) {
        stop = onStop;
        synchronized (this) {
            above = List.of();
        }
        paused = false;
        terminal.handle(Terminal.Signal.INT, _ -> stopRun()); // between two lines, too
        typing = Thread.ofPlatform().daemon().name("typing").start(this::read);
    }

    /** Leaves the terminal as it was found; what is typed so far is kept. */
    public void pause() {
        Thread reading = typing;
        if (reading == null) {
            return;
        }
        paused = true;
        boolean interrupted = Thread.interrupted(); // else the terminal would stay as it is
        reader.interrupt(reading);
        interrupted |= !awaitEnd(reading);
        terminal.setAttributes(found);
        typing = null;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for it; false if this thread was interrupted meanwhile. */
    private static boolean awaitEnd(Thread reading) {
        long end = System.nanoTime() + END_NANOS;
        boolean interrupted = false;
        while (reading.isAlive() && System.nanoTime() < end) {
            try {
                reading.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return !interrupted;
    }

    private void read() {
        if (!silence()) {
            return;
        }
        int faults = 0;
        while (!paused && faults < MOST_FAULTS) {
            try {
                reader.readLine(prompt(), null, (MaskingCallback) null, takeDraft());
            } catch (UserInterruptException e) {
                keep(e.getPartialLine());
                if (!paused) {
                    stopRun();
                }
            } catch (EndOfFileException e) {
                if (!CTRL_D.equals(reader.getLastBinding())) {
                    return; // the terminal has gone
                }
            } catch (IOError e) {
                return;
            } catch (RuntimeException e) { // a fault of the library must not leave the keys dead
                keep(reader.getBuffer().toString());
                faults++;
            }
        }
    }

    /**
     * Keys that come while the library begins a line anew are for that line, not for the screen.
     */
    private boolean silence() {
        Attributes silent = new Attributes(found);
        silent.setLocalFlag(Attributes.LocalFlag.ECHO, false);
        silent.setControlChar(Attributes.ControlChar.VEOF, 0); // else Ctrl-D ends the line
        try {
            terminal.setAttributes(silent);
            return true;
        } catch (IOError e) {
            return false; // the terminal has gone, or is about to be left
        }
    }

    /** Prints whole lines above what is typed. */
    public void print(String lines) {
        reader.printAbove(masked.apply(lines));
    }

    /** Shows lines between what was printed and what is typed, until others are shown. */
    public void show(List<String> lines) {
        synchronized (this) {
            above = List.copyOf(lines);
        }
        redraw();
    }

    private void redraw() {
        reader.setPrompt(prompt());
        try {
            reader.callWidget(LineReader.REDISPLAY);
        } catch (IllegalStateException e) {
            return; // it is just about to read, or to end; the next time will do
        }
    }

    /** Whether the person can type here now; not while a question is asked, or no run works. */
    public boolean isOpen() {
        return !paused;
    }

    /** Of the terminal. */
    public int columns() {
        return reader.columns();
    }

    /** Rows that are left for {@link #show}; a screen that is too small would lose its place. */
    public synchronized int room() {
        int told = Math.min(MOST_SHOWN, this.told.size());
        return reader.rows() - 3 - told - Math.min(MOST_SHOWN + 1, queue.size());
    }

    /** What the person wants the model to know at once; each is told once. */
    public List<String> takeTold() {
        List<String> taken;
        synchronized (this) {
            taken = List.copyOf(told);
            told.clear();
        }
        // not while we are locked: a key that is being taken has locked the reader, and waits for
        // us
        taken.forEach(text -> print(SAID + oneLine(text) + "\n"));
        return taken.stream().map(expanded).toList();
    }

    /** The next task that was queued, and what was told too late; empty if there is none. */
    public synchronized @Nullable String takeNext() {
        if (!told.isEmpty()) {
            return expanded.apply(told.removeFirst());
        }
        String next = queue.poll();
        return next == null ? null : expanded.apply(next);
    }

    /** All that was typed and did not become a task, for the person to go on with. */
    public synchronized String takeBack() {
        List<String> all = new ArrayList<>(told);
        all.addAll(queue);
        if (!draft.isEmpty()) {
            all.add(draft);
        }
        told.clear();
        queue.clear();
        draft = "";
        return String.join("\n", all);
    }

    private synchronized boolean enter() {
        String text = reader.getBuffer().toString();
        if (!text.isBlank()) {
            queue.add(text);
        } else if (!queue.isEmpty() && isForModel(queue.element())) {
            told.add(queue.remove());
        }
        reader.getBuffer().clear();
        reader.setPrompt(prompt());
        return true;
    }

    /** A word of the chat, and a command, are for the program. */
    private static boolean isForModel(String text) {
        return !text.startsWith("/") && !text.startsWith("!");
    }

    private synchronized boolean takeNewest() {
        if (queue.isEmpty() || reader.getBuffer().length() > 0) {
            return false;
        }
        reader.getBuffer().write(queue.removeLast());
        reader.setPrompt(prompt());
        return true;
    }

    /** What is typed stays: it comes back at the next prompt. */
    public boolean stopRun() {
        Thread.ofPlatform().daemon().name("stop").start(stop);
        return true;
    }

    private synchronized String takeDraft() {
        String taken = draft;
        draft = "";
        return taken;
    }

    /** Behind what stands in the line already: more that was typed, and for no question. */
    synchronized void keepTyped(String text) {
        draft += text.stripTrailing();
    }

    private synchronized void keep(@Nullable String typed) {
        draft = typed == null ? "" : typed;
    }

    /** The library takes a percent sign for the beginning of a word of its own. */
    private synchronized String prompt() {
        List<String> lines = new ArrayList<>(above);
        told.stream()
                .skip(Math.max(0, told.size() - MOST_SHOWN))
                .forEach(text -> lines.add(cut("  told after this step: " + oneLine(text))));
        int left = queue.size();
        for (String text : queue) {
            boolean first = left == queue.size();
            if (first || left < MOST_SHOWN) {
                lines.add(cut(QUEUED + oneLine(text)) + hint(text, first));
            } else if (left == MOST_SHOWN && queue.size() > MOST_SHOWN) {
                lines.add(QUEUED + (queue.size() - MOST_SHOWN) + " more");
            }
            left--;
        }
        return String.join("\n", lines).replace("%", "%%") + (lines.isEmpty() ? "" : "\n") + SIGN;
    }

    /** The keys that do something with a text, where there is room to say it. */
    private String hint(String text, boolean first) {
        List<String> keys = new ArrayList<>();
        if (first && isForModel(text)) {
            keys.add("Enter: tell it now");
        }
        if (queue.size() == 1) {
            keys.add("Up: edit it");
        }
        String hint = keys.isEmpty() ? "" : "   (" + String.join(", ", keys) + ")";
        return QUEUED.length() + text.length() + hint.length() < reader.columns() ? hint : "";
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }

    private String cut(String line) {
        int most = reader.columns() - 1;
        AttributedString whole = new AttributedString(line);
        return whole.columnLength() <= most
                ? line
                : whole.columnSubSequence(0, most - 1).toString() + "…";
    }
}
