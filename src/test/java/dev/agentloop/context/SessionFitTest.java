package dev.agentloop.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionFitTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir private Path folder;
    private final List<String> lines = new ArrayList<>();

    @Test
    void aFileOf313LinesIsKeptWhole() throws IOException {
        ofPi("read", file(313));

        SessionFit.Kept read = fit(200_000).get("read");
        assertEquals(1, read.results);
        assertEquals(0, read.cut);
        assertEquals(read.read, read.kept);
    }

    @Test
    void aLongReadIsKeptUpToThePageAndALongOutputUpToTheLimit() throws IOException {
        ofPi("read", file(3_000));
        ofPi("bash", file(3_000));

        Map<String, SessionFit.Kept> tools = fit(200_000);
        for (String tool : List.of("read", "bash")) {
            SessionFit.Kept kept = tools.get(tool);
            assertEquals(1, kept.cut);
            assertEquals(0, kept.cutBelowPage);
            assertTrue(kept.kept > 48_000 && kept.kept <= 50_000, () -> tool + " " + kept.kept);
        }
    }

    @Test
    void aFullPageIsKeptWithWhatSaysWhichPageItIs() throws IOException {
        String lines = "x\n".repeat(2_000);
        ofPi("read", lines + "\n[Showing lines 1-2000 of 5000. Use offset=2001 to continue.]");
        ofPi("read_file", "[lines 1-2000 of 5000; continue with offset 2001]\n" + lines);

        fit(200_000).forEach((tool, kept) -> assertEquals(0, kept.cut, tool));
    }

    @Test
    void ofASmallWindowAResultHasASixteenth() throws IOException {
        ofPi("read", file(1_000));

        SessionFit.Kept read = fit(64_000).get("read");
        assertTrue(read.kept > 15_000 && read.kept <= 16_000, () -> "" + read.kept);
        assertEquals(1, read.cutBelowPage);
    }

    @Test
    void aJournalOfOursIsReadByItsIntentsAndResults() throws IOException {
        ours("intent", Map.of("call", "c1", "tool", "read_file"));
        ours("result", Map.of("call", "c1", "text", "one\n"));

        assertEquals(4, fit(200_000).get("read_file").kept);
    }

    @Test
    void whatOurMarkSaysIsMissingCountsAsRead() throws IOException {
        ours("intent", Map.of("call", "c1", "tool", "run_command"));
        String text = "a\n[... 8 lines omitted ...] of 10 (960 of 1000 characters); ask\nz\n";
        ours("result", Map.of("call", "c1", "text", text));

        SessionFit.Kept kept = fit(200_000).get("run_command");
        assertEquals(960 + text.length(), kept.read);
        assertEquals(text.length(), kept.kept);
        assertEquals(1, kept.cut);
    }

    @Test
    void whatACommandPrintedTooMuchCountsAsRead() throws IOException {
        ours("intent", Map.of("call", "c1", "tool", "run_command"));
        String text =
                "a\n[... 900 lines omitted ...] (60000 characters)\nz [… 5000 characters left out …]\n";
        ours("result", Map.of("call", "c1", "text", text));

        SessionFit.Kept kept = fit(200_000).get("run_command");
        assertEquals(65_000 + text.length(), kept.read);
        assertEquals(text.length(), kept.kept);
        assertEquals(0, kept.cutBelowPage);
    }

    @Test
    void aFileWithoutResultsIsNoSession() {
        lines.add("{\"type\":\"session\"}");

        assertThrows(IOException.class, () -> fit(200_000));
    }

    private Map<String, SessionFit.Kept> fit(long window) throws IOException {
        SessionFit fit = new SessionFit(window);
        fit.read(Files.write(folder.resolve("session.jsonl"), lines));
        return fit.tools();
    }

    private void ofPi(String tool, String text) throws IOException {
        String id = "call" + lines.size();
        var call = Map.of("type", "toolCall", "id", id, "name", tool, "arguments", Map.of());
        message(Map.of("role", "assistant", "content", List.of(call)));
        message(
                Map.of(
                        "role",
                        "toolResult",
                        "toolCallId",
                        id,
                        "toolName",
                        tool,
                        "content",
                        List.of(Map.of("type", "text", "text", text))));
    }

    private void message(Map<String, ?> message) throws IOException {
        lines.add(JSON.writeValueAsString(Map.of("type", "message", "message", message)));
    }

    private void ours(String type, Map<String, ?> data) throws IOException {
        lines.add(JSON.writeValueAsString(Map.of("v", 1, "t", type, "d", data)));
    }

    private static String file(int count) {
        return "a line of a source file, of 38 chars\n".repeat(count);
    }
}
