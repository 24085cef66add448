package dev.agentloop.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody did to the log is found, and a killed run is not taken for somebody. */
class AuditLogTest {
    @TempDir private Path folder;
    private Path log;
    private Path heads;

    @BeforeEach
    void threeDecisions() throws IOException {
        log = folder.resolve("audit.jsonl");
        heads = folder.resolve("state/audit");
        assertEquals("", decide("one", "two", "three"));
    }

    private String decide(String... rules) throws IOException {
        try (AuditLog audit = new AuditLog(log, heads, () -> Instant.EPOCH)) {
            for (String rule : rules) {
                audit.emit(new AgentEvent.PermissionDecided("c", "t", "deny", rule, "rule"));
            }
            return audit.failure();
        }
    }

    private String problem() throws IOException {
        return AuditCheck.of(log, heads).problem();
    }

    private List<String> lines() throws IOException {
        return new ArrayList<>(Files.readAllLines(log));
    }

    private void write(List<String> lines) throws IOException {
        Files.writeString(log, String.join("\n", lines) + "\n");
    }

    /** Each line sealed anew, as somebody does who knows how. */
    private static List<String> sealed(List<String> lines) throws JsonException {
        List<String> all = new ArrayList<>();
        String before = "";
        for (String line : lines) {
            JsonValue entry = Json.parse(line);
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            entry.keys().forEach(key -> fields.put(key, entry.at(key).raw()));
            fields.put("before", Seal.of(before));
            before = Json.text(new JsonValue(fields)::writeTo);
            all.add(before);
        }
        return all;
    }

    @Test
    void anUntouchedLogIsWhole() throws IOException {
        assertEquals(
                new AuditCheck(3, "", "", Seal.of(lines().getLast())), AuditCheck.of(log, heads));
    }

    @Test
    void aChangedLastLineIsFound() throws IOException {
        List<String> lines = lines();
        lines.set(2, lines.get(2).replace("deny", "allow"));
        write(lines);

        assertTrue(problem().contains("does not end with the last line"), problem());
    }

    @Test
    void aChainThatWasComputedAnewIsFound() throws Exception {
        List<String> lines = lines();
        lines.set(0, lines.get(0).replace("deny", "allow"));
        write(sealed(lines));

        assertTrue(problem().contains("written anew"), problem());
    }

    @Test
    void missingAndAddedLinesAtTheEndAreFound() throws Exception {
        List<String> all = lines();
        write(all.subList(0, 2));
        assertTrue(problem().contains("lines are missing"), problem());

        List<String> more = new ArrayList<>(all);
        more.add(all.get(0).replace("one", "four"));
        write(sealed(more));
        assertTrue(problem().contains("has added lines"), problem());

        write(List.of());
        assertFalse(problem().isEmpty());
    }

    @Test
    void aLaterDecisionDoesNotCoverWhatWasDone() throws IOException {
        List<String> lines = lines();
        lines.set(2, lines.get(2).replace("deny", "allow"));
        write(lines);

        assertTrue(decide("four").contains("something else has changed the log"));
        assertEquals("", decide("five"));

        assertTrue(problem().contains("something else has changed the log"), problem());
    }

    @Test
    void aRunThatIsKilledBeforeOrInOrAfterItsLineIsNotTakenForSomebody() throws IOException {
        List<String> all = lines();
        AuditHead head = new AuditHead(heads, log);
        head.write(new AuditHead.Known(Seal.of(all.get(1)), all.get(2), ""), true);
        String two = all.get(0) + "\n" + all.get(1) + "\n";

        assertEquals("", problem()); // after
        Files.writeString(log, two + all.get(2).substring(0, 30));
        assertEquals("", problem());
        assertTrue(AuditCheck.of(log, heads).note().contains("cut off"));
        Files.writeString(log, two);
        assertEquals("", problem());
        assertTrue(AuditCheck.of(log, heads).note().contains("before it had written"));

        Files.writeString(log, two + all.get(2).substring(0, 30));
        assertEquals("", decide("four"));
        assertEquals(
                new AuditCheck(4, "", "", Seal.of(lines().getLast())), AuditCheck.of(log, heads));
        assertEquals(all, lines().subList(0, 3));
    }

    @Test
    void aLogFromElsewhereIsCheckedByItsChain() throws IOException {
        Path copy = Files.copy(log, folder.resolve("copy.jsonl"));
        assertEquals("", AuditCheck.of(copy, heads).problem());
    }
}
