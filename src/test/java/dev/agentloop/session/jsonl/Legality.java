package dev.agentloop.session.jsonl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import java.util.HashSet;
import java.util.List;

/** What every provider demands of a history. */
public final class Legality {
    private Legality() {}

    public static void check(List<Message> history) {
        assertInstanceOf(Message.System.class, history.getFirst());
        for (int i = 1; i < history.size(); i++) {
            if (history.get(i) instanceof Message.Assistant reply) {
                i += checkReply(reply, history.subList(i + 1, history.size()));
            } else {
                assertInstanceOf(Message.User.class, history.get(i), "only users speak unasked");
            }
        }
    }

    /** Returns how many results belong to the reply. */
    private static int checkReply(Message.Assistant reply, List<Message> rest) {
        List<ToolCall> calls = reply.toolCalls();
        assertFalse(calls.isEmpty() && reply.text().isBlank(), "an empty reply");
        assertEquals(calls.size(), new HashSet<>(calls.stream().map(ToolCall::id).toList()).size());
        assertTrue(rest.size() >= calls.size(), "results are missing");
        for (int i = 0; i < calls.size(); i++) {
            Message.Tool result = assertInstanceOf(Message.Tool.class, rest.get(i));
            assertEquals(calls.get(i).id(), result.callId());
        }
        return calls.size();
    }
}
