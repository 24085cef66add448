package dev.agentloop.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class WholeRepliesTest {
    private final List<AgentEvent> heard = new ArrayList<>();
    private final WholeReplies whole = new WholeReplies(heard::add);

    @Test
    @Tag("S0-55")
    @DisplayName("the text of a reply comes in one piece, right before its end")
    void oneReplyIsOnePiece() {
        AgentEvent.LlmResponded end = responded(null);
        whole.emit(new AgentEvent.TextDelta("First "));
        whole.emit(new AgentEvent.ThinkingDelta("hm"));
        whole.emit(new AgentEvent.TextDelta("this."));
        whole.emit(end);
        whole.emit(end);

        assertEquals(
                List.of(
                        new AgentEvent.ThinkingDelta("hm"),
                        new AgentEvent.TextDelta("First this."),
                        end,
                        end),
                heard);
    }

    @Test
    @Tag("A28")
    @DisplayName("what nobody has seen is not said to be withdrawn")
    void withdrawnTextWasNeverShown() {
        AgentEvent.LlmResponded end = responded(null);
        whole.emit(new AgentEvent.TextDelta("Half of"));
        whole.emit(new AgentEvent.LlmRetried(1, Duration.ZERO, "broken_reply", "cut", true));
        whole.emit(new AgentEvent.TextDelta("All of it."));
        whole.emit(end);

        assertEquals(
                List.of(
                        new AgentEvent.LlmRetried(1, Duration.ZERO, "broken_reply", "cut", false),
                        new AgentEvent.TextDelta("All of it."),
                        end),
                heard);
    }

    @Test
    @DisplayName("what came of a reply that broke off is not lost")
    void whatBrokeOffIsPassedOn() {
        AgentEvent.LlmResponded end = responded("cancelled");
        whole.emit(new AgentEvent.TextDelta("Half of"));
        whole.emit(end);

        assertEquals(List.of(new AgentEvent.TextDelta("Half of"), end), heard);
    }

    private static AgentEvent.LlmResponded responded(@Nullable String error) {
        return new AgentEvent.LlmResponded(1, "", 0, "end_turn", Duration.ZERO, error);
    }
}
