package dev.agentloop.chat;

import java.io.IOError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.Reference;
import org.jline.reader.UserInterruptException;
import org.jline.reader.Widget;
import org.jline.reader.impl.DefaultParser;
import org.jline.reader.impl.completer.ArgumentCompleter;
import org.jline.reader.impl.completer.NullCompleter;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.InfoCmp.Capability;

/**
 * Lets a person type at the terminal of this process, with the keys of a shell. The terminal is its
 * own only while it reads: in between it is as it was found, and others may ask questions on it.
 * What was typed is remembered for the arrow keys, in memory alone.
 */
public final class LineEditor implements AutoCloseable {
    private static final String NEW_LINE = "new-line"; // name of our only widget
    private static final String PASTE_OFF = "\u001b[?2004l";
    private static final Size USUAL_SIZE = new Size(80, 24);

    private final Terminal terminal;
    private final Attributes found;
    private final Size size;
    private final LineReader reader;

    private LineEditor(Terminal terminal, List<String> words) {
        this.terminal = terminal;
        this.found = terminal.getAttributes();
        this.size = terminal.getSize();
        if (isUnknown()) {
            terminal.setSize(USUAL_SIZE); // else nothing of what is typed is shown
        }
        this.reader =
                LineReaderBuilder.builder()
                        .terminal(terminal)
                        .parser(plain())
                        .completer(
                                new ArgumentCompleter(
                                        new StringsCompleter(words), NullCompleter.INSTANCE))
                        .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true) // "!" is a "!"
                        .option(LineReader.Option.INSERT_TAB, false)
                        .variable(LineReader.SECONDARY_PROMPT_PATTERN, "  ")
                        .build();
        Widget newLine =
                () -> {
                    reader.getBuffer().write('\n');
                    return true;
                };
        reader.getWidgets().put(NEW_LINE, newLine);
        KeyMap<Binding> keys = Objects.requireNonNull(reader.getKeyMaps().get(LineReader.MAIN));
        keys.bind(new Reference(NEW_LINE), KeyMap.alt('\r'), KeyMap.alt('\n'));
    }

    /**
     * Takes up the terminal that standard input and output are.
     *
     * @param words what the Tab key knows at the beginning of a line
     * @throws IOException if there is none, or nothing to set it with ({@code stty})
     */
    public static LineEditor open(List<String> words) throws IOException {
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
                    words);
        } catch (IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Waits for what is typed. */
    public Entry read(String prompt) {
        try {
            return new Entry.Typed(reader.readLine(prompt));
        } catch (UserInterruptException e) {
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

    /** Quotes and backslashes mean themselves. */
    private static DefaultParser plain() {
        DefaultParser parser = new DefaultParser();
        parser.setQuoteChars(new char[0]);
        parser.setEscapeChars(new char[0]);
        return parser;
    }
}
