package dev.agentloop.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A text that was cut before is cut again. */
class CutTextTest {
    private static final Pattern MARK =
            Pattern.compile("\\[\\.\\.\\. (\\d+) lines omitted \\.\\.\\.] of (\\d+)");

    @ParameterizedTest
    @DisplayName("wherever the former mark stands, no two marks touch, and the lines add up")
    @ValueSource(ints = {1, 13, 20, 21, 22, 40, 60, 98})
    void oneMark(int at) {
        String line = "x".repeat(1_499) + "\n";
        String text =
                IntStream.range(0, 100)
                        .mapToObj(i -> i == at ? CutText.gap(50, 75_000) + "\n" : line)
                        .collect(Collectors.joining());

        for (int limit = 20_000; limit <= 60_000; limit += 700) {
            String cut = new CutText(text).toLimit(limit);
            Matcher mark = MARK.matcher(cut);
            assertTrue(mark.find(), cut);
            long kept = cut.lines().filter(each -> each.endsWith("x")).count();
            long before = cut.contains("[... 50 lines omitted ...] (") ? 50 : 0;
            assertEquals(149, kept + before + Long.parseLong(mark.group(1)), "limit " + limit);
            assertEquals("149", mark.group(2));
            assertFalse(cut.matches("(?s).*omitted [^\\n]*\\n\\[\\.{3} .*"), "two marks touch");
        }
    }
}
