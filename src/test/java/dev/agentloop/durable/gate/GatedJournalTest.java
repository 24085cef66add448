package dev.agentloop.durable.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.testing.MemoryJournal;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal of a run whose worker dies. */
class GatedJournalTest {
    private static final JournalRecord KILLED =
            new JournalRecord.Answered("c1", ToolResult.error("killed by signal 9"));

    @Test
    @Tag("row-73")
    @DisplayName("how commands end that end with their worker is no result of theirs")
    void nothingAfterTheWorkersEnd(@TempDir Path folder) throws Exception {
        Path socket = folder.resolve("gate");
        MemoryJournal kept = new MemoryJournal();
        CountDownLatch lost = new CountDownLatch(1);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Gate gate = new Gate(socket, lost::countDown);
            GatedJournal journal = new GatedJournal(kept, gate);
            JournalRecord before = new JournalRecord.OutputSoFar("c1", "half");
            journal.append(List.of(before), false);
            server.accept().close(); // the worker dies
            assertTrue(lost.await(10, TimeUnit.SECONDS));

            Thread run = new Thread(() -> journal.append(List.of(KILLED), true), "run");
            run.setDaemon(true); // it does not return: its process is being ended
            run.start();
            run.join(300);

            assertTrue(run.isAlive());
            assertEquals(List.of(before), kept.records());
        }
    }
}
