package dev.agentloop.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.process.CommandOutcome.Output;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OutputCaptureTest {
    private static final int HEAD = 16 * 1024;

    @Test
    void whatFitsIsKeptWhole() {
        for (int length : new int[] {0, 1, HEAD - 1, HEAD, HEAD + 1, 2 * HEAD}) {
            String text = numbered(length);
            assertEquals(
                    new Output(text, length, 0), captured(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    @DisplayName("B27 of long output the head and the tail are kept and the rest is counted")
    void ofLongOutputHeadAndTailAreKept() {
        Random random = new Random(27);
        for (int round = 0; round < 50; round++) {
            int length = 2 * HEAD + 1 + random.nextInt(200_000);
            String text = numbered(length);
            Output output = captured(text.getBytes(StandardCharsets.UTF_8), random);
            int leftOut = length - 2 * HEAD;
            assertEquals(
                    new Output(
                            text.substring(0, HEAD)
                                    + "\n[… %d bytes left out …]\n".formatted(leftOut)
                                    + text.substring(length - HEAD),
                            length,
                            leftOut),
                    output);
        }
    }

    @Test
    void charactersAreNotCutInTwo() {
        String text = captured("x€".repeat(20_000).getBytes(StandardCharsets.UTF_8)).text();
        assertTrue(text.indexOf('\uFFFD') < 0);
    }

    @Test
    @DisplayName("B28 bytes that are not UTF-8 are replaced")
    void bytesThatAreNotUtf8AreReplaced() {
        assertEquals("a\uFFFDb", captured(new byte[] {'a', (byte) 0xFF, 'b'}).text());
    }

    private static Output captured(byte[] bytes) {
        return captured(bytes, new Random(1));
    }

    /** Delivers the bytes in pieces, as a pipe does. */
    private static Output captured(byte[] bytes, Random random) {
        OutputCapture capture = new OutputCapture();
        InputStream pieces =
                new ByteArrayInputStream(bytes) {
                    @Override
                    public synchronized int read(byte[] into, int offset, int length) {
                        return super.read(into, offset, 1 + random.nextInt(length));
                    }
                };
        capture.drain(pieces);
        return capture.output();
    }

    private static String numbered(int length) {
        StringBuilder text = new StringBuilder();
        for (int line = 0; text.length() < length; line++) {
            text.append(line).append('\n');
        }
        return text.substring(0, length);
    }
}
