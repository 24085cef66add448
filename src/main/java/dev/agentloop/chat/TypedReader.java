package dev.agentloop.chat;

import dev.agentloop.colour.Background;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.History;
import org.jline.reader.LineReader;
import org.jline.reader.Reference;
import org.jline.reader.Widget;
import org.jline.reader.impl.DefaultParser;
import org.jline.reader.impl.InputRC;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.reader.impl.history.DefaultHistory;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.PosixSysTerminal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.InfoCmp;
import org.jspecify.annotations.Nullable;

/** A line of the library with our habits: quotes mean themselves, a long paste is one word. */
final class TypedReader extends LineReaderImpl {
    private static final String NEW_LINE = "new-line"; // names of our widgets
    private static final String EDITOR = "external-editor";
    private static final String RESULT = "last-result";
    private static final String BACKGROUND = "terminal-background";
    private static final String CUT = "cut-answer";
    private static final long ESCAPE_MILLIS = 100; // then it is not the beginning of another key
    private static final String PASTE_ON = "\u001b[?2004h";
    private static final String PASTE_OFF = "\u001b[?2004l";
    private static final int MOST_KEPT = 1_000; // typed texts
    private static final int USUAL_COLUMNS = 80;
    private static final int USUAL_ROWS = 24;

    private static final String SECONDARY = "  "; // before further lines of what is typed
    private static final int ESCAPE = 0x1b;
    private static final int BELL = 7;
    private static final int LONGEST_ANSWER = 40; // characters
    private static final long ANSWER_MILLIS = 1_000; // for the next piece of it
    private static final long BEHIND_ESCAPE_MILLIS = 20;

    private static final Pattern OTHER_KEY =
            Pattern.compile("\u001b(?:\\[[0-9;?]*[A-Za-z~]|O[A-Za-z]|.)?|[\\p{Cntrl}&&[^\n\t]]");

    private final Pastes pastes;
    private final IntFunction<String> footer;
    private final Supplier<String> lastResult;
    private final Consumer<Background> background;
    private final Map<String, String> environment;
    private final History texts; // that were typed
    private final Attributes found; // of the terminal, while nobody types
    private final ReentrantLock editorOpen = new ReentrantLock();
    private final AtomicReference<@Nullable Thread> toInterrupt = new AtomicReference<>();

    /**
     * @param background is given what the terminal answers, if it was asked
     */
    TypedReader(
            Terminal terminal,
            LineEditor.Habits habits,
            History history,
            Pastes pastes,
            Consumer<Background> background) {
        super(terminal, "agent", new HashMap<>());
        this.pastes = pastes;
        this.background = background;
        TabKey tab = new TabKey(habits.completions());
        boolean dumb = terminal.getType().startsWith(Terminal.TYPE_DUMB);
        footer = dumb ? _ -> "" : habits.footer(); // there it could not be taken away again
        lastResult = habits.lastResult();
        environment = habits.environment();
        found = terminal.getAttributes();
        setParser(plain());
        setCompleter(tab);
        setCompletionMatcher(tab);
        texts = history;
        setHistory(history);
        option(LineReader.Option.DISABLE_EVENT_EXPANSION, true); // "!" is a "!"
        option(LineReader.Option.INSERT_TAB, false);
        option(LineReader.Option.HISTORY_TIMESTAMPED, true);
        option(LineReader.Option.HISTORY_IGNORE_SPACE, true);
        setVariable(LineReader.SECONDARY_PROMPT_PATTERN, SECONDARY);
        setVariable(LineReader.HISTORY_SIZE, MOST_KEPT);
        setVariable(LineReader.HISTORY_FILE_SIZE, MOST_KEPT);
        Widget paste = Objects.requireNonNull(getWidgets().get(LineReader.BEGIN_PASTE));
        getWidgets().put(LineReader.BEGIN_PASTE, () -> paste(paste));
        useInputRc();
        bindKeys();
    }

    /** The file in which shells and others find the keys that the person is used to. */
    private void useInputRc() {
        String home = environment.getOrDefault("HOME", "");
        Path file = Path.of(home, ".inputrc");
        if (home.isEmpty() || !Files.isRegularFile(file)) {
            return;
        }
        try (Reader text = Files.newBufferedReader(file)) {
            InputRC.configure(this, text);
        } catch (IOException | RuntimeException e) {
            return; // keys that are wrong there are not the chat's business
        }
    }

