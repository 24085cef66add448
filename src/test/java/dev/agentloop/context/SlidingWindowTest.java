package dev.agentloop.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SlidingWindowTest {
    private static final Truncation WHOLE = Truncation.fixed(0, 0);

    private static List<Message> history(int steps) {
        List<Message> history =
                new ArrayList<>(List.of(new Message.System("Be."), new Message.User("Go")));
        for (int i = 0; i < steps; i++) {
            addStep(history, i);
        }
        return history;
    }

    private static void addStep(List<Message> history, int number) {
        String id = "call_" + number;
        history.add(new Message.Assistant(List.of(new Block.Call(new ToolCall(id, "echo", "{}")))));
        history.add(new Message.Tool(id, ToolResult.ok("x".repeat(400))));
    }

    private static List<Message> fitted(SlidingWindow window, List<Message> history) {
        return window.fit(new Prompt(history, 0, "test/test"), _ -> Optional.empty()).history();
    }

    @Test
    @Tag("S2-4")
    @DisplayName("the newest messages stay, in whole steps, behind the first of the person")
    void theNewestMessagesStay() {
        var window = new SlidingWindow(WHOLE, 6, 100_000);

        assertEquals(history(2), fitted(window, history(2)));
        List<Message> shorter = fitted(window, history(10));
        assertEquals(history(10).subList(0, 2), shorter.subList(0, 2));
        assertEquals(history(10).subList(18, 22), shorter.subList(2, shorter.size()));
    }

    @Test
    @DisplayName("What the person said last stays, whatever was said before it")
    void whatThePersonSaidLastStays() {
        List<Message> history = history(3);
        history.add(new Message.Assistant(List.of(new Block.Text("Done."))));
        history.add(new Message.User("And now that."));
        addStep(history, 8);
        addStep(history, 9);

        List<Message> shorter = fitted(new SlidingWindow(WHOLE, 5, 0), history);

        assertTrue(shorter.contains(new Message.User("And now that.")), shorter::toString);
        assertEquals(
                history.subList(history.size() - 2, history.size()),
                shorter.subList(shorter.size() - 2, shorter.size()));
    }

    @Test
    void tokensCountAsWell() {
        var window = new SlidingWindow(WHOLE, 1000, 500);
        List<Message> shorter = fitted(window, history(20));

        assertTrue(window.tokens(new Prompt(shorter, 0, "test/test")) <= 500);
        assertTrue(shorter.size() > 4, shorter::toString);
        assertThrows(IllegalArgumentException.class, () -> new SlidingWindow(WHOLE, 1, 0));
    }
}
