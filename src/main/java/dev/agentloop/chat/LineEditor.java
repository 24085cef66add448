package dev.agentloop.chat;

import dev.agentloop.colour.Background;
import java.io.IOError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.MaskingCallback;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.PosixSysTerminal;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.OSUtils;

/**
 * Lets a person type at the terminal of this process, with the keys of a shell. The terminal is its
 * own only while it reads: in between it is as it was found, and others may ask questions on it.
 */
public final class LineEditor implements AutoCloseable {
    private static final String PASTE_OFF = "\u001b[?2004l";
    private static final long LOOK_MILLIS = 10; // whether a line is read
    private static final Size USUAL_SIZE = new Size(80, 24);

    /** Types of terminals that know the question, or leave it out. */
    private static final Pattern ANSWERING =
            Pattern.compile("xterm|tmux|rxvt|alacritty|foot|kitty|wezterm|ghostty");

    private final Terminal terminal;
    private final Attributes found;
    private final Size size;
    private final TypedReader reader;
    private final LiveLine live;
    private final Habits habits;
    private final Pastes pastes = new Pastes();
    private volatile boolean given; // the first line
    private volatile Background background = Background.UNKNOWN;
    private boolean asked; // for it
    private boolean answers; // a question, so that no key counts that was pressed before

    /**
     * What belongs to the person who types.
     *
     * @param environment says which editor is used, and where the home is whose {@code .inputrc}
     *     sets keys
     * @param history file of what was typed before
     * @param kept what is kept there of a typed text
     * @param footer below what is typed, for so many columns; may be coloured, empty for none
     * @param lastResult what Ctrl-T shows
     * @param asksBackground whether the terminal is asked for the colour of its background, because
     *     it would make a difference
     */
    public record Habits(
            Map<String, String> environment,
            Path history,
            UnaryOperator<String> kept,
            Completions completions,
            IntFunction<String> footer,
            Supplier<String> lastResult,
            boolean asksBackground) {}

    private LineEditor(Terminal terminal, Habits habits) {
        this.terminal = terminal;
        this.habits = habits;
        this.found = terminal.getAttributes();
        this.size = terminal.getSize();
        if (isUnknown()) {
            terminal.setSize(USUAL_SIZE); // else nothing of what is typed is shown
        }
        FileHistory history = new FileHistory(text -> habits.kept().apply(pastes.expanded(text)));
        this.reader = reader(history);
        TypedReader typed = reader(history);
        this.live = new LiveLine(terminal, found, typed, pastes::expanded, habits.kept());
        useHistory(typed);
        reader.getWidgets().put(LineReader.CALLBACK_INIT, this::beginLine);
    }

    private TypedReader reader(FileHistory history) {
        return new TypedReader(terminal, habits, history, pastes, said -> background = said);
    }

    private boolean beginLine() {
        if (answers) {
            live.keepTyped(reader.takeKeys());
        }
        return answers || askBackground();
    }

    /** Only while keys are read, else the answer would be shown as if it had been typed. */
    private boolean askBackground() {
        if (habits.asksBackground()
                && !asked
                && ANSWERING.matcher(terminal.getType()).lookingAt()) {
            asked = true;
            terminal.writer().write(Background.QUESTION);
            terminal.flush();
        }
        return true;
    }

    /** Of the terminal, once it has been asked and has answered. */
    public Background background() {
        return background;
    }

    /** Without the file what is typed is remembered in memory alone. */
    private void useHistory(LineReader typed) {
        try {
            FileHistory.prepare(habits.history());
            reader.setVariable(LineReader.HISTORY_FILE, habits.history());
            typed.setVariable(LineReader.HISTORY_FILE, habits.history());
        } catch (IOException e) {
            return;
        }
    }

    /**
     * Takes up the terminal that standard input and output are.
     *
     * @throws IOException if there is none, or nothing to set it with ({@code stty})
     */
    public static LineEditor open(Habits habits) throws IOException {
        OSUtils.STTY_COMMAND = system("stty");
        OSUtils.INFOCMP_COMMAND = system("infocmp");
        // Native code would make the JVM warn; what stty needs is 3 ms a line. The builder of the
        // library would find out first, by five processes, what standard streams are terminals.
        String type = habits.environment().getOrDefault("TERM", "");
        return new LineEditor(
                new PosixSysTerminal(
                        "agent",
                        type.isEmpty() ? Terminal.TYPE_DUMB : type,
                        new SttyPty(),
                        StandardCharsets.UTF_8, // also where the locale is C
                        StandardCharsets.UTF_8,
                        StandardCharsets.UTF_8,
                        true,
                        Terminal.SignalHandler.SIG_DFL),
                habits);
    }

    /** The machine's own program: one in a folder of the search path may be the project's. */
    private static String system(String name) {
        for (String folder : List.of("/usr/bin/", "/bin/")) {
            if (Files.isExecutable(Path.of(folder + name))) {
                return folder + name;
            }
        }
        return "/usr/bin/" + name;
    }

    /** The line in which the person types while a run works. */
    public LiveLine live() {
        return live;
    }

    /** Remembers a text that was typed elsewhere. */
    public void remember(String text) {
        reader.getHistory().add(text);
    }

    /**
     * Waits for what is typed.
     *
     * @param draft what stands in the line at first
     */
    public Entry read(String prompt, String draft) {
        try {
            String typed = reader.readLine(prompt, null, (MaskingCallback) null, draft);
            return new Entry.Typed(pastes.expanded(typed));
        } catch (UserInterruptException e) {
            terminal.puts(Capability.clr_eos); // what the Tab key had listed
            terminal.flush();
            return new Entry.Cut(!e.getPartialLine().isEmpty());
        } catch (EndOfFileException | IOError e) {
            return new Entry.Closed();
        } finally {
            given = true;
        }
    }

    /**
     * Shows lines above the first line that is typed, from another thread; nothing if that line has
     * been given by then.
     */
    public void showAboveFirst(String text) {
        try {
            while (!given && !reader.isReading()) {
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        if (!given) {
            reader.printAbove(text);
        }
    }

    /**
     * The line that is typed behind a question, by keys that are pressed from now on; what was
     * typed before is for the next line of its own.
     *
     * @param draft what stands in the line at first
     */
    public Entry answer(String question, String draft) {
        reader.setVariable(LineReader.DISABLE_HISTORY, true);
        reader.beginAnswer();
        answers = true;
        try {
            return read(question.replace("%", "%%"), draft);
        } finally {
            answers = false;
            reader.endAnswer();
            reader.setVariable(LineReader.DISABLE_HISTORY, false);
        }
    }

    /**
     * Ends {@link #answer} in another thread, as Ctrl-C would; if an editor is open there, when it
     * is closed. Does not wait for that.
     *
     * @param answering that thread
     */
    public void interruptAnswer(Thread answering) {
        reader.interruptSoon(answering);
    }

    /** Leaves the terminal as it was found, also in the middle of a line; from any thread. */
    public void restore() {
        live.giveUp();
        terminal.setAttributes(found); // first: what is written may wait for somebody who reads
        terminal.puts(Capability.keypad_local);
        terminal.writer().write(PASTE_OFF + "\n");
        terminal.flush();
        forgetSize();
    }

    @Override
    public void close() throws IOException {
        forgetSize();
        terminal.close();
    }

    /** Of a terminal that nobody has told how large it is, as in containers. */
    private boolean isUnknown() {
        return size.getColumns() == 0 || size.getRows() == 0;
    }

    private void forgetSize() {
        if (isUnknown()) {
            terminal.setSize(size);
        }
    }
}