    private void bindKeys() {
        getWidgets().put(NEW_LINE, this::beginLine);
        getWidgets().put(EDITOR, this::edit);
        getWidgets().put(RESULT, () -> showAbove(lastResult.get()));
        getWidgets().put(BACKGROUND, this::hearBackground);
        for (String name : List.of(LineReader.EMACS, LineReader.VIINS)) {
            KeyMap<Binding> keys = Objects.requireNonNull(getKeyMaps().get(name));
            keys.bind(new Reference(NEW_LINE), KeyMap.alt('\r'), KeyMap.alt('\n'));
            keys.bind(new Reference(EDITOR), KeyMap.ctrl('X') + KeyMap.ctrl('E'));
            keys.bind(new Reference(RESULT), KeyMap.ctrl('T'));
            keys.bind(new Reference(BACKGROUND), Background.ANSWER);
        }
    }

    /**
     * The terminal's answer comes like keys, over a slow line in pieces: up to a bell, or an escape
     * and a backslash. What is no answer is thrown away up to a pause: nobody has typed it.
     */
    private boolean hearBackground() {
        StringBuilder answer = new StringBuilder();
        int next = bindingReader.peekCharacter(ANSWER_MILLIS);
        while (next >= 0 && next != BELL && next != ESCAPE) {
            bindingReader.readCharacter();
            boolean fits = answer.length() < LONGEST_ANSWER;
            if (fits) {
                answer.append((char) next);
            }
            next = bindingReader.peekCharacter(fits ? ANSWER_MILLIS : BEHIND_ESCAPE_MILLIS);
        }
        if (next == BELL || next == ESCAPE) {
            bindingReader.readCharacter();
        }
        if (next == ESCAPE && bindingReader.peekCharacter(ANSWER_MILLIS) == '\\') {
            bindingReader.readCharacter();
        }
        background.accept(Background.answered(answer.toString()));
        return true;
    }

    /**
     * From now on Escape ends the line as Ctrl-C does, and what was typed before is not offered.
     */
    void beginAnswer() {
        setHistory(
                new DefaultHistory() {
                    @Override
                    public void load() {} // it would take up the file of what was typed
                });
        getWidgets().put(CUT, () -> !isEscapeAlone() || cut());
        KeyMap<Binding> keys = Objects.requireNonNull(getKeyMaps().get(LineReader.EMACS));
        keys.bind(new Reference(CUT), KeyMap.esc());
        keys.setAmbiguousTimeout(ESCAPE_MILLIS);
    }

    /** Escape is again the beginning of other keys. */
    void endAnswer() {
        setHistory(texts);
        Objects.requireNonNull(getKeyMaps().get(LineReader.EMACS)).unbind(KeyMap.esc());
    }

    /** The text of the keys that were pressed so far; keys that are no characters are dropped. */
    String takeKeys() {
        StringBuilder typed = new StringBuilder();
        while (bindingReader.peekCharacter(1) >= 0) {
            typed.append((char) bindingReader.readCharacter());
        }
        return OTHER_KEY.matcher(typed.toString().replace('\r', '\n')).replaceAll("");
    }

    private boolean cut() {
        state = State.INTERRUPT;
        return true;
    }

    private boolean showAbove(String text) {
        if (!text.isEmpty()) {
            printAbove(text.stripTrailing());
        }
        return !text.isEmpty();
    }

    private boolean beginLine() {
        getBuffer().write('\n');
        return true;
    }

    /** The editor has the terminal as it was found, and the line what was saved. */
    private boolean edit() {
        if (!editorOpen.tryLock()) {
            return false; // somebody is about to ask a question here
        }
        String before = pastes.expanded(getBuffer().toString());
        Attributes raw = terminal.getAttributes();
        Terminal.SignalHandler interrupt =
                terminal.handle(Terminal.Signal.INT, _ -> {}); // Ctrl-C is for the editor
        display.update(List.of(), 0); // what is drawn of this line goes, also what stood above it
        terminal.puts(InfoCmp.Capability.keypad_local);
        terminal.writer().write(PASTE_OFF);
        terminal.flush();
        terminal.setAttributes(found);
        String trouble = "";
        try {
            String after = new ExternalEditor(environment).edit(before);
            getBuffer().clear();
            getBuffer().write(after);
        } catch (IOException e) {
            trouble = String.valueOf(e.getMessage());
        } finally {
            terminal.setAttributes(raw);
            terminal.handle(Terminal.Signal.INT, interrupt);
            terminal.puts(InfoCmp.Capability.keypad_xmit);
            terminal.writer().write(PASTE_ON);
            editorOpen.unlock();
            interruptWhoWasToBe();
        }
        if (!trouble.isEmpty()) {
            printAbove("The editor did not end well (" + trouble + "): nothing is changed.");
        }
        callWidget(LineReader.REDRAW_LINE);
        callWidget(LineReader.REDISPLAY);
        return true;
    }

