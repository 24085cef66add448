package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Faults;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three pipelines: the log for people, the technical console, the file with everything. */
class LogsScenarioTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static List<String> types(String log) throws Exception {
        List<String> types = new ArrayList<>();
        for (String line : log.lines().toList()) {
            JsonNode entry = JSON.readTree(line);
            types.add(entry.path("type").asText());
        }
        return types;
    }

    @Test
    @Tag("row-86")
    @DisplayName("--quiet silences the human log and not the file, which has everything")
    void quiet() throws Exception {
        try (var model = ScriptedServer.chat(calls("list_files"), says("Done."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--quiet", "--log-file", "log.jsonl", "go");
            assertEquals("Done.\n", ended.out());
            assertEquals("", ended.err());
            List<String> types = types(world.read("log.jsonl"));
            for (String type :
                    new String[] {
                        "session.started", "llm.request", "llm.response", "tool.started",
                        "permission.decided", "tool.finished", "usage", "result"
                    }) {
                assertTrue(types.contains(type), types::toString);
            }
        }
    }

    @Test
    @Tag("row-86")
    @DisplayName("-v shows the technical log without the human one; errors come through --quiet")
    void verbose() {
        try (var model =
                        ScriptedServer.chat(
                                calls("list_files"), says("Done."), Faults.status(400));
                var world = World.with(model)) {
            Ended ended = world.runInside("-v", "go");
            assertEquals("Done.\n", ended.out());
            assertTrue(
                    ended.err().contains("INFO  permission.decided list_files"), ended::toString);
            Ended error = world.runInside("--quiet", "go");
            assertEquals(1, error.exitCode());
            assertTrue(error.err().contains("scripted 400"), error::toString);
            assertEquals("", error.out());
        }
    }

    @Test
    @Tag("row-86")
    @DisplayName("the human log has its lines, without colours off a terminal")
    void human() {
        try (var model = ScriptedServer.chat(calls("read_file", "file_path", "no"), says("Done."));
                var world = World.with(model).env("CLICOLOR", "1")) {
            Ended ended = world.runInside("go");
            for (String line :
                    new String[] {
                        "🔄 Step 1 → LLM call (2 messages)",
                        "   ✓ LLM responded with 1 tool call",
                        "   🔧 read_file → no",
                        "      ✗ ERROR: ",
                        "✅ Agent completed (2 steps)"
                    }) {
                assertTrue(ended.err().contains(line), () -> line + "\n" + ended);
            }
            assertFalse(ended.err().contains("\u001b"));
        }
    }

    @Test
    @Tag("G9")
    @DisplayName("control sequences of the model never reach standard error")
    void controlSequences() {
        String evil = "\u001b]0;pwned\u0007\u001b[2J";
        var list = calls("read_file", "file_path", "a" + evil).saying("text " + evil);
        try (var model = ScriptedServer.chat(list, Faults.status(400, "", Faults400.of(evil)));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(1, ended.exitCode(), ended::toString);
        }
    }

    private static final class Faults400 {
        static String of(String message) {
            return JSON.createObjectNode().put("message", message).toString();
        }
    }
}
