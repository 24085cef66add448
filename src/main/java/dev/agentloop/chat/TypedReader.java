package dev.agentloop.chat;

import java.util.HashMap;
import java.util.Objects;
import org.jline.reader.History;
import org.jline.reader.LineReader;
import org.jline.reader.Widget;
import org.jline.reader.impl.DefaultParser;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Terminal;

/** A line of the library with our habits: quotes mean themselves, a long paste is one word. */
final class TypedReader extends LineReaderImpl {
    private static final int MOST_KEPT = 1_000; // typed texts
    private static final int USUAL_COLUMNS = 80;
    private static final int USUAL_ROWS = 24;

    private static final long BEHIND_ESCAPE_MILLIS = 20;

    private final Pastes pastes;

    TypedReader(Terminal terminal, Completions completions, History history, Pastes pastes) {
        super(terminal, "agent", new HashMap<>());
        this.pastes = pastes;
        TabKey tab = new TabKey(completions);
        setParser(plain());
        setCompleter(tab);
        setCompletionMatcher(tab);
        setHistory(history);
        option(LineReader.Option.DISABLE_EVENT_EXPANSION, true); // "!" is a "!"
        option(LineReader.Option.INSERT_TAB, false);
        option(LineReader.Option.HISTORY_TIMESTAMPED, true);
        option(LineReader.Option.HISTORY_IGNORE_SPACE, true);
        setVariable(LineReader.SECONDARY_PROMPT_PATTERN, "  ");
        setVariable(LineReader.HISTORY_SIZE, MOST_KEPT);
        setVariable(LineReader.HISTORY_FILE_SIZE, MOST_KEPT);
        Widget paste = Objects.requireNonNull(getWidgets().get(LineReader.BEGIN_PASTE));
        getWidgets().put(LineReader.BEGIN_PASTE, () -> paste(paste));
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

    /**
     * Whether the Escape that was just read is a key of its own. Else the keys behind it, which are
     * the name of a key that nobody knows here, are dropped.
     */
    boolean isEscapeAlone() {
        int next = bindingReader.peekCharacter(BEHIND_ESCAPE_MILLIS);
        if (next < 0) {
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

    /** Of the terminal, as it was when the line was drawn last. */
    int columns() {
        return size.getColumns() > 0 ? size.getColumns() : USUAL_COLUMNS;
    }

    /** Likewise. */
    int rows() {
        return size.getRows() > 0 ? size.getRows() : USUAL_ROWS;
    }
}