    /**
     * Ends {@link #readLine} in another thread, which reads here, once no editor is open.
     *
     * @param reading that thread
     */
    void interrupt(Thread reading) {
        editorOpen.lock();
        try {
            reading.interrupt();
        } finally {
            editorOpen.unlock();
        }
    }

    /** The same, without waiting for an editor: the one who closes it is interrupted then. */
    void interruptSoon(Thread reading) {
        toInterrupt.set(reading);
        if (editorOpen.tryLock()) {
            editorOpen.unlock();
            interruptWhoWasToBe();
        }
    }

    private void interruptWhoWasToBe() {
        Thread reading = toInterrupt.getAndSet(null);
        if (reading != null) {
            reading.interrupt();
        }
    }

    /** Quotes and backslashes mean themselves. */
    private static DefaultParser plain() {
        DefaultParser parser = new DefaultParser();
        parser.setQuoteChars(new char[0]);
        parser.setEscapeChars(new char[0]);
        return parser;
    }

    /** A long text becomes one word of the line. */
    private boolean paste(Widget insert) {
        int from = getBuffer().cursor();
        boolean done = insert.apply();
        int to = getBuffer().cursor();
        if (to > from) {
            String text = getBuffer().substring(from, to);
            String shown = pastes.shown(text);
            if (!shown.equals(text)) {
                getBuffer().backspace(to - from);
                getBuffer().write(shown);
            }
        }
        return done;
    }

    /** A key of the library that it has nothing for does nothing. */
    @Override
    protected @Nullable Widget getWidget(Object binding) {
        boolean missing =
                binding instanceof Reference known && !getWidgets().containsKey(known.name());
        return missing ? () -> false : super.getWidget(binding);
    }

    /**
     * Whether the Escape that was just read is a key of its own. Else the keys behind it, which are
     * the name of a key that nobody knows here, are dropped.
     */
    boolean isEscapeAlone() {
        int next = bindingReader.peekCharacter(BEHIND_ESCAPE_MILLIS);
        if (next < 0 || next == ESCAPE) {
            return true;
        }
        for (int count = 0; next >= 0; count++) {
            bindingReader.readCharacter();
            boolean ends = Character.isLetter(next) || next == '~';
            if (ends && (count > 0 || next != 'O')) {
                break;
            }
            next = bindingReader.peekCharacter(BEHIND_ESCAPE_MILLIS);
        }
        return false;
    }

    /** Completions take the footer's place; when the line ends it goes. */
    @Override
    public AttributedString getDisplayedBufferWithPrompts(List<AttributedString> secondary) {
        AttributedString typed = super.getDisplayedBufferWithPrompts(secondary);
        String below = reading && post == null ? footer.apply(columns()) : "";
        return below.isEmpty()
                ? typed
                : new AttributedStringBuilder()
                        .append(typed)
                        .append('\n')
                        .append(AttributedString.fromAnsi(below))
                        .toAttributedString();
    }

    /**
     * A terminal that changes its width wraps its lines anew. What is drawn of this line goes
     * before it is drawn for the new width, else its old first rows would stay.
     */
    @Override
    protected synchronized void handleSignal(Terminal.Signal signal) {
        lock.lock();
        try {
            handle(signal);
        } finally {
            lock.unlock();
        }
    }

    private void handle(Terminal.Signal signal) {
        if (terminal instanceof PosixSysTerminal own && own.getPty() instanceof SttyPty pty) {
            pty.forget();
        }
        if (signal == Terminal.Signal.WINCH && reading) {
            int up = rowsAboveCursor(Math.max(1, terminal.getBufferSize().getColumns()));
            for (int i = 0; i < up; i++) {
                terminal.puts(InfoCmp.Capability.cursor_up);
            }
            terminal.puts(InfoCmp.Capability.carriage_return);
            terminal.puts(InfoCmp.Capability.clr_eos);
        }
        super.handleSignal(signal);
        if (signal == Terminal.Signal.CONT && reading) { // the shell has switched it off
            terminal.writer().write(PASTE_ON);
            terminal.flush();
        }
    }

    private int rowsAboveCursor(int columns) {
        String toCursor = prompt + getBuffer().upToCursor().replace("\n", "\n" + SECONDARY);
        int rows = -1;
        for (String line : toCursor.split("\n", -1)) {
            rows += Math.max(1, Math.ceilDiv(new AttributedString(line).columnLength(), columns));
        }
        return rows;
    }

    /** Of the terminal, as it was when the line was drawn last. */
    int columns() {
        return size.getColumns() > 0 ? size.getColumns() : USUAL_COLUMNS;
    }

    /** Likewise. */
    int rows() {
        return size.getRows() > 0 ? size.getRows() : USUAL_ROWS;
    }
}
