package dev.agentloop.mcp.channel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class ServerSentEventsTest {
    @Test
    void anEventThatIsCutIsNoEventAndItsIdIsNotTheLastOne() throws IOException {
        ServerSentEvents events = events("id: 1\ndata: {}\n\nid: 2\ndata: {\"half\":");

        assertEquals("{}", events.next());
        assertEquals("1", events.lastId());
        assertNull(events.next());
        assertEquals("1", events.lastId());
    }

    @Test
    void anEventBeyondAllReasonIsRefusedAsOneThatIsTooLong() {
        ServerSentEvents events =
                events("data: " + "x".repeat(BoundedLines.MAX_BYTES + 1) + "\n\n");

        assertThrows(BoundedLines.TooLong.class, events::next);
    }

    @Test
    void anIdThatCouldNotGoBackAsAHeaderIsNoId() throws IOException {
        ServerSentEvents events =
                events("id: 1\ndata: a\n\nid: with blank\ndata: b\n\nid: é\ndata: c\n\n");
        while (events.next() != null) {
            assertEquals("1", events.lastId());
        }
    }

    @Test
    void aServerSaysHowLongToWaitButNotForHours() throws IOException {
        ServerSentEvents events =
                events(
                        "retry: 50\ndata: a\n\nretry: soon\ndata: b\n\nretry: 99999999\ndata: c\n\n");

        events.next();
        assertEquals(50, events.retryMillis());
        events.next();
        assertEquals(50, events.retryMillis());
        events.next();
        assertEquals(30_000, events.retryMillis());
    }

    private static ServerSentEvents events(String stream) {
        return new ServerSentEvents(new ByteArrayInputStream(stream.getBytes(UTF_8)), "", 1_000);
    }
}
