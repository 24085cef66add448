package dev.agentloop.context;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.message.Message;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How long a result may be, and which long ones are left out later. */
class LongResultsTest {
    @Test
    @DisplayName("of old results the long ones go; what is short stays, and all of the newest four")
    void longResultsAreClearedFirst() {
        List<Message> history = new ArrayList<>(List.of(Histories.SYSTEM, Histories.TASK));
        for (int step = 1; step <= 12; step++) {
            Histories.add(history, step, step % 2 == 1 ? 6_000 : 400);
        }
        ContextManager.Fitted fitted =
                new CompactingContext(
                                Truncation.fixed(2000, 80_000),
                                new CompactingContext.Limits(12_000, 8, 4))
                        .fit(
                                Histories.prompt(history),
                                _ -> {
                                    throw new AssertionError("the model was asked");
                                });

        List<Integer> lengths =
                fitted.history().stream()
                        .filter(Message.Tool.class::isInstance)
                        .map(message -> ((Message.Tool) message).result().text().length())
                        .toList();
        for (int i = 0; i < 12; i++) {
            boolean cleared = i < 8 && i % 2 == 0;
            int length = lengths.get(i);
            assertEquals(cleared, length < 200, i + ": " + length);
        }
        assertEquals(4_000, fitted.done().getFirst().compaction().least());
    }

    @Test
    @DisplayName(
            "a result may have a sixteenth of the window, and less in a run of long ones alone")
    void theShareOfAResultFollowsTheWindow() {
        Truncation byWindow = Truncation.byWindow(80_000);
        CompactingContext.Limits wide = new CompactingContext.Limits(200_000, 8, 4);
        CompactingContext context = new CompactingContext(byWindow, wide);
        assertEquals(50_000, context.resultChars(1));
        assertEquals(19_000, context.resultChars(4));
        assertEquals(
                8_000,
                new CompactingContext(byWindow, new CompactingContext.Limits(16_000, 8, 4))
                        .resultChars(1));

        ResultPace pace = new ResultPace(100_000, 75_000);
        assertEquals(25_000, pace.chars());
        pace.startAnew();
        pace.step(15_000);
        assertEquals(8_000, pace.chars());
        pace.step(15_000);
        pace.step(15_000);
        assertEquals(24_000, pace.chars(), "what short results have left is for a long one");
        pace.step(70_000);
        assertEquals(6_000, pace.chars());
    }
}
