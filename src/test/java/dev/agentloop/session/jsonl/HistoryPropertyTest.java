package dev.agentloop.session.jsonl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Block;
import dev.agentloop.message.Compaction;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.Usage;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryPropertyTest {
    private static final int CASES = 400;

    @TempDir Path temp;

    @Test
    void whateverWasRecordedTheHistoryIsLegal() throws Exception {
        for (int seed = 0; seed < CASES; seed++) {
            List<JournalRecord> records = new Generator(new Random(seed)).session();
            try {
                check(records, new Random(seed));
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + records, e);
            }
        }
    }

    /** Writes in random portions, cuts nothing, reads, resumes and reads again. */
    private void check(List<JournalRecord> records, Random random) throws Exception {
        StoreFixture fixture = StoreFixture.in(temp);
        Journal journal = fixture.store().create();
        for (int from = 0; from < records.size(); ) {
            int to = Math.min(records.size(), from + 1 + random.nextInt(4));
            journal.append(records.subList(from, to), random.nextBoolean());
            from = to;
        }
        journal.close();
        SavedSession read = fixture.store().read(journal.sessionId());
        Legality.check(read.history());
        Legality.check(read.transcript());
        long results = read.transcript().stream().filter(Message.Tool.class::isInstance).count();
        assertEquals(read.toolCalls(), results);
        assertEquals(read, fixture.reopened(journal.sessionId()));
        SavedSession again = fixture.store().read(journal.sessionId());
        assertEquals(read.history(), again.history());
        assertEquals(List.of(), again.unresolved());
        assertEquals(read.usd(), again.usd());
        assertTrue(again.notes().size() <= read.notes().size());
    }

    /** Sessions as loops write them: calls, then their intents and results, cut off anywhere. */
    private record Generator(Random random) {
        List<JournalRecord> session() {
            List<JournalRecord> records = new ArrayList<>();
            records.add(Records.OPENED);
            for (int turn = random.nextInt(6); turn >= 0; turn--) {
                records.add(Records.user("prompt " + turn));
                for (int step = random.nextInt(4); step >= 0; step--) {
                    addStep(records);
                }
            }
            return records.subList(0, 1 + random.nextInt(records.size()));
        }

        private void addStep(List<JournalRecord> records) {
            if (random.nextInt(4) == 0) {
                records.add(compacted());
            }
            records.add(new JournalRecord.RequestSent(1, random.nextInt(1000)));
            if (random.nextInt(5) == 0) {
                records.add(
                        new JournalRecord.RequestFailed(
                                "overloaded", "529", true, 0, Usage.NONE, null, ""));
            }
            List<String> ids = new ArrayList<>();
            records.add(Records.replied(blocks(ids)));
            for (String id : ids) {
                records.add(new JournalRecord.Decided(id, "ALLOW", "all", "policy"));
                if (random.nextInt(4) > 0) {
                    records.add(Records.intent(id, pick("PURE", "FILE", "OPAQUE", "IDEMPOTENT")));
                }
            }
            java.util.Collections.shuffle(ids, random);
            for (String id : ids) {
                for (int copies = random.nextInt(12) == 0 ? 2 : 1; copies > 0; copies--) {
                    records.add(Records.answer(id, "result of " + id));
                }
            }
        }

        private JournalRecord compacted() {
            return new JournalRecord.Compacted(
                    new Compaction(
                            Compaction.By.values()[random.nextInt(4)],
                            "call_" + random.nextInt(3),
                            random.nextInt(3),
                            pick("", "They looked at files.")));
        }

        /** Ids are few on purpose: providers that begin anew in each reply repeat them. */
        private List<Block> blocks(List<String> ids) {
            List<Block> blocks = new ArrayList<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                switch (random.nextInt(4)) {
                    case 0 -> blocks.add(new Block.Text(pick("", " ", "I look.", "\uD800 é 🎉")));
                    case 1 -> blocks.add(new Block.Reasoning("hm", "{}"));
                    default -> {
                        String id = "call_" + ids.size();
                        ids.add(id);
                        blocks.add(new Block.Call(new ToolCall(id, "tool", "{}")));
                    }
                }
            }
            return blocks;
        }

        private String pick(String... choices) {
            return choices[random.nextInt(choices.length)];
        }
    }
}
