package dev.agentloop.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Block;
import dev.agentloop.message.Compaction;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a history is made shorter, by what, and what stays. */
class CompactingContextTest {
    private static final Truncation TRUNCATION = Truncation.fixed(2000, 80_000);
    private static final Summarizer NEVER =
            history -> {
                throw new AssertionError("the model was asked");
            };

    private final List<List<Message>> asked = new ArrayList<>();

    private static CompactingContext context(long tokens) {
        return new CompactingContext(TRUNCATION, new CompactingContext.Limits(tokens, 8, 4));
    }

    private Optional<String> sums(List<Message> history) {
        asked.add(history);
        return Optional.of("Read some files.");
    }

    /** Steps whose calls are long, so that leaving out results is not enough. */
    private static List<Message> talkative(int steps) {
        List<Message> history = new ArrayList<>(List.of(Histories.SYSTEM, Histories.TASK));
        for (int step = 1; step <= steps; step++) {
            Histories.add(history, step, 100);
            history.set(
                    history.size() - 2,
                    new Message.Assistant(
                            List.of(
                                    new Block.Text("I think. ".repeat(400)),
                                    new Block.Call(new ToolCall("c" + step, "read_file", "{}")))));
        }
        return history;
    }

    @Test
    @Tag("S0-31")
    @DisplayName("nothing is done up to 75 % of the window")
    void notBeforeThreeQuarters() {
        List<Message> history = Histories.steps(9, 4000);
        Prompt prompt = Histories.prompt(history);
        long tokens = context(0).tokens(prompt);

        assertSame(prompt.history(), context(tokens * 4 / 3 + 1).fit(prompt, NEVER).history());
        assertFalse(context(tokens * 4 / 3 - 1).fit(prompt, NEVER).done().isEmpty());
    }

    @Test
    @Tag("scenario-62")
    @DisplayName("old results are left out first: ids stay, the newest four intact")
    void clearsOldResultsFirst() {
        List<Message> history = Histories.steps(9, 4000);

        ContextManager.Fitted fitted = context(10_000).fit(Histories.prompt(history), NEVER);

        assertEquals(Compaction.By.CLEARING, fitted.done().getFirst().compaction().by());
        List<Message> sent = fitted.history();
        assertEquals(history.size(), sent.size());
        for (int i = 0; i < sent.size(); i++) {
            boolean old = i < history.size() - 8 && sent.get(i) instanceof Message.Tool;
            assertEquals(!old, sent.get(i).equals(history.get(i)), "message " + i);
            if (old && sent.get(i) instanceof Message.Tool(String id, ToolResult left)) {
                assertEquals(((Message.Tool) history.get(i)).callId(), id);
                assertTrue(left.text().contains("4000 characters"), left.text());
                assertTrue(left.truncated());
            }
        }
    }

    @Test
    @Tag("scenario-56")
    @DisplayName("nine steps over 75 %: system, first user, summary, the last four steps")
    void summarizes() {
        List<Message> history = talkative(9);

        ContextManager.Fitted fitted = context(11_000).fit(Histories.prompt(history), this::sums);

        Message summary =
                new Message.Assistant(
                        List.of(new Block.Text("[Summary of previous steps]\nRead some files.")));
        List<Message> expected =
                new ArrayList<>(List.of(Histories.SYSTEM, Histories.TASK, summary));
        expected.addAll(history.subList(history.size() - 8, history.size()));
        assertEquals(expected, fitted.history());
        assertEquals(List.of(history), asked); // the provider's cache knows all of it
    }

    @Test
    @Tag("A61")
    @DisplayName("a conversation of words alone is summed up as well; its newest replies stay")
    void wordsAlone() {
        List<Message> history = new ArrayList<>(List.of(Histories.SYSTEM, Histories.TASK));
        for (int i = 1; i <= 9; i++) {
            history.add(new Message.Assistant(List.of(new Block.Text("I think. ".repeat(400)))));
            history.add(new Message.User("And then? " + i));
        }

        ContextManager.Fitted fitted = context(10_000).fit(Histories.prompt(history), this::sums);

        assertEquals(Compaction.By.SUMMARY, fitted.done().getFirst().compaction().by());
        assertEquals(fitted.history(), fitted.done().getFirst().compaction().applyTo(history));
        List<Message> sent = fitted.history();
        assertEquals(history.subList(0, 2), sent.subList(0, 2));
        assertEquals(
                history.subList(history.size() - 8, history.size()),
                sent.subList(sent.size() - 8, sent.size()));
        assertEquals(2 + 5 + 1 + 8, sent.size()); // with what the user said in between
    }

    @Test
    @Tag("S0-34")
    @DisplayName("eight steps are not summed up, however full the window is")
    void notBeforeNineSteps() {
        assertEquals(List.of(), context(9_000).fit(Histories.prompt(talkative(8)), NEVER).done());
    }

    @Test
    @Tag("S0-32")
    @DisplayName("without a limit the number of steps decides; nothing is ever full")
    void withoutLimit() {
        CompactingContext context = context(0);
        Prompt nine = Histories.prompt(talkative(9));

        assertEquals(List.of(), context.fit(Histories.prompt(talkative(8)), NEVER).done());
        assertEquals(2 + 1 + 8, context.fit(nine, this::sums).history().size());
        assertFalse(context.isCriticallyFull(nine));
    }

