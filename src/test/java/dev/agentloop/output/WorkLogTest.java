package dev.agentloop.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WorkLogTest {
    private static final String DIFF =
            "--- a/cart.py\n+++ b/cart.py\n@@ -8,3 +8,3 @@\n def total(items):\n"
                    + "-\treturn 0\n+\treturn sum(items)\n \n";

    private final StringBuilder out = new StringBuilder();
    private final WorkLog log =
            new WorkLog(out::append, new Style(true, false), true, () -> 80, ", Ctrl-T shows them");

    @Test
    @DisplayName("a person reads what is said, read, edited and run, and how it ended")
    void aRun() {
        lookEditAndTest();
        assertEquals(
                """
                demo/scripted, agent build, sandbox bwrap
                I look at the cart.

                • Read cart.py
                • Edited cart.py (+1 -1)
                       8   def total(items):
                       9 -     return 0
                       9 +     return sum(items)
                      10
                    Hook lint failed
                    E501 too long
                • Run pytest -q
                  ✗ exit code: 1 (0.3 s)
                    … after 2 lines, Ctrl-T shows them
                    3
                    4
                    5
                    6
                    7
                    8
                    9
                    10
                    11
                    1 failed

                One test fails.

                ✓ Done · 3 steps · 1.2s · 15,650 tokens · $0.0042
                """,
                out.toString());
    }

    private void lookEditAndTest() {
        ToolCall read = call("1", "read_file", "{\"file_path\":\"cart.py\"}");
        ToolCall edit =
                call(
                        "2",
                        "edit_file",
                        "{\"file_path\":\"cart.py\",\"old_string\":\"0\",\"new_string\":\"sum(items)\"}");
        ToolCall test = call("3", "run_command", "{\"command\":\"pytest -q\"}");
        emit(
                new AgentEvent.SessionStarted(
                        "s", "/w", "build", "demo/scripted", List.of(), false, "bwrap", List.of()),
                new AgentEvent.LlmRequested(1, 2, false),
                new AgentEvent.TextDelta("I look at the cart."),
                new AgentEvent.LlmResponded(1, "", 1, "tool_use", Duration.ZERO, null),
                new AgentEvent.ToolStarted(read),
                finished(read, ToolResult.ok("1 def")),
                new AgentEvent.ToolStarted(edit),
                new AgentEvent.EditApplied(
                        "2", new FileChange("cart.py", FileChange.Kind.MODIFIED, 1, 1), DIFF),
                new AgentEvent.HookFinished(
                        "2", "lint", "post_edit", "cart.py", 1, Duration.ZERO, "E501 too long\n"),
                finished(edit, ToolResult.ok("Edited")),
                new AgentEvent.ToolStarted(test),
                finished(
                        test,
                        ToolResult.error(
                                        "exit code: 1 (0.3 s)\nstdout:\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n"
                                                + "1 failed\nstderr: (empty)")
                                .withExitCode(1)),
                new AgentEvent.TextDelta("One test fails.\n"),
                new AgentEvent.Finished(HumanRendererTest.summary("success", "llm_done", 0)));
    }

    @Test
    @DisplayName("a long diff is folded, a failed call says why")
    void theRest() {
        String added =
                IntStream.range(0, 50)
                        .mapToObj(n -> "+line " + n + "\n")
                        .collect(Collectors.joining());
        ToolCall write = call("1", "write_file", "{\"file_path\":\"a\"}");
        emit(
                new AgentEvent.ToolStarted(write),
                new AgentEvent.EditApplied(
                        "1",
                        new FileChange("a", FileChange.Kind.ADDED, 50, 0),
                        "--- /dev/null\n+++ b/a\n@@ -0,0 +1,50 @@\n" + added),
                finished(write, ToolResult.ok("Wrote")));
        assertTrue(
                out.toString().endsWith("      30 + line 29\n    … 20 more lines of the diff\n"),
                out::toString);
        out.setLength(0);
        ToolCall read = call("2", "read_file", "{\"file_path\":\"nosuch\"}");
        emit(
                new AgentEvent.ToolStarted(read),
                finished(read, ToolResult.error("No such file.\nmore")));
        assertEquals("✗ Read nosuch\n    No such file.\n", out.toString());
    }

    @Test
    @DisplayName("a plan is a list, shown once; of a command that worked its lines are counted")
    void planAndCommand() {
        ToolCall plan =
                call(
                        "3",
                        "todo_write",
                        "{\"todos\":[{\"content\":\"read\",\"status\":\"completed\"},"
                                + "{\"content\":\"mend\",\"status\":\"in_progress\"},"
                                + "{\"content\":\"test\",\"status\":\"pending\"}]}");
        emit(
                new AgentEvent.ToolStarted(plan),
                new AgentEvent.ToolProgress("3", "[>] mend", null),
                finished(plan, ToolResult.ok("ok")));
        assertEquals("• Plan\n    ☑ read\n    ▸ mend\n    ☐ test\n", out.toString());
        out.setLength(0);
        ToolCall run = call("4", "run_command", "{\"command\":\"ls\"}");
        emit(
                new AgentEvent.ToolStarted(run),
                finished(
                        run,
                        ToolResult.ok("exit code: 0 (0.1 s)\nstdout:\na\nb\nstderr: (empty)")));
        assertEquals(
                "• Run ls\n    exit code: 0 (0.1 s) · 2 lines, Ctrl-T shows them\n",
                out.toString());
    }

    @Test
    @DisplayName("what the log has folded can be had in full: the last result, and those before")
    void lastResults() {
        LastResults results = new LastResults();
        ToolCall run = call("1", "run_command", "{\"command\":\"ls\"}");
        ToolCall edit = call("2", "edit_file", "{\"file_path\":\"cart.py\"}");
        results.emit(finished(run, ToolResult.ok("exit code: 0\nstdout:\na\u001b[2Jb")));
        results.emit(
                new AgentEvent.EditApplied(
                        "2", new FileChange("cart.py", FileChange.Kind.MODIFIED, 1, 1), DIFF));
        results.emit(finished(edit, ToolResult.ok("Edited")));

        assertTrue(results.text(1).contains("+\treturn sum(items)"), () -> results.text(1));
        assertTrue(results.text(2).startsWith("Run ls\nexit code: 0\nstdout:\na"));
        assertTrue(results.text(2).indexOf('\u001b') < 0);
        assertEquals("", results.text(3));
    }

    @Test
    @DisplayName("a narrow terminal breaks the last line between its figures")
    void narrow() {
        WorkLog narrow = new WorkLog(out::append, new Style(true, false), true, () -> 40, "");
        narrow.emit(new AgentEvent.Finished(HumanRendererTest.summary("success", "llm_done", 0)));

        assertEquals("\n✓ Done · 3 steps · 1.2s · 15,650 tokens\n  $0.0042\n", out.toString());
    }

    @Test
    @DisplayName(
            "of a failed command lines in brackets are shown, our own words to the model are not")
    void linesInBrackets() {
        ToolCall run = call("1", "run_command", "{\"command\":\"make\"}");
        emit(
                new AgentEvent.ToolStarted(run),
                finished(
                        run,
                        ToolResult.error(
                                        "exit code: 1\nstdout:\n[FAIL]\n[\"E501\"]\n['a.py:3: error']\n"
                                                + "[Variables that commands do not get: A, B]")
                                .withExitCode(1)));
        assertEquals(
                "• Run make\n  ✗ exit code: 1\n    [FAIL]\n    [\"E501\"]\n    ['a.py:3: error']\n",
                out.toString());
    }

    @Test
    @DisplayName("a file cannot write to the terminal through its diff")
    void hostileText() {
        ToolCall edit = call("1", "edit_file", "{}");
        emit(
                new AgentEvent.ToolStarted(edit),
                new AgentEvent.EditApplied(
                        "1",
                        new FileChange("\u001b[2Ja", FileChange.Kind.MODIFIED, 1, 0),
                        "--- a\n+++ b\n@@ -1,1 +1,1 @@\n-a\n+\u001b]0;owned\u0007\u202Eb\n"),
                finished(edit, ToolResult.ok("ok")));
        assertFalse(out.toString().contains("\u001b"), out::toString);
        assertFalse(out.toString().contains("\u202E"), out::toString);
    }

    @Test
    @DisplayName("what another agent does stands below the call that gave it its task")
    void subagents() {
        ToolCall task = call("1", "dispatch_subagent", "{\"agent\":\"explore\",\"task\":\"Look\"}");
        ToolCall read = call("2", "read_file", "{\"file_path\":\"cart.py\"}");
        ToolCall below = call("3", "grep", "{\"pattern\":\"tax\"}");
        emit(
                new AgentEvent.ToolStarted(task),
                new AgentEvent.SubagentStarted("1", "explore", 1, "Look\nwell", List.of()),
                new AgentEvent.SubagentDid("1", "explore", 1, new AgentEvent.ToolStarted(read)),
                new AgentEvent.SubagentDid("1/2", "review", 2, new AgentEvent.ToolStarted(below)),
                new AgentEvent.SubagentDid(
                        "1", "explore", 1, finished(read, ToolResult.error("no such file\nx"))),
                new AgentEvent.SubagentFinished(
                        "1", "explore", 1, "partial", "max_steps", 2, 9, null, Duration.ZERO),
                finished(task, ToolResult.ok("report")));
        assertEquals(
                """
                • Give a task to explore
                    explore: Look
                    explore: Read cart.py
                        review: Search "tax" in ./
                    explore: Read cart.py: no such file
                    explore: max_steps (2 steps)
                """,
                out.toString());
    }

    private void emit(AgentEvent... events) {
        for (AgentEvent event : events) {
            log.emit(event);
        }
    }

    private static ToolCall call(String id, String name, String arguments) {
        return new ToolCall(id, name, arguments);
    }

    private static AgentEvent finished(ToolCall call, ToolResult result) {
        return new AgentEvent.ToolFinished(call, result, Duration.ZERO);
    }
}
