package dev.agentloop.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
    void theLiveLineIsErasedBeforeAnythingElse() throws Exception {
        CountDownLatch drawn = new CountDownLatch(2);
        ErrorConsole console =
                new ErrorConsole(
                        streams,
                        true,
                        () -> {
                            drawn.countDown();
                            return "3 s";
                        });

        assertTrue(drawn.await(20, TimeUnit.SECONDS));
        console.print("a line\n");
        console.close();

        String text = err.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("3 s\r\u001b[Ka line\n"), text);
    }

    @Test
    void offATerminalThereIsNoTraceOfIt() {
        ErrorConsole console = new ErrorConsole(streams, false, () -> "3 s");

        console.print("a line\n");
        console.close();

        assertEquals("a line\n", err.toString(StandardCharsets.UTF_8));
    }
}