    @Test
    @Tag("S0-38")
    @DisplayName("critically full is more than 95 % of the window; 0 is no limit")
    void criticallyFullIsMoreThan95Percent() {
        Prompt prompt = Histories.prompt(List.of(new Message.User("x".repeat(4 * 95 - 16))));

        assertFalse(context(100).isCriticallyFull(prompt));
        assertTrue(context(99).isCriticallyFull(prompt));
        assertFalse(context(0).isCriticallyFull(prompt));
    }

    @Test
    @Tag("scenario-57")
    @DisplayName("no summary from the model: a list of its tools and files stands in")
    void mechanicalSummary() {
        List<Message> history = talkative(9);
        FileChange change = new FileChange("src/Money.java", FileChange.Kind.MODIFIED, 1, 1);
        history.set(3, new Message.Tool("c1", ToolResult.ok("done").withChanges(List.of(change))));
        history.set(4, Histories.call("c2", "{\"file_path\":\"src/Rate.java\"}"));

        ContextManager.Fitted fitted =
                context(10_000).fit(Histories.prompt(history), _ -> Optional.empty());

        Compaction done = fitted.done().getFirst().compaction();
        assertEquals(Compaction.By.MECHANICAL, done.by());
        assertTrue(done.summary().contains("read_file (5)"), done.summary());
        assertTrue(done.summary().contains("Files changed: src/Money.java."), done.summary());
        assertTrue(done.summary().contains("looked at: src/Rate.java."), done.summary());
        assertTrue(done.summary().contains("Last words: I think."), done.summary());
    }

    @Test
    @Tag("A63")
    @DisplayName("a summary longer than what it replaces is rejected, the list is used")
    void longSummary() {
        String tooLong = "words ".repeat(10_000);

        ContextManager.Fitted fitted =
                context(10_000).fit(Histories.prompt(talkative(9)), _ -> Optional.of(tooLong));

        assertEquals(Compaction.By.MECHANICAL, fitted.done().getFirst().compaction().by());
    }

    @Test
    @DisplayName("A mechanical summary carries on what the one before it knew")
    void mechanicalAfterSummary() {
        CompactingContext context = context(10_000);
        List<Message> history =
                new ArrayList<>(context.fit(Histories.prompt(talkative(9)), this::sums).history());
        history.addAll(talkative(19).subList(2 + 2 * 9, 2 + 2 * 14));

        ContextManager.Fitted fitted =
                context.fit(Histories.prompt(history), _ -> Optional.empty());

        String summary = fitted.done().getFirst().compaction().summary();
        assertTrue(summary.startsWith("Read some files.\nTools called: read_file (5)"), summary);
    }

    @Test
    @Tag("scenario-61")
    @DisplayName("after three compactions the user's messages are there word by word")
    void usersWordsStay() {
        CompactingContext context = context(11_000);
        List<Message> history = talkative(4);
        List<Message> said = new ArrayList<>(List.of(Histories.TASK));
        for (int round = 1; round <= 3; round++) {
            Message more = new Message.User("And " + round + ": keep the sign.");
            said.add(more);
            history.add(more);
            history.addAll(talkative(20).subList(2 + 10 * round, 2 + 10 * round + 10));
            ContextManager.Fitted fitted = context.fit(Histories.prompt(history), this::sums);
            assertEquals(
                    Compaction.By.SUMMARY,
                    fitted.done().getFirst().compaction().by(),
                    "round " + round);
            history = new ArrayList<>(fitted.history());
        }

        assertEquals(said, history.stream().filter(it -> it instanceof Message.User).toList());
        assertEquals(said, history.subList(1, 1 + said.size()));
        Histories.assertLegal(history);
    }

    @Test
    @DisplayName("Of the user's messages those that fit a fifth of the window stay, and the first")
    void usersWordsHaveABudget() {
        List<Message> history = talkative(9);
        history.add(2, new Message.User("old " + "y".repeat(8_000)));
        history.add(3, new Message.User("new " + "y".repeat(4_000)));

        List<Message> sent = context(12_000).fit(Histories.prompt(history), this::sums).history();

        assertEquals(Histories.TASK, sent.get(1));
        assertEquals(history.get(3), sent.get(2));
        assertFalse(sent.contains(history.get(2)));
    }

    @Test
    @Tag("S0-37")
    @DisplayName("when all else is not enough, the oldest steps go, each whole")
    void dropsOldSteps() {
        List<Message> history = talkative(4);
        history.add(2, new Message.User("Mind the sign."));
        String tooLong = "words ".repeat(10_000);
        List<ContextStrategy> window = List.of(new DropOldSteps());
        CompactingContext context = new CompactingContext(TRUNCATION, 3_900, window);

        ContextManager.Fitted fitted =
                context.fit(Histories.prompt(history), _ -> Optional.of(tooLong));

        assertEquals(Compaction.By.WINDOW, fitted.done().getFirst().compaction().by());
        List<Message> expected = new ArrayList<>(history.subList(0, 3));
        expected.addAll(history.subList(history.size() - 4, history.size()));
        assertEquals(expected, fitted.history());
        assertFalse(context.isCriticallyFull(Histories.prompt(fitted.history())));
    }

