package dev.agentloop.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Block;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TruncationTest {
    private static final int WINDOW = 50_000; // characters that the widest one gives a result
    private static final Truncation BY_WINDOW = Truncation.byWindow(80_000);
    private static final Truncation SEED = Truncation.fixed(2000, 80_000);

    @Test
    @Tag("scenario-55")
    @DisplayName("of 200 long lines the first 40 and the last 20 stay, 140 are missing")
    void linesInTheMiddleAreLeftOut() {
        ToolResult result = SEED.apply(ToolResult.ok(lines(200, 60)), "", 1, WINDOW);

        List<String> kept = result.text().lines().toList();
        assertEquals(61, kept.size());
        assertEquals(
                "[... 140 lines omitted ...] of 200 (9041 of 12891 characters); ask for the part you need",
                kept.get(40));
        assertTrue(kept.get(39).startsWith("40 "));
        assertTrue(kept.get(41).startsWith("181 "));
        assertTrue(result.truncated());
    }

    @Test
    void aResultWithinTheLimitIsTheSame() {
        ToolResult result = ToolResult.ok(lines(200, 10));

        assertSame(result, SEED.apply(result, "", 1, WINDOW));
    }

    @Test
    @Tag("S0-33")
    @DisplayName("a limit of 0 tokens never cuts by itself")
    void zeroDisablesTheLimit() {
        ToolResult result = ToolResult.ok(lines(200, 60));

        assertSame(result, Truncation.fixed(0, 0).apply(result, "", 1, WINDOW));
    }

    @Test
    void oneVeryLongLineIsCutByCharacters() {
        ToolResult result = SEED.apply(ToolResult.ok("x".repeat(100_000)), "", 1, WINDOW);

        assertTrue(result.text().length() < 8_200);
        assertTrue(result.text().contains("of 100000 characters omitted"));
    }

    @Test
    void aSurrogatePairIsNeverSplit() {
        String text = SEED.apply(ToolResult.ok("x" + "😀".repeat(50_000)), "", 1, WINDOW).text();

        assertFalse(text.chars().anyMatch(c -> c == '?'));
        assertEquals(
                text,
                new String(
                        text.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                        java.nio.charset.StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 40, 70, 5000})
    @Tag("scenario-75")
    @DisplayName("three results of one step have 26,666 characters each, not one more")
    void resultsOfOneStepShareABudget(int lines) {
        Truncation shared = Truncation.fixed(0, 80_000);
        String text = "x".repeat(70_000) + "\n" + lines(lines, 30) + "y".repeat(20_000);

        ToolResult result = shared.apply(ToolResult.ok(text), "", 3, WINDOW);

        assertTrue(result.text().length() <= 26_666, () -> "" + result.text().length());
        assertTrue(result.text().contains(" of " + text.length() + " characters omitted"));
    }

    @Test
    @Tag("scenario-75")
    @DisplayName("what hooks add below a result is part of its share")
    void notesArePartOfTheShare() {
        String notes = "\n\n[Hook lint: FAILED exit 1]\n" + "n".repeat(4_000);

        ToolResult one = SEED.apply(ToolResult.ok("r".repeat(90_000)), notes, 3, WINDOW);
        ToolResult many = SEED.apply(ToolResult.ok("done"), notes.repeat(30), 20, WINDOW);

        assertTrue(one.text().endsWith(notes));
        assertTrue(one.text().length() <= 8_000 + notes.length());
        assertTrue(many.text().startsWith("done\n\n[Hook lint: FAILED exit 1]\n"));
        assertTrue(many.text().length() <= 4_000, () -> "" + many.text().length());
        assertTrue(many.truncated());
    }

    @Test
    @DisplayName("by the window: whole lines fill the limit, two thirds of them from the beginning")
    void wholeLinesFillTheLimit() {
        String text = lines(2_000, 60);
        ToolResult result = BY_WINDOW.apply(ToolResult.ok(text), "", 1, 16_000);

        List<String> kept = result.text().lines().toList();
        int mark =
                IntStream.range(0, kept.size()).filter(i -> kept.get(i).startsWith("[... ")).sum();
        assertTrue(result.text().length() <= 16_000, () -> "" + result.text().length());
        assertTrue(result.text().length() > 15_900, () -> "" + result.text().length());
        assertEquals(text.lines().limit(mark).toList(), kept.subList(0, mark));
        List<String> end = kept.subList(mark + 1, kept.size());
        assertEquals(text.lines().skip(2_000 - end.size()).toList(), end);
        assertEquals(2.0, (double) mark / end.size(), 0.2);
        assertTrue(
                kept.get(mark)
                        .matches(
                                "\\[\\.{3} %d lines omitted \\.{3}] of 2000 \\(\\d+ of %d characters\\).*"
                                        .formatted(2_000 - mark - end.size(), text.length())),
                () -> kept.get(mark));
    }

    @Test
    @DisplayName("by the window: never fewer than the first 40 and the last 20 lines, if they fit")
    void seedLinesStay() {
        String text = "x".repeat(150) + "\n" + lines(38, 150) + "\n" + lines(300, 10);
        List<String> kept =
                BY_WINDOW.apply(ToolResult.ok(text), "", 1, 8_000).text().lines().toList();

        assertEquals(text.lines().limit(40).toList(), kept.subList(0, 40));
        assertTrue(kept.size() > 61);
    }

    @Test
    @DisplayName("a limit is used up where lines are longer than it: 79,000 of 80,000 characters")
    void longLinesDoNotLeaveTheRoomEmpty() {
        String text = ("y".repeat(60_000) + "\n").repeat(3);
        String cut = Truncation.byWindow(80_000).apply(ToolResult.ok(text), "", 1, 80_000).text();

        assertTrue(cut.length() > 79_000 && cut.length() <= 80_000, () -> "" + cut.length());
    }

    @Test
    void imagesStayWhenTheTextIsCut() {
        ToolResult seen =
                ToolResult.ok("x".repeat(9_000))
                        .withImages(List.of(new Image("image/png", "AA==")));

        assertEquals(seen.images(), SEED.apply(seen, "", 1, WINDOW).images());
    }

    @Test
    @Tag("S0-39")
    @DisplayName("characters of the contents plus 16 a message, over 4")
    void theEstimateFollowsTheSeed() {
        List<Message> history =
                List.of(
                        new Message.System("12345678"),
                        new Message.Assistant(
                                List.of(new Block.Call(new ToolCall("id", "abcd", "{\"a\":1}")))));

        assertEquals((8 + 16 + 4 + 7 + 16) / 4, TokenEstimate.of(history));
    }

    private static String lines(int count, int width) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> i + " " + "y".repeat(width))
                .collect(Collectors.joining("\n"));
    }
}
