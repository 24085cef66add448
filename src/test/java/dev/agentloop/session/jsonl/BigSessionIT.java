package dev.agentloop.session.jsonl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import dev.agentloop.message.Compaction;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A session far larger than what a run should take of the memory. */
class BigSessionIT {
    private static final int STEPS = 6000;
    private static final int RESULT = 50_000; // characters
    private static final long MOST_KB = 600 * 1024;

    @Test
    @Tag("C42")
    @DisplayName("a session of 300 MB goes on in less than 600 MB of memory")
    void big() throws Exception {
        try (var model = ScriptedServer.chat(Reply.says("Done."));
                var world = World.with(model)) {
            String id = written(world);
            Ended ended = world.agent("resume", id, "go on", "--json", "-m", "canary/model");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(ended.peakKb() < MOST_KB, ended.peakKb() + " KB");
            assertTrue(model.lastRequest().raw().length() < 1_000_000);
            Ended list = world.agent("sessions", "list");
            assertTrue(list.out().contains(id), list::toString);
            assertTrue(list.peakKb() < MOST_KB / 3, list.peakKb() + " KB");
        }
    }

    private static String written(World world) throws Exception {
        var store = StoreFixture.durable(world.root().resolve("state/agent/sessions"));
        String line = "a line of what a command has printed\n";
        String text = line.repeat(RESULT / line.length());
        try (Journal journal = store.create()) {
            journal.append(
                    List.of(Records.opened(world.workspace().toString()), Records.user("go")),
                    true);
            for (int i = 0; i < STEPS; i++) {
                journal.append(
                        List.of(
                                Records.calls("c" + i),
                                Records.intent("c" + i, "PURE"),
                                Records.answer("c" + i, text + i)),
                        false);
                if (i % 100 == 99) {
                    Compaction what =
                            new Compaction(Compaction.By.SUMMARY, "c" + (i - 4), 1, "So far.");
                    journal.append(List.of(new JournalRecord.Compacted(what)), false);
                }
            }
            journal.append(List.of(Records.says("Done."), Records.ended(STEPS)), true);
            return journal.sessionId();
        }
    }
}
