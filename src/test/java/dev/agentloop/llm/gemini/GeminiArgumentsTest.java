package dev.agentloop.llm.gemini;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class GeminiArgumentsTest {
    private static JsonValue piece(String members) {
        try {
            return Json.parse("{" + members + "}");
        } catch (JsonException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void textInPiecesIsJoinedUntilItEndsOrAnotherValueComes() {
        GeminiArguments arguments = new GeminiArguments();
        for (String members :
                new String[] {
                    "\"jsonPath\":\"$.a\",\"stringValue\":\"on\",\"willContinue\":true",
                    "\"jsonPath\":\"$.a\",\"willContinue\":true",
                    "\"jsonPath\":\"$.a\",\"stringValue\":\"e\"",
                    "\"jsonPath\":\"$.b\",\"stringValue\":\"tw\",\"willContinue\":true",
                    "\"jsonPath\":\"$.c[0]\",\"numberValue\":3",
                    "\"jsonPath\":\"$.b\",\"stringValue\":\"new\",\"willContinue\":true",
                    "\"jsonPath\":\"$.b\",\"numberValue\":4,\"willContinue\":true",
                    "\"jsonPath\":\"$.b\",\"stringValue\":\"last\",\"willContinue\":true",
                }) {
            arguments.take(piece(members));
        }

        assertEquals("{\"a\":\"one\",\"b\":\"last\",\"c\":[3]}", arguments.text());
        assertEquals(arguments.text(), arguments.text());
    }

    /** Linear is five times as much, quadratic twenty-five times. */
    @Test
    void fiveTimesThePiecesAreNotTwentyFiveTimesTheCopies() {
        allocated(20_000); // classes and tables that only the first use needs
        long few = allocated(20_000);
        long many = allocated(100_000);

        assertTrue(many < 10 * few, few + " bytes, then " + many);
    }

    private static long allocated(int pieces) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        JsonValue piece =
                piece("\"jsonPath\":\"$.a\",\"stringValue\":\"0123456789\",\"willContinue\":true");
        GeminiArguments arguments = new GeminiArguments();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < pieces; i++) {
            arguments.take(piece);
        }
        int length = arguments.text().length();
        long after = threads.getCurrentThreadAllocatedBytes();
        assertEquals(10L * pieces + "{\"a\":\"\"}".length(), length);
        return after - before;
    }
}
