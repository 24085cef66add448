package dev.agentloop.session.jsonl;

import dev.agentloop.control.SystemTime;
import dev.agentloop.message.ToolResult;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.Recovery;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.jsonl.JsonlSessionStore.Fsync;
import dev.agentloop.session.jsonl.journal.JournalCodec;
import dev.agentloop.session.jsonl.journal.JournalLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;

/** A store in a temporary folder, and the files behind it. */
public record StoreFixture(Path root, FakeTime time, JsonlSessionStore store) {
    private static final Recovery NOTHING_FOUND =
            (_, _, _) -> new Recovery.Outcome(ToolResult.cancelled("Not found out."), Map.of());

    public static StoreFixture in(Path temp) {
        return in(temp, Fsync.NEVER, JsonlJournal.Disk.REAL);
    }

    public static StoreFixture in(Path temp, Fsync fsync, JsonlJournal.Disk disk) {
        Path root = temp.resolve("sessions");
        FakeTime time = new FakeTime();
        return new StoreFixture(
                root,
                time,
                new JsonlSessionStore(
                        root, new JsonlSessionStore.Options(fsync, time, NOTHING_FOUND), disk));
    }

    /** A store with its usual promises. */
    static JsonlSessionStore durable(Path root) {
        return new JsonlSessionStore(
                root, new JsonlSessionStore.Options(Fsync.INTENT, new SystemTime(), NOTHING_FOUND));
    }

    /** Writes a session with one append per record and closes it. */
    public String saved(JournalRecord... records) throws SessionException {
        try (Journal journal = store.create()) {
            for (JournalRecord record : records) {
                journal.append(List.of(record), false);
            }
            Assertions.assertEquals("", journal.failure());
            return journal.sessionId();
        }
    }

    /** Takes the session up, leaves it at once and returns what was read. */
    public SavedSession reopened(String id) throws SessionException {
        var reopened = store.reopen(id);
        reopened.journal().close();
        return reopened.session();
    }

    Path dir(String id) {
        return root.resolve(SessionId.month(id)).resolve(id);
    }

    public Path journal(String id) {
        return dir(id).resolve("journal.jsonl");
    }

    public byte[] bytes(String id) throws IOException {
        return Files.readAllBytes(journal(id));
    }

    List<String> lines(String id) throws IOException {
        return Files.readAllLines(journal(id));
    }

    public void write(String id, List<String> lines) throws IOException {
        Files.writeString(journal(id), String.join("\n", lines) + "\n");
    }

    /** The records of a journal as its lines hold them. */
    public List<JournalRecord> records(String id) throws Exception {
        List<JournalRecord> records = new ArrayList<>();
        for (String text : lines(id)) {
            JournalLine line = JournalLine.decode(text.getBytes(StandardCharsets.UTF_8));
            JournalCodec.read(line.type(), line.data()).ifPresent(records::add);
        }
        return records;
    }

    /** A line as some other version may have written it, with a right checksum. */
    static String sealed(String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        var crc = new java.util.zip.CRC32C();
        crc.update(bytes);
        return body + ",\"crc\":\"" + "%08x".formatted(crc.getValue()) + "\"}";
    }

    static String refusal(Executable work) {
        return Assertions.assertThrows(SessionException.class, work::run).getMessage();
    }

    /** Work that may be refused. */
    interface Executable {
        void run() throws Exception;
    }
}
