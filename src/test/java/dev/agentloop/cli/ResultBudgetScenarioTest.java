package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.call;
import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How much of its tools' results a model is sent. */
class ResultBudgetScenarioTest {
    @Test
    @Tag("row-75")
    @Tag("E23")
    @DisplayName("results of one step and the words of their hooks share 80,000 characters")
    void sharedBudget() {
        String line = "0123456789".repeat(190) + "\n";
        String lint =
                "    - {name: lint, command: \"head -c 4000 long.txt\", file_patterns: ['*.py']}\n";
        var batch =
                calls(
                        call("write_file", "file_path", "a.py", "content", "x\n"),
                        call("read_file", "file_path", "long.txt"),
                        call("run_command", "command", "cat long.txt"));
        try (var model = ScriptedServer.chat(batch, says("ok"));
                var world =
                        World.with(model)
                                .config(
                                        "context: {max_tool_result_tokens: 0}\n"
                                                + "hooks:\n  post_edit:\n"
                                                + lint.repeat(9))
                                .file("long.txt", line.repeat(40))) {
            Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            List<String> results = model.lastRequest().toolResults();
            results.forEach(text -> assertTrue(text.length() <= 26_666, () -> "" + text.length()));
            assertTrue(results.get(0).startsWith("Created a.py"), results.get(0));
            assertTrue(results.get(0).contains("[Hook lint: OK]"), results.get(0));
            assertTrue(results.get(1).contains("continue with offset"), results.get(1));
            assertEquals(9, ended.result().path("hooks").size());
        }
    }
}
