package dev.agentloop.chat;

import java.io.IOError;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.MaskingCallback;
import org.jline.reader.Reference;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.InputRC;
import org.jline.reader.impl.history.DefaultHistory;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.OSUtils;

/**
 * Lets a person type at the terminal of this process, with the keys of a shell. The terminal is its
 * own only while it reads: in between it is as it was found, and others may ask questions on it.
 */
public final class LineEditor implements AutoCloseable {
    private static final String NEW_LINE = "new-line"; // names of our widgets
    private static final String EDITOR = "external-editor";
    private static final String PASTE_ON = "\u001b[?2004h";
    private static final String PASTE_OFF = "\u001b[?2004l";
    private static final Size USUAL_SIZE = new Size(80, 24);

    private final Terminal terminal;
    private final Attributes found;
    private final Size size;
    private final LineReader reader;
    private final LiveLine live;
    private final Habits habits;
    private final Pastes pastes = new Pastes();

    /**
     * What belongs to the person who types.
     *
     * @param environment says which editor is used, and where the home is whose {@code .inputrc}
     *     sets keys
     * @param history file of what was typed before
     * @param kept what is kept there of a typed text
     */
    public record Habits(
            Map<String, String> environment,
            Path history,
            UnaryOperator<String> kept,
            Completions completions) {}

    private LineEditor(Terminal terminal, Habits habits) {
        this.terminal = terminal;
        this.habits = habits;
        this.found = terminal.getAttributes();
        this.size = terminal.getSize();
        if (isUnknown()) {
            terminal.setSize(USUAL_SIZE); // else nothing of what is typed is shown
        }
        this.reader =
                new TypedReader(
                        terminal,
                        habits.completions(),
                        new FileHistory(text -> habits.kept().apply(pastes.expanded(text))),
                        pastes);
        this.live =
                new LiveLine(
                        terminal,
                        found,
                        new TypedReader(
                                terminal, habits.completions(), new DefaultHistory(), pastes),
                        pastes::expanded,
                        habits.kept());
        useHistory();
        useInputRc();
        bindKeys();
    }

    /** Without the file what is typed is remembered in memory alone. */
    private void useHistory() {
        try {
            FileHistory.prepare(habits.history());
            reader.setVariable(LineReader.HISTORY_FILE, habits.history());
        } catch (IOException e) {
            return;
        }
    }

    /** The file in which shells and others find the keys that the person is used to. */
    private void useInputRc() {
        String home = habits.environment().getOrDefault("HOME", "");
        Path file = Path.of(home, ".inputrc");
        if (home.isEmpty() || !Files.isRegularFile(file)) {
            return;
        }
        try (Reader text = Files.newBufferedReader(file)) {
            InputRC.configure(reader, text);
        } catch (IOException | RuntimeException e) {
            return; // keys that are wrong there are not the chat's business
        }
    }

    private void bindKeys() {
        reader.getWidgets()
                .put(
                        NEW_LINE,
                        () -> {
                            reader.getBuffer().write('\n');
                            return true;
                        });
        reader.getWidgets().put(EDITOR, this::edit);
        for (String name : List.of(LineReader.EMACS, LineReader.VIINS)) {
            KeyMap<Binding> keys = Objects.requireNonNull(reader.getKeyMaps().get(name));
            keys.bind(new Reference(NEW_LINE), KeyMap.alt('\r'), KeyMap.alt('\n'));
            keys.bind(new Reference(EDITOR), KeyMap.ctrl('X') + KeyMap.ctrl('E'));
        }
    }

    /** The editor has the terminal as it was found, and the line what was saved. */
    private boolean edit() {
        String before = pastes.expanded(reader.getBuffer().toString());
        Attributes raw = terminal.getAttributes();
        terminal.puts(Capability.keypad_local);
        terminal.writer().write(PASTE_OFF);
        terminal.flush();
        terminal.setAttributes(found);
        String trouble = "";
        Terminal.SignalHandler interrupt =
                terminal.handle(Terminal.Signal.INT, _ -> {}); // Ctrl-C is for the editor
        try {
            String after = new ExternalEditor(habits.environment()).edit(before);
            reader.getBuffer().clear();
            reader.getBuffer().write(after);
        } catch (IOException e) {
            trouble = String.valueOf(e.getMessage());
        } finally {
            terminal.handle(Terminal.Signal.INT, interrupt);
            terminal.setAttributes(raw);
            terminal.puts(Capability.keypad_xmit);
            terminal.writer().write(PASTE_ON);
        }
        if (!trouble.isEmpty()) {
            reader.printAbove("The editor did not end well (" + trouble + "): nothing is changed.");
        }
        reader.callWidget(LineReader.REDRAW_LINE);
        reader.callWidget(LineReader.REDISPLAY);
        return true;
    }

    /**
     * Takes up the terminal that standard input and output are.
     *
     * @throws IOException if there is none, or nothing to set it with ({@code stty})
     */
    public static LineEditor open(Habits habits) throws IOException {
        OSUtils.TTY_COMMAND = system("tty");
        OSUtils.STTY_COMMAND = system("stty");
        OSUtils.INFOCMP_COMMAND = system("infocmp");
        OSUtils.TEST_COMMAND = system("test");
        try {
            // Native code would make the JVM warn; what stty needs is 3 ms a line.
            return new LineEditor(
                    TerminalBuilder.builder()
                            .name("agent")
                            .system(true)
                            .encoding(StandardCharsets.UTF_8) // also where the locale is C
                            .stdinEncoding(StandardCharsets.UTF_8)
                            .stdoutEncoding(StandardCharsets.UTF_8)
                            .provider("exec")
                            .dumb(false)
                            .build(),
                    habits);
        } catch (IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
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
        }
    }

    /** Leaves the terminal as it was found, also in the middle of a line; from any thread. */
    public void restore() {
        terminal.puts(Capability.keypad_local);
        terminal.writer().write(PASTE_OFF + "\n");
        terminal.flush();
        terminal.setAttributes(found);
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
