package dev.agentloop.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TranscriptTest {
    @Test
    @DisplayName("a transcript shows steps, calls and answers, and no text in it steers a terminal")
    void showsWhatHappened() {
        assertEquals(
                """
                Session 01KJMMA2G0WVC9FSAKAX5R9ZV4
                Started 2026-03-01T12:00:00Z, last written 2026-03-01T12:01:30Z
                Workspace /work/shop
                Model acme/model, agent build
                Note: The last line was torn.

                > Fix it
                > please

                Step 1
                  I look.\\u001b[2J
                  read_file path=src/a.py from=1
                    ok: line 1
                  run_command command=a\\nb \\u202e
                    denied: Not allowed: x
                  odd {not json
                    ok

                Step 2
                  Done.

                    It works.

                success: 2 steps, 3 tool calls, 120 tokens, 0.0125 USD
                """,
                Transcript.of(session()));
    }

    @Test
    void cutsLongTextBetweenCharacters() {
        assertEquals("abc", PlainText.cut("abc", 3));
        assertEquals("ab…", PlainText.cut("abcd", 3));
        assertEquals("a…", PlainText.cut("a🎉bcd", 3));
        assertEquals(
                "tab\tfeed\n\\u0000\\u009b\\u2066", PlainText.escape("tab\tfeed\n\0\u009b\u2066"));
    }

    private static SavedSession session() {
        return new SavedSession(
                summary(),
                List.of(),
                List.of(
                        new Message.System("You are careful."),
                        new Message.User("Fix it\nplease\r"),
                        calls(),
                        new Message.Tool("c1", ToolResult.ok("line 1\nline 2")),
                        new Message.Tool("c2", ToolResult.denied("Not allowed: x")),
                        new Message.Tool("c3", ToolResult.ok("")),
                        new Message.Assistant(List.of(new Block.Text("Done.\n\n  It works.")))),
                2,
                3,
                new Usage(100, 20, 0, 0, 0, false),
                new BigDecimal("0.0125"),
                List.of(),
                90_000,
                List.of(),
                List.of(),
                1,
                List.of(),
                List.of(),
                List.of("The last line was torn."),
                Map.of(),
                JournalRecord.Capped.NOTHING,
                JournalRecord.Terms.UNKNOWN,
                "acme/model",
                false,
                SavedSession.Measure.NONE,
                SavedSession.Held.NOTHING);
    }

    private static SessionSummary summary() {
        return new SessionSummary(
                "01KJMMA2G0WVC9FSAKAX5R9ZV4",
                Instant.parse("2026-03-01T12:00:00Z"),
                Instant.parse("2026-03-01T12:01:30Z"),
                "/work/shop",
                "acme/model",
                "build",
                "Fix it",
                "success",
                2);
    }

    private static Message.Assistant calls() {
        return new Message.Assistant(
                List.of(
                        new Block.Reasoning("secret", "{}"),
                        new Block.Text("I look.\u001b[2J"),
                        call("c1", "read_file", "{\"path\":\"src/a.py\",\"from\":1}"),
                        call("c2", "run_command", "{\"command\":\"a\\nb \\u202e\"}"),
                        call("c3", "odd", "{not json")));
    }

    private static Block call(String id, String name, String arguments) {
        return new Block.Call(new ToolCall(id, name, arguments));
    }
}
