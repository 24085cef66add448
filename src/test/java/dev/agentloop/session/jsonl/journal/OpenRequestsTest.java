package dev.agentloop.session.jsonl.journal;

import static dev.agentloop.session.jsonl.Records.calls;
import static dev.agentloop.session.jsonl.Records.intent;
import static dev.agentloop.session.jsonl.Records.user;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.Usage;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.jsonl.Records;
import dev.agentloop.session.jsonl.StoreFixture;
import dev.agentloop.subagent.ChildJournal;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests of several agents in one session that was cut off. */
class OpenRequestsTest {
    @TempDir Path temp;
    private StoreFixture fixture;

    @BeforeEach
    void store() {
        fixture = StoreFixture.in(temp);
    }

    @Test
    @Tag("E20")
    @DisplayName("of several agents each request counts that was not answered, in any order")
    void lostRepliesOfSeveralAgents() throws Exception {
        String id =
                fixture.saved(
                        Records.OPENED,
                        user("go"),
                        sentBy("a", "0.25"),
                        sentBy("b", "0.50"),
                        sentBy("c", "1"),
                        new JournalRecord.Replied(
                                new Message.Assistant(List.of(new Block.Text("x"))),
                                "stop",
                                new Usage(7, 3, 0, 0, 0, false),
                                "0.01",
                                "subagent",
                                "",
                                "b"));
        SavedSession once = fixture.reopened(id);
        assertEquals(2 * 1000 + 10, once.usage().total());
        assertEquals(new BigDecimal("1.26"), once.usd());
        assertEquals(
                "2 requests were cut off before their replies were kept; the most they can have"
                        + " used counts as used: $1.25, 2000 tokens.",
                once.notes().getFirst());
        assertEquals(new BigDecimal("1.26"), fixture.reopened(id).usd(), "not once more");
    }

    @Test
    @DisplayName("resume: a sub-agent that has asked its model is not started again by itself")
    void dispatchesAreNotRepeated() throws Exception {
        Journal journal = fixture.store().create();
        journal.append(List.of(Records.OPENED, user("go"), calls("a", "b")), false);
        journal.append(List.of(intent("a", "PURE"), intent("b", "PURE")), false);
        new ChildJournal(journal, "a").append(List.of(new JournalRecord.RequestSent(1, 10)), false);
        journal.close();

        SavedSession session = fixture.store().read(journal.sessionId());
        assertEquals(List.of("a"), session.unresolved());
        assertEquals(List.of("b"), session.again().stream().map(ToolCall::id).toList());
    }

    private static JournalRecord sentBy(String call, String usd) {
        return new JournalRecord.RequestSent(
                0, 10, null, new JournalRecord.Reserved(900, 100, usd), call);
    }
}
