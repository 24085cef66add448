package dev.agentloop.session.jsonl;

import static dev.agentloop.session.jsonl.Records.answer;
import static dev.agentloop.session.jsonl.Records.calls;
import static dev.agentloop.session.jsonl.Records.user;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Block;
import dev.agentloop.message.Compaction;
import dev.agentloop.message.Message;
import dev.agentloop.session.EarlierHistory;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Journals of sessions whose histories were made shorter. */
class CompactionFoldTest {
    @TempDir Path temp;
    private StoreFixture fixture;

    @BeforeEach
    void store() {
        fixture = StoreFixture.in(temp);
    }

    @Test
    @Tag("C22")
    @DisplayName("after a compaction the shorter history is sent, the transcript has it all")
    void compactions() throws Exception {
        Compaction summary = new Compaction(Compaction.By.SUMMARY, "c", 1, "They looked at a, b.");
        String id =
                fixture.saved(
                        Records.OPENED,
                        user("Fix it"),
                        calls("a"),
                        answer("a", "x".repeat(500)),
                        user("Mind the sign"),
                        calls("b"),
                        answer("b", "text"),
                        new JournalRecord.Compacted(Compaction.clearing("b")),
                        calls("c"),
                        answer("c", "text"),
                        new JournalRecord.Compacted(summary),
                        calls("d"),
                        answer("d", "text"));
        SavedSession session = fixture.store().read(id);
        List<Message> all = session.transcript();
        assertEquals(11, all.size());
        assertEquals("x".repeat(500), ((Message.Tool) all.get(3)).result().text());
        List<Message> sent = new ArrayList<>(all.subList(0, 2));
        sent.add(all.get(4));
        sent.add(
                new Message.Assistant(
                        List.of(
                                new Block.Text(
                                        "[Summary of previous steps]\nThey looked at a, b."))));
        sent.addAll(all.subList(7, 11));
        assertEquals(sent, session.history());
    }

    @Test
    @Tag("C22")
    @DisplayName("back before a compaction, its messages are sent again")
    void rewoundCompaction() throws Exception {
        String id =
                fixture.saved(
                        Records.OPENED,
                        user("Fix it"),
                        calls("a"),
                        answer("a", "x".repeat(500)),
                        calls("b"),
                        answer("b", "text"),
                        new JournalRecord.Compacted(Compaction.clearing("b")),
                        calls("c"),
                        answer("c", "text"),
                        new JournalRecord.Rewound(1));
        SavedSession session = fixture.store().read(id);
        assertEquals(session.transcript(), session.history());
        assertEquals(4, session.history().size());
    }

