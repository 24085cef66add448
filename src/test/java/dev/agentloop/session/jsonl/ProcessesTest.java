package dev.agentloop.session.jsonl;

import static dev.agentloop.session.jsonl.Records.user;
import static dev.agentloop.session.jsonl.StoreFixture.refusal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Message;
import dev.agentloop.session.Journal;
import dev.agentloop.session.SavedSession;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ProcessesTest {
    @TempDir Path temp;

    @Test
    @Tag("C33")
    @Tag("row-66")
    @DisplayName("a second process is refused with pid and host of the first")
    void twoProcesses() throws Exception {
        StoreFixture fixture = StoreFixture.in(temp);
        String id = fixture.saved(Records.OPENED, user("go"));
        Process child = Child.start(fixture.root(), "hold", id);
        try (BufferedReader output = Child.output(child)) {
            assertEquals("locked " + id, output.readLine());
            String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            assertEquals(inUse(id, child.pid(), host), refusal(() -> fixture.store().reopen(id)));
            assertEquals(inUse(id, child.pid(), host), refusal(() -> fixture.store().reopen(id)));
            assertEquals(2, fixture.store().read(id).history().size()); // reading needs no lock
            child.outputWriter().close();
            assertEquals("released -1", output.readLine());
        } finally {
            child.destroyForcibly().waitFor();
        }
        fixture.reopened(id);
    }

    @Test
    @Tag("C33")
    @Tag("C34")
    @DisplayName("the lock of a killed process is free; the text in the file is ignored")
    void aKilledProcessHoldsNothing() throws Exception {
        StoreFixture fixture = StoreFixture.in(temp);
        String id = fixture.saved(Records.OPENED, user("go"));
        Process child = Child.start(fixture.root(), "hold", id);
        assertEquals("locked " + id, Child.output(child).readLine());
        child.destroyForcibly().waitFor();
        String text = Files.readString(fixture.dir(id).resolve("lock"));
        assertTrue(text.startsWith("process " + child.pid() + " on host "), text);
        fixture.reopened(id);
    }

    @Test
    @Tag("C33")
    @DisplayName("within one process too, also by another store, and the lock survives the try")
    void twoStoresInOneProcess() throws Exception {
        StoreFixture first = StoreFixture.in(temp);
        StoreFixture second = StoreFixture.in(temp);
        try (Journal journal = first.store().create()) {
            journal.append(java.util.List.of(Records.OPENED, user("go")), true);
            String id = journal.sessionId();
            for (int i = 0; i < 2; i++) {
                String message = refusal(() -> second.store().reopen(id));
                String expected = "in use by process " + ProcessHandle.current().pid() + " on host";
                assertTrue(message.contains(expected), message);
            }
            Process child = Child.start(first.root(), "hold", id);
            assertEquals(null, Child.output(child).readLine(), "refused, so nothing was said");
            assertEquals(1, child.waitFor());
        }
    }

    @Test
    @Tag("C20")
    @Tag("row-63")
    @DisplayName("kill -9 ten times: no acknowledged record is lost")
    void killedProcessesLoseNothing() throws Exception {
        Random random = new Random(20);
        for (int round = 0; round < 10; round++) {
            StoreFixture fixture = StoreFixture.in(temp);
            Process child = Child.start(fixture.root(), "append");
            String id;
            int acknowledged = -1;
            try (BufferedReader output = Child.output(child)) {
                id = output.readLine();
                int until = random.nextInt(400);
                for (String line = output.readLine(); line != null; line = output.readLine()) {
                    acknowledged = Integer.parseInt(line);
                    if (acknowledged == until) {
                        child.toHandle().destroyForcibly(); // leaves what it said readable
                    }
                }
            }
            child.waitFor();
            assertKept(acknowledged, fixture.reopened(id));
        }
    }

    private static void assertKept(int acknowledged, SavedSession session) {
        int kept = session.history().size() - 1;
        assertTrue(kept > acknowledged, kept + " kept, " + acknowledged + " acknowledged");
        for (int i = 0; i < kept; i++) {
            String expected = i + " " + "x".repeat(i * 37 % 5000);
            assertEquals(new Message.User(expected), session.history().get(i + 1));
        }
    }

    private static String inUse(String id, long pid, String host) {
        return "Session "
                + id
                + " is in use by process "
                + pid
                + " on host "
                + host
                + ". Wait until that run has ended (resume --wait does), or start a new session.";
    }
}
