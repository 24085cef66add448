package dev.agentloop.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Block;
import dev.agentloop.message.Compaction;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenEstimateTest {
    private static final Image IMAGE = new Image("image/png", "iVBORw0KGgo=");

    private static long of(Message message) {
        return TokenEstimate.of(List.of(message));
    }

    private static long reasoning(String text, String provenance) {
        return of(new Message.Assistant(List.of(new Block.Reasoning(text, provenance))));
    }

    @Test
    void anImageCountsAsMuchAsTheLargestOne() {
        long words = of(new Message.User("look"));

        assertEquals(words + 2 * 1600, of(new Message.User("look", List.of(IMAGE, IMAGE))));
    }

    @Test
    void anImageOfAResultCountsTooAndIsLeftOutWithIt() {
        ToolResult seen = ToolResult.ok("look").withImages(List.of(IMAGE));
        List<Message> history =
                List.of(
                        new Message.System("s"),
                        new Message.User("u"),
                        new Message.Assistant(
                                List.of(new Block.Call(new ToolCall("1", "t", "{}")))),
                        new Message.Tool("1", seen),
                        new Message.Assistant(
                                List.of(new Block.Call(new ToolCall("2", "t", "{}")))),
                        new Message.Tool("2", ToolResult.ok("x")));
        List<Message> sent = Compaction.clearing("2").applyTo(history);

        assertTrue(TokenEstimate.of(history) > 1600);
        assertTrue(TokenEstimate.of(sent) < 100);
        Message.Tool left = (Message.Tool) sent.get(3);
        assertEquals(List.of(), left.result().images());
        assertTrue(left.result().text().contains("4 characters and an image"), "" + left);
    }

    @Test
    void reasoningCountsByItsBytes() {
        assertEquals(4 + 100, reasoning("a".repeat(400), ""));
        assertEquals(4 + 300, reasoning("\u2192".repeat(400), ""));
    }

    @Test
    void hiddenReasoningCountsByWhatGoesBackInItsPlace() {
        assertEquals(4 + 500, reasoning("", "x".repeat(2000)));
        assertTrue(reasoning("short", "x".repeat(2000)) >= 500);
    }
}
