package dev.agentloop.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class TruncationTest {
    private static final Truncation SEED = new Truncation(2000, 80_000);

    @Test
    @DisplayName(
            "Scenario 55: of 200 long lines the first 40 and the last 20 stay, 140 are missing")
    void linesInTheMiddleAreLeftOut() {
        ToolResult result = SEED.apply(ToolResult.ok(lines(200, 60)), 1);

        List<String> kept = result.text().lines().toList();
        assertEquals(61, kept.size());
        assertEquals("[... 140 lines omitted ...]", kept.get(40));
        assertTrue(kept.get(39).startsWith("40 "));
        assertTrue(kept.get(41).startsWith("181 "));
        assertTrue(result.truncated());
    }

    @Test
    void aResultWithinTheLimitIsTheSame() {
        ToolResult result = ToolResult.ok(lines(200, 10));

        assertSame(result, SEED.apply(result, 1));
    }

    @Test
    @DisplayName("S0-33: a limit of 0 tokens never cuts by itself")
    void zeroDisablesTheLimit() {
        ToolResult result = ToolResult.ok(lines(200, 60));

        assertSame(result, new Truncation(0, 0).apply(result, 1));
    }

    @Test
    void oneVeryLongLineIsCutByCharacters() {
        ToolResult result = SEED.apply(ToolResult.ok("x".repeat(100_000)), 1);

        assertTrue(result.text().length() < 8_200);
        assertTrue(result.text().contains("of 100000 characters omitted"));
    }

    @Test
    void aSurrogatePairIsNeverSplit() {
        String text = SEED.apply(ToolResult.ok("x" + "😀".repeat(50_000)), 1).text();

        assertFalse(text.chars().anyMatch(c -> c == '?'));
        assertEquals(
                text,
                new String(
                        text.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                        java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("Scenario 75: results of one step share a budget")
    void resultsOfOneStepShareABudget() {
        Truncation shared = new Truncation(0, 80_000);

        assertTrue(shared.apply(ToolResult.ok("x".repeat(90_000)), 3).text().length() < 26_800);
    }

    @Test
    @DisplayName("S0-39: characters of the contents plus 16 a message, over 4")
    void theEstimateFollowsTheSeed() {
        List<Message> history =
                List.of(
                        new Message.System("12345678"),
                        new Message.Assistant(
                                List.of(new Block.Call(new ToolCall("id", "abcd", "{\"a\":1}")))));

        assertEquals((8 + 16 + 4 + 7 + 16) / 4, TokenEstimate.of(history));
    }

    @Test
    @DisplayName("S0-38: critically full is more than 95 % of the window; 0 is no limit")
    void criticallyFullIsMoreThan95Percent() {
        List<Message> history = List.of(new Message.User("x".repeat(4 * 95 - 16)));

        assertFalse(new TruncatingContext(SEED, 100).isCriticallyFull(history));
        assertTrue(new TruncatingContext(SEED, 99).isCriticallyFull(history));
        assertFalse(new TruncatingContext(SEED, 0).isCriticallyFull(history));
    }

    private static String lines(int count, int width) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> i + " " + "y".repeat(width))
                .collect(Collectors.joining("\n"));
    }
}
