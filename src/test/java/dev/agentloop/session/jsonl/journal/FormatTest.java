package dev.agentloop.session.jsonl.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.jsonl.Records;
import dev.agentloop.session.jsonl.StoreFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the documentation is what we write and what we read. */
class FormatTest {
    private static final Path PAGE = Path.of("docs/sessions.md");
    private static final List<JournalRecord> RECORDS =
            List.of(
                    new JournalRecord.Opened(
                            "1.0.0", "/work/shop", "acme/model", "build", "You are careful."),
                    Records.user("Fix the rounding"),
                    Records.calls("c1"),
                    Records.intent("c1", "PURE"),
                    Records.answer("c1", "import math"),
                    Records.says("Done."),
                    Records.ended(2));

    @Test
    void weWriteTheExample() throws Exception {
        var stamp = new JournalLine.Stamp(1_772_366_400_000L, 12, "01KJMMA2G05R08D3MZ4CFMX81T");
        var batch = JournalLine.encode(RECORDS, stamp, JournalLine.End.START);
        String written = new String(batch.bytes().array(), StandardCharsets.UTF_8);
        assertEquals(String.join("\n", example()) + "\n", written);
        assertEquals(batch.bytes().remaining(), batch.to().bytes());
    }

    @Test
    void weReadTheExample() throws Exception {
        List<JournalRecord> read = new ArrayList<>();
        JournalLine.End end = JournalLine.End.START;
        for (String text : example()) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            JournalLine line = JournalLine.decode(bytes, end);
            Optional<JournalRecord> record = JournalCodec.read(line.type(), line.data());
            read.add(record.orElseThrow());
            end = JournalLine.after(end, bytes);
        }
        assertEquals(RECORDS, read);
    }

    @Test
    @Tag("C31")
    @DisplayName("the journal of format 1 that the documentation shows can be resumed for ever")
    void theExampleCanBeResumed(@TempDir Path temp) throws Exception {
        StoreFixture fixture = StoreFixture.in(temp);
        String id = fixture.saved(Records.OPENED);
        fixture.write(id, example());
        assertEquals(5, fixture.reopened(id).history().size());
        assertEquals(List.of(), fixture.store().read(id).notes());
    }

    @Test
    @Tag("C31")
    @DisplayName("journals that earlier versions wrote are read whole, and go on")
    void journalsOfEarlierVersions(@TempDir Path temp) throws Exception {
        try (var kept = Files.list(Path.of("src/test/resources/journals"))) {
            List<Path> journals = kept.sorted().toList();
            assertTrue(journals.size() >= 1);
            for (Path journal : journals) {
                StoreFixture fixture = StoreFixture.in(temp.resolve(journal.getFileName()));
                String id = fixture.saved(Records.OPENED);
                fixture.write(id, Files.readAllLines(journal));
                var read = fixture.store().read(id);
                assertTrue(
                        read.notes().stream().noneMatch(note -> note.contains("newer version")),
                        () -> journal + ": " + read.notes());
                assertTrue(read.history().size() > 3, journal::toString);
                assertEquals(
                        Files.readAllLines(journal).size(),
                        fixture.records(id).size(),
                        journal::toString);
                fixture.reopened(id);
                assertEquals(read.usage(), fixture.store().read(id).usage(), journal::toString);
            }
        }
    }

    @Test
    void thePageNamesEveryType() throws Exception {
        String page = Files.readString(PAGE);
        for (JournalRecord record : JournalCodecTest.everyKindOfRecord()) {
            assertTrue(page.contains("| `" + record.type() + "` |"), record.type());
        }
    }

    private static List<String> example() throws Exception {
        List<String> lines = Files.readAllLines(PAGE);
        int from = lines.indexOf("```jsonl") + 1;
        return lines.subList(from, from + lines.subList(from, lines.size()).indexOf("```"));
    }
}
