package dev.agentloop.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a history is like, what is sent of it is one that strict providers accept. */
final class LegalHistoryPropertyTest {
    private static final int HISTORIES = 200;

    @ParameterizedTest(
            name = "A64 what is sent is a legal history, also after any compaction, seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void fittedHistoriesAreLegal(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < HISTORIES; i++) {
            ContextManager context =
                    new CompactingContext(
                            Truncation.fixed(random.nextInt(60), random.nextInt(4000)),
                            new CompactingContext.Limits(
                                    random.nextInt(3000),
                                    random.nextInt(10),
                                    1 + random.nextInt(5)));
            List<Message> history = history(random, context);
            Summarizer model = model(random);
            Prompt prompt = new Prompt(history, random.nextInt(100), "test/model");

            assertShorter(context, prompt, context.fit(prompt, model));
            assertShorter(context, prompt, context.compact(prompt, model));
            assertRoomIsMade(context, prompt, model);
        }
    }

    private static void assertShorter(
            ContextManager context, Prompt prompt, ContextManager.Fitted fitted) {
        List<Message> before = prompt.history();
        List<Message> sent = fitted.history();
        assertEquals(before.subList(0, 2), sent.subList(0, 2));
        Histories.assertLegal(sent);
        Prompt shorter = new Prompt(sent, prompt.besides(), prompt.model());
        assertTrue(context.tokens(shorter) <= context.tokens(prompt));
        assertEquals(fitted.done().isEmpty(), sent.equals(before));
        List<Message> again = before;
        for (ContextManager.Done done : fitted.done()) {
            assertTrue(done.after() < done.before(), done::toString);
            again = done.compaction().applyTo(again);
        }
        assertEquals(sent, again);
        Message last = before.getLast();
        assertSame(last, sent.getLast()); // the model has not seen the newest step
    }

    /** Less and less is sent until nothing more can be given up. */
    private static void assertRoomIsMade(ContextManager context, Prompt prompt, Summarizer model) {
        Prompt now = prompt;
        ContextManager.Fitted fitted = context.makeRoom(now, model);
        for (int i = 0; i < 20 && !fitted.done().isEmpty(); i++) {
            assertShorter(context, now, fitted);
            now = new Prompt(fitted.history(), prompt.besides(), prompt.model());
            fitted = context.makeRoom(now, model);
        }
        assertEquals(List.of(), fitted.done());
        Steps left = Steps.of(now.history());
        assertTrue(
                left.count() <= 1
                        || now.history().equals(prompt.history())
                        || givable(left) * 10 < context.tokens(now) + 10);
    }

    /** Tokens of what could go besides: replies and results before the newest step. */
    private static long givable(Steps steps) {
        return TokenEstimate.of(
                steps.before(1).stream()
                        .filter(it -> it instanceof Message.Assistant || it instanceof Message.Tool)
                        .filter(it -> SpokenWords.summary(List.of(it)).isEmpty())
                        .toList());
    }

    /** One that sums up, or fails, or talks too much. */
    private static Summarizer model(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> _ -> Optional.of("They looked at files.");
            case 1 -> _ -> Optional.empty();
            default -> _ -> Optional.of("words ".repeat(2000));
        };
    }

    /** As the loop makes one: results are shortened when they enter it. */
    private static List<Message> history(Random random, ContextManager context) {
        List<Message> history = new ArrayList<>();
        history.add(new Message.System("Be careful."));
        history.add(new Message.User("the task " + random.nextInt()));
        int steps = random.nextInt(14);
        for (int step = 0; step < steps; step++) {
            int calls = random.nextInt(4);
            List<Block> blocks = new ArrayList<>();
            if (random.nextBoolean()) {
                blocks.add(new Block.Reasoning(words(random), "{}"));
            }
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
        return List.copyOf(history);
    }

    private static String words(Random random) {
        return "wörd 😀\n".repeat(random.nextInt(200)) + "x".repeat(random.nextInt(500));
    }
}
