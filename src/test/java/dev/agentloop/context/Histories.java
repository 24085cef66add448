package dev.agentloop.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Histories as the loop makes them. */
final class Histories {
    static final Message SYSTEM = new Message.System("Be careful.");
    static final Message TASK = new Message.User("Fix the rounding.");

    private Histories() {}

    /** The task and so many steps of one call with a result of so many characters. */
    static List<Message> steps(int count, int characters) {
        List<Message> history = new ArrayList<>(List.of(SYSTEM, TASK));
        for (int step = 1; step <= count; step++) {
            add(history, step, characters);
        }
        return history;
    }

    /** One more step. */
    static void add(List<Message> history, int step, int characters) {
        String path = "{\"file_path\":\"src/" + step + ".java\"}";
        history.add(call("c" + step, path));
        history.add(new Message.Tool("c" + step, ToolResult.ok("x".repeat(characters))));
    }

    static Message call(String id, String arguments) {
        return new Message.Assistant(
                List.of(new Block.Call(new ToolCall(id, "read_file", arguments))));
    }

    static Prompt prompt(List<Message> history) {
        return new Prompt(List.copyOf(history), 0, "test/model");
    }

    /** Roles in their order; each call has exactly one result, right behind its message. */
    static void assertLegal(List<Message> sent) {
        Set<String> open = new HashSet<>();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < sent.size(); i++) {
            switch (sent.get(i)) {
                case Message.System _ -> assertEquals(0, i);
                case Message.User _ -> assertEquals(Set.of(), open);
                case Message.Assistant said -> {
                    assertEquals(Set.of(), open);
                    assertTrue(!said.blocks().isEmpty());
                    for (ToolCall call : said.toolCalls()) {
                        assertTrue(seen.add(call.id()), call.id());
                        open.add(call.id());
                    }
                }
                case Message.Tool tool -> assertTrue(open.remove(tool.callId()), tool.callId());
            }
        }
        assertEquals(Set.of(), open);
    }
}
