package dev.agentloop.llm.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SseReaderTest {
    private static final String STREAM =
            """
            : a comment

            event: message
            data: one
            id: 4

            data:two
            data:  lines

            retry: 10
            data
            data:

            dataX: no
            data: é😀

            """;
    private static final List<String> EVENTS = List.of("one", "two\n lines", "\n", "é😀");

    @Test
    @Tag("A43")
    @DisplayName("the rules of the standard")
    void readsEvents() throws IOException {
        assertEquals(EVENTS, read(STREAM, 8192, 1000));
    }

    @ParameterizedTest(name = "A43 in pieces of {0} bytes")
    @ValueSource(ints = {1, 2, 3, 5, 7})
    void readsPieces(int size) throws IOException {
        assertEquals(EVENTS, read(STREAM, size, 1000));
        assertEquals(EVENTS, read(STREAM.replace("\n", "\r\n"), size, 1000));
        assertEquals(EVENTS, read(STREAM.replace("\n", "\r"), size, 1000));
        assertEquals(EVENTS, read("\uFEFF" + STREAM, size, 1000));
    }

    @Test
    void theLastEventNeedsNoEmptyLineButIsMarked() throws IOException {
        SseReader reader = reader("data: a\n\ndata: b\ndata: c", 8192, 1000);

        assertEquals(new SseReader.Event("a", false), reader.next());
        assertEquals(new SseReader.Event("b\nc", true), reader.next());
        assertEquals(null, reader.next());
    }

    @Test
    @Tag("A39")
    @DisplayName("an event beyond the cap is refused, on one line or on many")
    void capIsKept() throws IOException {
        assertEquals(List.of("x".repeat(90)), read("data:" + "x".repeat(90) + "\n\n", 10, 100));
        assertThrows(SseReader.TooLarge.class, () -> read("data:" + "x".repeat(200), 10, 100));
        assertThrows(
                SseReader.TooLarge.class, () -> read("data: 0123456789\n".repeat(20), 10, 100));
        assertEquals(List.of(), read(": 0123456789\n".repeat(20), 10, 100));
    }

    private static List<String> read(String stream, int size, int cap) throws IOException {
        SseReader reader = reader(stream, size, cap);
        List<String> events = new ArrayList<>();
        SseReader.Event event;
        while ((event = reader.next()) != null) {
            events.add(event.data());
        }
        return events;
    }

    private static SseReader reader(String stream, int size, int cap) {
        byte[] bytes = stream.getBytes(StandardCharsets.UTF_8);
        int[] at = {0};
        return new SseReader(
                into -> {
                    byte[] piece =
                            Arrays.copyOfRange(bytes, at[0], Math.min(bytes.length, at[0] + size));
                    System.arraycopy(piece, 0, into, 0, piece.length);
                    at[0] += piece.length;
                    return piece.length == 0 ? -1 : piece.length;
                },
                cap);
    }
}
