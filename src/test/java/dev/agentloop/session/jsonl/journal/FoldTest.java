package dev.agentloop.session.jsonl.journal;

import static dev.agentloop.session.jsonl.Records.answer;
import static dev.agentloop.session.jsonl.Records.calls;
import static dev.agentloop.session.jsonl.Records.ended;
import static dev.agentloop.session.jsonl.Records.intent;
import static dev.agentloop.session.jsonl.Records.says;
import static dev.agentloop.session.jsonl.Records.user;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.agentloop.llm.FinishReason;
import dev.agentloop.message.Block;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionSummary;
import dev.agentloop.session.jsonl.Legality;
import dev.agentloop.session.jsonl.Records;
import dev.agentloop.session.jsonl.StoreFixture;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoldTest {
    private static final ToolResult NOT_RUN =
            ToolResult.cancelled("Not run: the session was interrupted before this call ran.");
    private static final ToolResult MAY_HAVE_RUN =
            ToolResult.cancelled(
                    "Interrupted; it may have run, wholly or partly."
                            + " Look at the state before repeating it.");
    private static final ToolResult NOT_APPLIED =
            ToolResult.cancelled(
                    "Not applied: the session was interrupted before this call changed a file.");

    @TempDir Path temp;
    private StoreFixture fixture;

    @BeforeEach
    void store() {
        fixture = StoreFixture.in(temp);
    }

    @Test
    @Tag("row-63")
    void aSessionComesBackWhole() throws Exception {
        FileChange change = new FileChange("a.py", FileChange.Kind.ADDED, 3, 0);
        Journal journal = fixture.store().create();
        Instant started = fixture.time().now();
        journal.append(List.of(Records.OPENED, user("Fix it\nplease")), true);
        fixture.time().pass(Duration.ofSeconds(90));
        journal.append(List.of(calls("a", "b"), intent("a", "PURE"), intent("b", "FILE")), true);
        journal.append(
                List.of(
                        new JournalRecord.Answered(
                                "b", ToolResult.ok("written").withChanges(List.of(change))),
                        answer("a", "text")),
                false);
        journal.append(List.of(says("Done."), says("Really.")), true);
        journal.close();
        SavedSession expected = threeSteps(journal.sessionId(), started, change);
        assertEquals(expected, fixture.store().read(journal.sessionId()));
        assertEquals(expected, fixture.reopened(journal.sessionId()));
    }

    @Test
    @Tag("row-65")
    @Tag("C21")
    @Tag("C23")
    @Tag("C24")
    void callsWithoutAResultAreAnsweredByWhatMayHaveHappened() throws Exception {
        String id =
                fixture.saved(
                        Records.OPENED,
                        user("go"),
                        calls("pure", "silent", "file", "shell", "known"),
                        intent("pure", "PURE"),
                        intent("file", "FILE"),
                        intent("shell", "opaque"),
                        intent("known", "OPAQUE"),
                        answer("known", "it ran"));
        SavedSession session = fixture.reopened(id);
        assertEquals(
                List.of(
                        new Message.Tool("pure", NOT_RUN),
                        new Message.Tool("silent", NOT_RUN),
                        new Message.Tool("file", NOT_APPLIED),
                        new Message.Tool("shell", MAY_HAVE_RUN),
                        new Message.Tool("known", ToolResult.ok("it ran"))),
                session.history().subList(3, 8));
        assertEquals(List.of("shell"), session.unresolved());
        assertEquals(List.of("3 calls had no recorded result."), session.notes());
        assertEquals(List.of("pure"), session.again().stream().map(ToolCall::id).toList());
        assertEquals(new JournalRecord.Resumed(0, List.of("shell")), fixture.records(id).getLast());
    }

    @Test
    @Tag("row-65")
    void whatWasFilledInIsRecordedSoThatTheNextResumeFindsNothingOpen() throws Exception {
        String id = fixture.saved(Records.OPENED, user("go"), calls("a"), intent("a", "OPAQUE"));
        SavedSession first = fixture.reopened(id);
        SavedSession second = fixture.reopened(id);
        assertEquals(first.history(), second.history());
        assertEquals(List.of(), second.unresolved());
        assertEquals(List.of(), second.notes());
    }

    @Test
    @Tag("C32")
    void orphansDoublesEmptyRepliesAreDroppedAnIdMayReturnInALaterTurn() throws Exception {
        Block call = new Block.Call(new ToolCall("x", "t", "{}"));
        String id =
                fixture.saved(
                        Records.OPENED,
                        user("go"),
                        answer("ghost", "boo"),
                        Records.replied(List.of()),
                        says("  \n"),
                        Records.replied(List.of(new Block.Reasoning("hm", ""))),
                        calls("call_0"),
                        answer("call_0", "first turn"),
                        answer("call_0", "again"),
                        calls("call_0"),
                        user("and now?"),
                        answer("call_0", "second turn"),
                        Records.replied(List.of(call, call)));
        SavedSession session = fixture.reopened(id);
        Legality.check(session.history());
        assertEquals(
                List.of(
                        "A result for the unknown call ghost was dropped.",
                        "An empty reply was dropped.",
                        "An empty reply was dropped.",
                        "An empty reply was dropped.",
                        "A second result for the call call_0 was dropped.",
                        "A reply used the call id x twice; the second was dropped.",
                        "1 call had no recorded result."),
                session.notes());
        assertEquals(new Message.Tool("call_0", ToolResult.ok("first turn")), at(session, 3));
        assertEquals(new Message.Tool("call_0", ToolResult.ok("second turn")), at(session, 5));
        assertEquals(new Message.User("and now?"), at(session, 6));
        assertEquals(3, session.toolCalls());
        assertEquals(6, session.steps());
    }

    @Test
    @Tag("row-60")
    void aSummaryIsNoEmptyReply() throws Exception {
        Block summary = new Block.Reasoning("", "{\"anthropic\":{\"type\":\"compaction\"}}");
        var paused =
                new JournalRecord.Replied(
                        new Message.Assistant(List.of(summary)),
                        FinishReason.PAUSED.name(),
                        Records.USAGE,
                        "0.5",
                        "agent",
                        "");
        String id = fixture.saved(Records.OPENED, user("go"), paused, says("ok"));

        SavedSession session = fixture.reopened(id);

        assertEquals(new Message.Assistant(List.of(summary)), at(session, 2));
        assertEquals(List.of(), session.notes());
    }

    @Test
    void theLastSystemPromptAndModelCount() throws Exception {
        String id =
                fixture.saved(
                        Records.OPENED,
                        user("go"),
                        says("yes"),
                        new JournalRecord.Opened(
                                "1.1", "/work/shop", "acme/new", "plan", "Be bold."),
                        user("on"));
        SavedSession session = fixture.store().read(id);
        assertEquals(new Message.System("Be bold."), at(session, 0));
        assertEquals("acme/new", session.summary().model());
        assertEquals("plan", session.summary().agent());
    }

    @Test
    void oneUnknownPriceMakesTheCostUnknown() throws Exception {
        var free = new Message.Assistant(List.of(new Block.Text("hi")));
        String id =
                fixture.saved(
                        Records.OPENED,
                        says("paid"),
                        new JournalRecord.Replied(
                                free, "END_TURN", Records.USAGE, null, "agent", ""),
                        says("paid"));
        assertNull(fixture.store().read(id).usd());
    }

    @Test
    void closingAndSideRepliesCostButAreNoSteps() throws Exception {
        var text = new Message.Assistant(List.of(new Block.Text("summary")));
        String id =
                fixture.saved(
                        Records.OPENED,
                        says("step"),
                        new JournalRecord.Replied(
                                text, "END_TURN", Records.USAGE, "0.5", "compaction", ""),
                        new JournalRecord.UserSaid("Close now.", "close"),
                        new JournalRecord.Replied(
                                text, "END_TURN", Records.USAGE, "0.25", "close", ""));
        SavedSession session = fixture.store().read(id);
        assertEquals(1, session.steps());
        assertEquals(new BigDecimal("0.7625"), session.usd());
        assertEquals(4, session.history().size()); // system, step, instruction, closing reply
    }

    @Test
    @Tag("C40")
    @DisplayName("time is counted by the monotonic clock, run by run")
    void timeIsMonotonic() throws Exception {
        Journal journal = fixture.store().create();
        fixture.time().pass(Duration.ofSeconds(10));
        fixture.time().jump(Duration.ofDays(-1));
        journal.append(List.of(Records.OPENED, user("go")), false);
        fixture.time().jump(Duration.ofDays(2));
        journal.close();
        var reopened = fixture.store().reopen(journal.sessionId());
        fixture.time().pass(Duration.ofSeconds(5));
        reopened.journal().append(List.of(says("yes")), false);
        reopened.journal().close();
        assertEquals(10_000, reopened.session().millis());
        assertEquals(15_000, fixture.store().read(journal.sessionId()).millis());
    }

    @Test
    @Tag("C25")
    void aLostReplyIsCounted() throws Exception {
        String id =
                fixture.saved(
                        Records.OPENED,
                        user("go"),
                        new JournalRecord.RequestSent(1, 10, "0.0001", null, ""));
        SavedSession once = fixture.reopened(id);
        assertEquals(new Usage(10, 0, 0, 0, 0, true), once.usage());
        assertEquals(new BigDecimal("0.0001"), once.usd());
        String note =
                "A request was cut off before its reply was kept; an estimate of what it read"
                        + " counts as used: $0.0001, 10 tokens.";
        assertEquals(List.of(note), once.notes());
        assertEquals(new BigDecimal("0.0001"), fixture.reopened(id).usd(), "not once more");
    }

    @Test
    @Tag("row-64")
    void behindATornLineCallsMayHaveRun() throws Exception {
        String id =
                fixture.saved(Records.OPENED, user("go"), calls("a", "b"), intent("b", "OPAQUE"));
        byte[] whole = fixture.bytes(id);
        Files.write(fixture.journal(id), Arrays.copyOf(whole, whole.length - 9));

        SavedSession torn = fixture.reopened(id);

        assertEquals(List.of("a", "b"), torn.unresolved());
        for (Message message : torn.history()) {
            if (message instanceof Message.Tool answer) {
                assertEquals(HistoryFold.MAY_HAVE_RUN, answer.result().text());
            }
        }
    }

    @Test
    @Tag("C25")
    void aLostReplyWithoutAPrice() throws Exception {
        String id = fixture.saved(Records.OPENED, user("go"), new JournalRecord.RequestSent(1, 10));
        assertEquals(null, fixture.reopened(id).usd());
        assertEquals(10, fixture.reopened(id).usage().total());
    }

    @Test
    @Tag("E20")
    void aLostReplyCountsAsItsReservation() throws Exception {
        String id =
                fixture.saved(
                        Records.OPENED,
                        user("go"),
                        new JournalRecord.RequestSent(
                                1, 10, new JournalRecord.Reserved(900, 100, "0.25")));
        SavedSession once = fixture.reopened(id);
        assertEquals(new Usage(900, 100, 0, 0, 0, true), once.usage());
        assertEquals(new BigDecimal("0.25"), once.usd());
        assertEquals(
                List.of(
                        "A request was cut off before its reply was kept; the most it can have used counts as used: $0.25, 1000 tokens."),
                once.notes());
        assertEquals(once.notes().getFirst(), once.held().counted());
        SavedSession again = fixture.reopened(id);
        assertEquals(new BigDecimal("0.25"), again.usd(), "not once more");
        assertEquals("", again.held().counted());
    }

    @Test
    @Tag("E20")
    void theRestOfALostAttemptIsHeld() throws Exception {
        JournalRecord.Reserved most = new JournalRecord.Reserved(900, 100, "0.25");
        String id =
                fixture.saved(
                        Records.OPENED,
                        user("go"),
                        new JournalRecord.RequestSent(1, 10, most),
                        new JournalRecord.RequestFailed(
                                "broken_reply",
                                "cut",
                                true,
                                5,
                                new Usage(300, 10, 0, 0, 0, true),
                                "0.05",
                                "retry"),
                        new JournalRecord.RequestSent(1, 10, most),
                        says("yes"));
        assertEquals(
                new SavedSession.Held(690, new BigDecimal("0.20"), ""),
                fixture.reopened(id).held());
    }

    @Test
    void resumingAnEndedSessionDoesNotOpenItUntilSomethingIsSaid() throws Exception {
        String id = fixture.saved(Records.OPENED, user("go"), says("yes"), ended(1));
        fixture.reopened(id);
        assertEquals("success", fixture.store().read(id).summary().status());
        var reopened = fixture.store().reopen(id);
        reopened.journal().append(List.of(user("more")), true);
        reopened.journal().close();
        assertEquals("open", fixture.store().read(id).summary().status());
    }

    private static List<Message> threeSteps(FileChange change) {
        Message.Assistant asked = ((JournalRecord.Replied) calls("a", "b")).message();
        return List.of(
                new Message.System("You are careful."),
                new Message.User("Fix it\nplease"),
                asked,
                new Message.Tool("a", ToolResult.ok("text")),
                new Message.Tool("b", ToolResult.ok("written").withChanges(List.of(change))),
                new Message.Assistant(List.of(new Block.Text("Done."))),
                new Message.Assistant(List.of(new Block.Text("Really."))));
    }

    private static SavedSession threeSteps(String id, Instant started, FileChange change) {
        SessionSummary summary =
                new SessionSummary(
                        id,
                        started,
                        started.plusSeconds(90),
                        "/work/shop",
                        "acme/model",
                        "build",
                        "Fix it",
                        "open",
                        3);
        List<Message> history = threeSteps(change);
        return new SavedSession(
                summary,
                history,
                history,
                3,
                2,
                new Usage(300, 60, 90, 15, 21, false),
                new BigDecimal("0.0375"),
                Records.THREE_PAID,
                90_000,
                List.of(change),
                List.of(),
                1,
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                JournalRecord.Capped.NOTHING,
                JournalRecord.Terms.UNKNOWN,
                "acme/model",
                false,
                SavedSession.Measure.NONE,
                SavedSession.Held.NOTHING);
    }

    private static Message at(SavedSession session, int index) {
        return session.history().get(index);
    }
}
