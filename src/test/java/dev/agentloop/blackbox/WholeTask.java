package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.call;
import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** A task as most of them are: read, edit twice, run, answer. */
public final class WholeTask {
    private static final String ANSWER = "Done: 1 and 2. ✓";
    private static final int STEPS = 4;

    private WholeTask() {}

    public static ScriptedServer model(Protocol protocol) {
        return ScriptedServer.start(
                protocol,
                calls("read_file", "file_path", "a.txt").saying("I look. ñ 中"),
                calls(edit("one", "1"), edit("two", "2")),
                calls("run_command", "command", "cat a.txt"),
                says(ANSWER));
    }

    public static World world(ScriptedServer model) {
        return World.with(model).file("a.txt", "one\ntwo\n");
    }

    /** What {@code agent run} is told. */
    public static String[] words(String option) {
        return new String[] {
            "--output-format=stream-json", option, "--yolo", "--sandbox=off", "change it"
        };
    }

    public static void check(Ended ended, World world, ScriptedServer model) {
        assertEquals(0, ended.exitCode(), ended::toString);
        assertEquals("1\n2\n", world.read("a.txt"));
        assertEquals(ANSWER, ended.result("result"));
        List<String> results = model.lastRequest().toolResults();
        assertEquals(STEPS, results.size(), results::toString);
        assertTrue(results.getFirst().contains("two"), results::toString);
        assertTrue(results.getLast().contains("1\n2"), results::toString);
        JsonNode result = ended.result();
        assertEquals(STEPS, result.path("steps").asInt());
        assertEquals(STEPS, result.path("tool_calls").asInt());
        assertEquals(STEPS * 100, result.at("/usage/input_tokens").asInt());
        assertEquals("0.0052", result.at("/cost/usd").asText());
        assertEquals("a.txt", result.at("/files_changed/0/path").asText());
        assertEquals("modified", result.at("/files_changed/0/kind").asText());
    }

    private static Reply.Call edit(String before, String after) {
        return call("edit_file", "file_path", "a.txt", "old_string", before, "new_string", after);
    }
}