    private static JournalRecord thought(String call) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Reasoning("hm " + call, "{}"));
        blocks.addAll(((JournalRecord.Replied) calls(call)).message().blocks());
        return Records.replied(blocks);
    }

    private static JournalRecord openedWith(String model) {
        return new JournalRecord.Opened("1.0", "/work/shop", model, "build", "You are careful.");
    }

    private SavedSession folded(List<JournalRecord> records) throws Exception {
        return fixture.store().read(fixture.saved(records.toArray(JournalRecord[]::new)));
    }

    private static long thoughts(List<Message> messages) {
        return messages.stream()
                .filter(Message.Assistant.class::isInstance)
                .flatMap(it -> ((Message.Assistant) it).blocks().stream())
                .filter(Block.Reasoning.class::isInstance)
                .count();
    }

    @Test
    @Tag("C43")
    @DisplayName("what another model thought is not sent again, also after a rewind")
    void anotherModel() throws Exception {
        List<JournalRecord> records =
                new ArrayList<>(
                        List.of(
                                openedWith("acme/model"),
                                user("Fix it"),
                                thought("a"),
                                answer("a", "text"),
                                thought("b"),
                                answer("b", "text"),
                                openedWith("acme/other"),
                                user("go on"),
                                thought("c"),
                                answer("c", "text")));
        SavedSession session = folded(records);
        assertEquals("acme/other", session.summary().model());
        assertEquals(1, thoughts(session.history()));
        assertEquals(3, thoughts(session.transcript()));

        records.add(new JournalRecord.Rewound(1));
        SavedSession rewound = folded(records);
        assertEquals(0, thoughts(rewound.history()));
        assertEquals(1, thoughts(rewound.transcript()));
    }

    @Test
    @Tag("C43")
    @DisplayName("a summary that only the server of another model reads is void")
    void sealedByAnother() throws Exception {
        SavedSession session =
                fixture.store()
                        .read(
                                fixture.saved(
                                        openedWith("acme/model"),
                                        user("Fix it"),
                                        calls("a"),
                                        answer("a", "text"),
                                        thought("b"),
                                        new JournalRecord.Compacted(Compaction.byServer(0)),
                                        answer("b", "text"),
                                        openedWith("acme/other"),
                                        user("go on"),
                                        calls("c"),
                                        answer("c", "text")));
        assertEquals(0, thoughts(session.history()));
        assertEquals(session.transcript().size(), session.history().size());
        assertFalse(session.sealed());
        assertEquals("acme/other", session.speaker());
    }

    @Test
    @Tag("C43")
    @DisplayName("another model that has not answered takes nothing from the one before")
    void silentModel() throws Exception {
        List<JournalRecord> records =
                new ArrayList<>(
                        List.of(
                                openedWith("acme/model"),
                                user("Fix it"),
                                calls("a"),
                                answer("a", "text"),
                                thought("b"),
                                new JournalRecord.Compacted(Compaction.byServer(0)),
                                answer("b", "text")));
        SavedSession before = folded(records);
        records.add(openedWith("acme/mistyped"));
        records.add(new JournalRecord.RequestSent(3, 90));
        SavedSession asked = folded(records);
        assertEquals("acme/mistyped", asked.summary().model());
        assertEquals("acme/model", asked.speaker());
        assertTrue(asked.sealed());
        assertEquals(before.history(), asked.history());
        assertEquals(before.history(), EarlierHistory.readable(asked, "acme/model"));
        assertEquals(0, thoughts(EarlierHistory.readable(asked, "acme/mistyped")));

        records.add(new JournalRecord.Compacted(Compaction.clearing("b")));
        records.add(
                new JournalRecord.Compacted(
                        new Compaction(Compaction.By.MECHANICAL, "b", 0, "They did a.")));
        assertEquals(before.history(), folded(records).history());

        records.add(new JournalRecord.Resumed(0, List.of()));
        records.add(openedWith("acme/model"));
        records.add(thought("c"));
        records.add(answer("c", "text"));
        SavedSession after = folded(records);
        assertEquals(2, thoughts(after.history()));
        assertTrue(after.sealed());
        assertEquals(before.history(), after.history().subList(0, before.history().size()));
    }

    @Test
    @DisplayName("a server belongs to the model that it was named for")
    void routes() throws Exception {
        JournalRecord.Routed own = new JournalRecord.Routed("http://gpu:8000/v1", "GPU_KEY");
        SavedSession session =
                fixture.store()
                        .read(
                                fixture.saved(
                                        openedWith("acme/model"),
                                        own,
                                        user("Fix it"),
                                        openedWith("acme/other"),
                                        user("go on")));
        assertEquals(own, session.route("acme/model"));
        assertEquals(JournalRecord.Routed.NOWHERE, session.route("acme/other"));
    }

    @Test
    @Tag("E13")
    @DisplayName("what the model counted, beside the estimate, is there after a resume")
    void measure() throws Exception {
        String id =
                fixture.saved(
                        Records.OPENED,
                        user("go"),
                        new JournalRecord.RequestSent(1, 90),
                        calls("a"),
                        answer("a", "text"),
                        new JournalRecord.RequestSent(2, 100));
        assertEquals(
                new SavedSession.Measure(90, Records.USAGE.prompt()),
                fixture.store().read(id).measure());
    }
}
