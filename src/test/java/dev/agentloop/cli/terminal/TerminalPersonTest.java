package dev.agentloop.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TerminalPersonTest {
    private final PipedOutputStream keyboard = new PipedOutputStream();
    private String line = "";

    /** A person who types a line when asked. */
    private final ByteArrayOutputStream screen =
            new ByteArrayOutputStream() {
                @Override
                public synchronized void write(byte[] bytes, int from, int count) {
                    super.write(bytes, from, count);
                    if (toString(StandardCharsets.UTF_8).endsWith("the model decides): ")) {
                        type(line);
                    }
                }
            };

    private String ask(Cancellation cancellation, String... options) throws IOException {
        Streams streams =
                new Streams(
                        new PipedInputStream(keyboard),
                        OutputStream.nullOutputStream(),
                        screen,
                        true,
                        true,
                        true);
        ErrorConsole console = new ErrorConsole(streams);
        return new TerminalPerson(new TerminalTalk(streams, console), List::of)
                .answer("Which \u001b[8mport?", List.of(options), cancellation);
    }

    private void type(String text) {
        try {
            keyboard.write(text.getBytes(StandardCharsets.UTF_8));
            keyboard.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 9090", "3, 3", "0, 0", "7070, 7070", "use 1 if free, use 1 if free", "'', ''"})
    void aNumberChoosesWordsAnswer(String typed, String answer) throws IOException {
        line = typed + "\n";

        assertEquals(answer, ask(new Cancellation(), "8080", "9090"));
        String shown = screen.toString(StandardCharsets.UTF_8);
        assertTrue(shown.contains("      1) 8080\n      2) 9090\n"), shown);
        assertFalse(shown.contains("\u001b"), shown);
    }

    @Test
    @Tag("E09")
    @Tag("C05")
    @DisplayName("a question ends with the run")
    void endsWithTheRun() {
        Cancellation cancelled = new Cancellation();
        cancelled.cancel(new Cause.Interrupt("INT"));

        assertThrows(IOException.class, () -> ask(cancelled));
    }
}