    @Test
    @DisplayName("A critically full window is worth a summary of fewer steps, too")
    void urgentSummary() {
        List<Message> history = talkative(3);

        ContextManager.Fitted fitted = context(2_900).fit(Histories.prompt(history), this::sums);

        assertEquals(Compaction.By.MECHANICAL, fitted.done().getFirst().compaction().by());
        assertEquals(List.of(), asked); // such a request would have been refused
        assertEquals(history.subList(4, 8), fitted.history().subList(3, fitted.history().size()));
    }

    @Test
    @Tag("scenario-58")
    @DisplayName("after a huge result compaction comes first; full is what still is")
    void hugeResult() {
        CompactingContext context = context(10_000);
        List<Message> history = Histories.steps(5, 2000);
        Histories.add(history, 6, 30_000);

        List<Message> sent = context.fit(Histories.prompt(history), this::sums).history();
        assertFalse(context.isCriticallyFull(Histories.prompt(sent)));
        assertEquals(history.getLast(), sent.getLast());

        Histories.add(history, 7, 50_000);
        sent = context.fit(Histories.prompt(history), this::sums).history();
        assertTrue(context.isCriticallyFull(Histories.prompt(sent)));
    }

    @Test
    @DisplayName("What would free next to nothing is not done again and again")
    void noCompactionLoop() {
        CompactingContext context =
                new CompactingContext(TRUNCATION, new CompactingContext.Limits(10_000, 0, 4));
        List<Message> history = Histories.steps(4, 7_800); // what stays fills the window already
        int compactions = 0;
        for (int step = 5; step <= 30; step++) {
            Histories.add(history, step, step % 2 == 0 ? 7_000 : 100);
            var fitted = context.fit(Histories.prompt(history), this::sums);
            compactions += fitted.done().isEmpty() ? 0 : 1;
            history = new ArrayList<>(fitted.history());
        }

        assertTrue(compactions <= 26 / 2, compactions + " compactions");
    }

    @ParameterizedTest(
            name =
                    "E13: usage tells that the estimate is off by {0} %: no early compaction, none late")
    @ValueSource(ints = {-40, 40})
    void calibration(int percent) {
        CompactingContext context = context(100_000);
        List<Message> history = new ArrayList<>(List.of(Histories.SYSTEM, Histories.TASK));
        long largest = 0;
        for (int step = 1; step <= 400; step++) {
            Histories.add(history, step, 7_900);
            Prompt prompt = Histories.prompt(history);
            long real = real(prompt, context, percent);
            ContextManager.Fitted fitted = context.fit(prompt, this::sums);
            if (!fitted.done().isEmpty()) {
                assertTrue(real > 74_000, "too early, at " + real);
            }
            history = new ArrayList<>(fitted.history());
            Prompt sent = Histories.prompt(history);
            real = real(sent, context, percent);
            largest = Math.max(largest, real);
            context.learn(sent.model(), context.estimate(sent), real);
        }

        assertTrue(largest > 70_000 && largest < 80_000, "largest prompt " + largest);
    }

    private static long real(Prompt prompt, CompactingContext context, int percent) {
        return context.estimate(prompt) * (100 + percent) / 100;
    }

    @Test
    @Tag("E13")
    @DisplayName("what else a request holds counts, too: instructions and declared tools")
    void besides() {
        List<Message> history = Histories.steps(9, 4000);
        long tokens = context(0).tokens(Histories.prompt(history));
        CompactingContext context = context(tokens * 2);

        assertEquals(List.of(), context.fit(Histories.prompt(history), NEVER).done());
        Prompt withTools = new Prompt(history, tokens, "test/model");
        assertFalse(context.fit(withTools, this::sums).done().isEmpty());
    }

    @Test
    @Tag("E13")
    @DisplayName("a server that counts nonsense is not believed; each model has its own ratio")
    void nonsense() {
        CompactingContext context = context(100_000);
        Prompt prompt = Histories.prompt(Histories.steps(20, 7_900));
        context.learn("test/model", context.estimate(prompt), 1);
        assertEquals(context.estimate(prompt), context.tokens(prompt) * 2, 1);
        context.learn("test/model", context.estimate(prompt), 0);
        assertEquals(context.estimate(prompt), context.tokens(prompt) * 2, 1);

        Prompt other = new Prompt(prompt.history(), 0, "test/other");
        assertEquals(context.estimate(other), context.tokens(other));
    }

    @Test
    @DisplayName("Somebody who wants a summary gets one, also of few steps in an empty window")
    void wanted() {
        List<Message> history = Histories.steps(2, 4_000);

        List<Message> sent =
                context(100_000).compact(Histories.prompt(history), this::sums).history();

        assertEquals(5, sent.size());
        assertEquals(history.subList(4, 6), sent.subList(3, 5));
        assertEquals(List.of(), context(100_000).compact(Histories.prompt(sent), NEVER).done());
    }
}
