package dev.agentloop.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class ErrorConsoleTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Streams streams =
            new Streams(
                    new ByteArrayInputStream(new byte[0]),
                    OutputStream.nullOutputStream(),
                    err,
                    true,
                    true,
                    true);

    @Test
    @DisplayName("live lines are erased before anything else, also when the terminal got narrower")
    void liveLinesAreErased() throws Exception {
        for (int columns : new int[] {80, 20}) {
            err.reset();
            CountDownLatch drawn = new CountDownLatch(2);
            AtomicInteger now = new AtomicInteger(80);
            Supplier<String> status =
                    () -> {
                        drawn.countDown();
                        return "3 s";
                    };
            var live =
                    new ErrorConsole.Live(
                            status, () -> List.of("x".repeat(100), "end"), now::get, false);
            ErrorConsole console = new ErrorConsole(streams, true, live);
            assertTrue(drawn.await(20, TimeUnit.SECONDS));
            synchronized (console) { // between two drawings
                now.set(columns);
                console.print("a line\n");
            }
            console.close();

            String text = err.toString(StandardCharsets.UTF_8);
            String cut = "    " + "x".repeat(75) + "\n    end\n";
            assertTrue(text.contains(cut), text);
            int up = columns == 80 ? 2 : 5; // 79 columns are four rows of 20
            assertTrue(text.contains("3 s\u001b[" + up + "A\r\u001b[Ja line\n"), text);
        }
    }

    @Test
    @DisplayName("a question whose answer was typed is no reason to draw no live lines any more")
    void behindAQuestion() throws Exception {
        CountDownLatch drawn = new CountDownLatch(1);
        AtomicBoolean answered = new AtomicBoolean();
        Supplier<String> status =
                () -> {
                    if (answered.get()) {
                        drawn.countDown();
                    }
                    return "3 s";
                };
        var live = new ErrorConsole.Live(status, List::of, () -> 80, false);
        try (ErrorConsole console = new ErrorConsole(streams, true, live)) {
            Streams typed =
                    new Streams(
                            new ByteArrayInputStream("y\n".getBytes(StandardCharsets.UTF_8)),
                            streams.out(),
                            err,
                            true,
                            true,
                            true);
            console.hold();
            TerminalTalk talk = new TerminalTalk(typed, console);
            assertEquals("y", talk.answer("Allow? ", new Cancellation()));
            answered.set(true);
            console.release();
            assertTrue(drawn.await(20, TimeUnit.SECONDS), "nothing is drawn");
        }
    }

    @Test
    void offATerminalThereIsNoTraceOfThem() {
        ErrorConsole console = new ErrorConsole(streams);

        console.print("a line\n");
        console.close();

        assertEquals("a line\n", err.toString(StandardCharsets.UTF_8));
    }
}
