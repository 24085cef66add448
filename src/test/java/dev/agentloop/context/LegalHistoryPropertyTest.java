package dev.agentloop.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a history is like, what is sent of it is one that strict providers accept. */
final class LegalHistoryPropertyTest {
    private static final int HISTORIES = 200;

    @ParameterizedTest(
            name = "A64 what is sent is a legal history, also after it was too long, seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void fittedHistoriesAreLegal(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < HISTORIES; i++) {
            ContextManager context =
                    new TruncatingContext(
                            new Truncation(random.nextInt(60), random.nextInt(4000)),
                            random.nextInt(3000));
            List<Message> history = history(random, context);
            List<Message> sent = context.fit(List.copyOf(history));

            assertEquals(history.subList(0, 2), sent.subList(0, 2));
            assertLegal(sent);
            assertEquals(sent, context.fit(sent));
            assertTrue(context.estimate(sent) <= context.estimate(history));
            assertRoomIsMade(context, history);
        }
    }

    /** Less and less is sent until nothing more can be given up; what was sent only grows. */
    private static void assertRoomIsMade(ContextManager context, List<Message> history) {
        long before = context.estimate(history);
        for (int i = 0; i < 2 && context.makeRoom(history); i++) {
            long after = context.estimate(history);
            assertTrue(after < before, () -> "not less: " + after);
            before = after;
        }
        assertFalse(context.makeRoom(history));
        List<Message> sent = context.fit(history);
        assertLegal(sent);
        assertEquals(words(history), words(sent));
        List<Message> longer = new ArrayList<>(history);
        longer.add(new Message.User("more"));
        assertEquals(sent, context.fit(longer).subList(0, sent.size()));
        List<Message> successor = new ArrayList<>(history);
        successor.set(0, new Message.System("Another agent."));
        assertEquals(words(successor), words(context.fit(successor)));
        assertEquals(sent.subList(1, sent.size()), context.fit(successor).subList(1, sent.size()));
        assertEquals(TokenEstimate.of(context.fit(successor)), context.estimate(successor));
        List<Message> another = List.of(new Message.System("s"), new Message.User("u"));
        assertEquals(another, context.fit(another));
    }

    /** All but the results of tools. */
    private static List<Message> words(List<Message> history) {
        return history.stream().filter(said -> !(said instanceof Message.Tool)).toList();
    }

    /** Roles in their order; each call has exactly one result, right behind its message. */
    private static void assertLegal(List<Message> sent) {
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

    /** As the loop makes one: results are shortened when they enter it. */
    private static List<Message> history(Random random, ContextManager context) {
        List<Message> history = new ArrayList<>();
        history.add(new Message.System("Be careful."));
        history.add(new Message.User("the task " + random.nextInt()));
        int steps = random.nextInt(12);
        for (int step = 0; step < steps; step++) {
            int calls = random.nextInt(4);
            List<Block> blocks = new ArrayList<>();
            blocks.add(new Block.Text(words(random)));
            for (int call = 0; call < calls; call++) {
                blocks.add(new Block.Call(new ToolCall(step + "_" + call, "read_file", "{}")));
            }
            history.add(new Message.Assistant(blocks));
            for (int call = 0; call < calls; call++) {
                ToolResult result = ToolResult.ok(words(random));
                history.add(
                        new Message.Tool(
                                step + "_" + call, context.shorten(result, words(random), calls)));
            }
            if (calls == 0) {
                history.add(new Message.User("go on"));
            }
        }
        return history;
    }

    private static String words(Random random) {
        return "wörd 😀\n".repeat(random.nextInt(200)) + "x".repeat(random.nextInt(500));
    }
}
