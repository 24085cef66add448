package dev.agentloop.llm.decorator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class FailoverLlmTest {
    private static final Message.Assistant THOUGHT =
            new Message.Assistant(
                    List.of(
                            new Block.Reasoning("hm", "{\"encrypted_content\":\"of A\"}"),
                            new Block.Text("So.")));

    private final List<List<Message>> asked = new ArrayList<>();

    private LlmAdapter model(String name, boolean up) {
        return new LlmAdapter() {
            @Override
            public LlmResponse complete(
                    LlmRequest request, LlmListener listener, Cancellation cancellation) {
                if (!up) {
                    throw new LlmException.Unavailable("down", null, null);
                }
                asked.add(request.messages());
                return new LlmResponse(THOUGHT, FinishReason.END_TURN, Usage.NONE, Set.of(), "");
            }

            @Override
            public ModelInfo model() {
                return new ModelInfo(name, "m", 0, 0);
            }
        };
    }

    @Test
    @DisplayName("the hidden reasoning of one model never reaches the next, whose own goes back")
    void reasoningStaysWithItsModel() {
        try (FailoverLlm llm =
                new FailoverLlm(model("a", false), List.of(() -> model("b", true)))) {
            List<Message> history = new ArrayList<>(List.of(new Message.User("go"), THOUGHT));
            ask(llm, history);
            Message.Assistant own = new Message.Assistant(THOUGHT.blocks());
            history.add(own);
            ask(llm, history);
        }

        Message.Assistant bare = new Message.Assistant(List.of(new Block.Text("So.")));
        assertEquals(bare, asked.get(0).get(1));
        assertSame(asked.get(0).get(1), asked.get(1).get(1), "else each request is written anew");
        assertEquals(THOUGHT, asked.get(1).get(2));
    }

    @Test
    @DisplayName("a reply that is nothing without its hidden part is left out for the next model")
    void nothingElseIsNothing() {
        Block hidden = new Block.Reasoning("", "{\"anthropic\":{\"type\":\"compaction\"}}");
        try (FailoverLlm llm =
                new FailoverLlm(model("a", false), List.of(() -> model("b", true)))) {
            Message go = new Message.User("go");
            ask(llm, List.of(go, new Message.Assistant(List.of(hidden))));

            assertEquals(List.of(go), asked.get(0));
        }
    }

    private static void ask(FailoverLlm llm, List<Message> history) {
        llm.complete(
                new LlmRequest(List.copyOf(history), List.of(), true, 0, true),
                LlmListener.NONE,
                new Cancellation());
    }
}
