package dev.agentloop.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.RunSummary;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.verification.Verification;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HumanRendererTest {
    private static final String WHOLE_RUN =
            """
            🔄 Step 1 → LLM call (3 messages)
               ✓ LLM responded with 1 tool call

               🔧 read_file → src/main.py
                  ✓ OK

            🔄 Step 2 → LLM call (5 messages)
               ✓ LLM responded with 1 tool call

               🔧 edit_file → src/main.py (3→5 lines)
                  ✓ OK
                  🔍 Hook ruff: ✓

            🔄 Step 3 → LLM call (7 messages)
               ✓ LLM responded with final text

            ✅ Agent completed (3 steps)
               Reason: LLM decided it was done
              (3 steps, 2 tool calls)
               Cost: $0.0042 (12,450 in / 3,200 out / 500 cached)
            """;

    private final StringBuilder out = new StringBuilder();
    private final HumanRenderer human =
            new HumanRenderer(out::append, new Style(true, false), false);

    @Test
    @Tag("S0-44")
    @DisplayName("a whole run, line by line")
    void aWholeRunLineByLine() {
        wholeRun();

        assertEquals(WHOLE_RUN, out.toString());
    }

    private void wholeRun() {
        ToolCall read = call("1", "read_file", "{\"file_path\":\"src/main.py\"}");
        ToolCall edit =
                call(
                        "2",
                        "edit_file",
                        "{\"file_path\":\"src/main.py\",\"old_string\":\"a\\nb\\nc\","
                                + "\"new_string\":\"1\\n2\\n3\\n4\\n5\"}");
        step(1, 3, 1);
        emit(new AgentEvent.ToolStarted(read), finished(read, ToolResult.ok("text")));
        step(2, 5, 1);
        emit(
                new AgentEvent.ToolStarted(edit),
                hook("2", "ruff", 0, ""),
                finished(edit, ToolResult.ok("edited")));
        step(3, 7, 0);
        emit(new AgentEvent.Finished(summary("success", "llm_done", 0)));
    }

    @Test
    @Tag("S0-26")
    @DisplayName("a failing hook is shown with its words")
    void aFailingHookIsShownWithItsWords() {
        ToolCall edit = call("1", "write_file", "{\"file_path\":\"a.py\",\"content\":\"x\\n\"}");
        emit(
                new AgentEvent.ToolStarted(edit),
                hook("1", "python-lint", 1, "a.py:45: E302 expected 2 blank lines"),
                finished(edit, ToolResult.ok("written")));

        assertEquals(
                """
                   🔧 write_file → a.py (1 line)
                      ✓ OK
                      🔍 Hook python-lint: ⚠️
                         a.py:45: E302 expected 2 blank lines
                """,
                out.toString());
    }

    @Test
    void aHookThatBelongsToNoCallIsShownAtOnce() {
        emit(hook("", "branch", 0, "main"), hook("", "tests", 1, "2 tests fail"));

        assertEquals(
                """
                      🔍 Hook branch: ✓
                      🔍 Hook tests: ⚠️
                         2 tests fail
                """,
                out.toString());
    }

    @Test
    void callsSideBySideAreShownOneAfterAnother() {
        ToolCall one = call("1", "run_command", "{\"command\":\"sleep 2\"}");
        ToolCall two = call("2", "run_command", "{\"command\":\"true\"}");
        emit(
                new AgentEvent.ToolStarted(one),
                new AgentEvent.ToolStarted(two),
                finished(two, ToolResult.ok("")),
                finished(one, ToolResult.error("exit code: 1\nmore")));

        assertEquals(
                """
                   🔧 run_command → sleep 2
                      ✗ ERROR: exit code: 1
                   🔧 run_command → true
                      ✓ OK
                """,
                out.toString());
    }

    @Test
    @Tag("S0-43")
    @DisplayName("MCP calls name their server")
    void mcpCallsNameTheirServer() {
        emit(new AgentEvent.ToolStarted(call("1", "mcp__docs__search", "{\"q\":\"otters\"}")));

        assertEquals("   🌐 mcp__docs__search → otters (MCP: docs)\n", out.toString());
    }

    @Test
    void limitsRetriesAndClosingAreShown() {
        emit(
                new AgentEvent.LlmRetried(
                        1, Duration.ofMillis(1500), "provider_unavailable", "503", true),
                new AgentEvent.LimitReached("max_steps", "Step limit reached (3)"),
                new AgentEvent.Closing("max_steps", 3));

        assertEquals(
                """
                   ⚠️ 503; retry 1 in 1.5s (the text above is withdrawn)
                ⚠️ Step limit reached (3)…
                🔄 Closing (max_steps, 3 steps)
                """,
                out.toString());
    }

    @Test
    void liveTextEndsItsLineBeforeTheNextLogLine() {
        HumanRenderer live = new HumanRenderer(out::append, new Style(true, false), true);
        live.emit(new AgentEvent.TextDelta("I look"));
        live.emit(new AgentEvent.TextDelta(" around."));
        live.emit(responded(1));

        assertTrue(out.toString().startsWith("I look around.\n   ✓ LLM"));
    }

    @Test
    @Tag("G9")
    @Tag("D74")
    @DisplayName("nothing foreign reaches the terminal as an escape sequence")
    void noEscapeSequenceGetsThrough() {
        ToolCall call = call("1", "run_command", "{\"command\":\"\\u001b[2J\\u202e\\u009b31m\"}");
        emit(
                new AgentEvent.ToolStarted(call),
                finished(call, ToolResult.error("bad \u001b]52;c;x\u0007 thing")),
                new AgentEvent.Warning("careful \u001b[31m"));

        assertFalse(out.toString().chars().anyMatch(c -> c == 27 || c == 7 || c == 0x9b));
        assertFalse(out.toString().contains("\u202e"));
    }

    @Test
    void aLocaleWithoutTheSignsGetsAscii() {
        HumanRenderer ascii = new HumanRenderer(out::append, new Style(false, false), false);
        ascii.emit(new AgentEvent.LlmRequested(1, 2, false));
        ascii.emit(new AgentEvent.Warning("señal"));

        assertEquals("* Step 1 -> LLM call (2 messages)\n! se\\u{f1}al\n", out.toString());
    }

    @ParameterizedTest
    @Tag("S0-45")
    @DisplayName("what a call is about, in one line")
    @CsvSource(
            delimiter = '|',
            value = {
                "read_file|{\"file_path\":\"a.py\"}|a.py",
                "write_file|{\"file_path\":\"a\",\"content\":\"1\\n2\\n\"}|a (2 lines)",
                "edit_file|{\"file_path\":\"a\",\"edits\":[{\"old_string\":\"x\",\"new_string\":"
                        + "\"x\\ny\"},{\"old_string\":\"z\",\"new_string\":\"\"}]}|a (2→2 lines)",
                "edit_file|{\"file_path\":\"a\",\"old_string\":\"\",\"new_string\":\"x\"}|a (0→1 lines)",
                "grep|{\"pattern\":\"import jwt\",\"path\":\"src\"}|\"import jwt\" in src/",
                "search_code|{\"query\":\"validate\",\"path\":\"src/\"}|\"validate\" in src/",
                "run_command|{\"command\":\"pytest tests/ -x\"}|pytest tests/ -x",
                "run_command|{\"command\":\"x\",\"background\":true}|x (in the background)",
                "run_command|{broken|{broken",
                "mcp__docs__search|{\"q\":\"1234567890123456789012345678901234567890123456789012345"
                        + "67890 and more\"}|"
                        + "12345678901234567890123456789012345678901234567890123456789…",
                "apply_patch|{\"patch\":\"*** Update File: a.py\\n@@\\n-x\\n+y\\n+z\"}|a.py (+2 -1)",
            })
    void summaries(String tool, String arguments, String summary) {
        assertEquals(summary, ToolSummary.of(call("1", tool, arguments)));
    }

    private void step(int step, int messages, int calls) {
        emit(new AgentEvent.LlmRequested(step, messages, false), responded(calls));
    }

    private void emit(AgentEvent... events) {
        for (AgentEvent event : events) {
            human.emit(event);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "max_tokens,'text, cut at the output limit'",
        "paused,a turn that its provider interrupted",
        "refusal,a refusal",
        "end_turn,final text"
    })
    void onlyAnEndIsCalledFinal(String finish, String words) {
        emit(new AgentEvent.LlmResponded(1, "", 0, finish, Duration.ZERO, null));
        assertEquals("   ✓ LLM responded with " + words + "\n", out.toString());
    }

    private static AgentEvent responded(int calls) {
        return new AgentEvent.LlmResponded(1, "", calls, "end_turn", Duration.ZERO, null);
    }

    private static AgentEvent hook(String id, String name, int exitCode, String output) {
        return new AgentEvent.HookFinished(
                id, name, "post_edit", "a.py", exitCode, Duration.ZERO, output);
    }

    private static ToolCall call(String id, String tool, String arguments) {
        return new ToolCall(id, tool, arguments);
    }

    private static AgentEvent finished(ToolCall call, ToolResult result) {
        return new AgentEvent.ToolFinished(call, result, Duration.ZERO);
    }

    private static final RunSummary.ModelUse USE =
            new RunSummary.ModelUse("test/model", 3, new BigDecimal("0.00421"), 15_650, "list");

    static RunSummary summary(String status, String reason, int exitCode) {
        return new RunSummary(
                "S1",
                reason,
                status,
                exitCode,
                "",
                "done",
                "",
                "",
                List.of(),
                List.of(),
                "build",
                "test/model",
                List.of(USE),
                3,
                2,
                Duration.ofMillis(1234),
                Duration.ofMillis(1000),
                0,
                new Usage(11_950, 3_200, 500, 0, 0, false),
                new BigDecimal("0.00421"),
                null,
                "list",
                List.of(new RunSummary.CostLine("agent", new BigDecimal("0.00421"), 15_650)),
                List.of(),
                List.of(),
                0,
                List.of(),
                List.of(),
                List.of(),
                null,
                Verification.NONE,
                List.of(),
                "none",
                "",
                true,
                null);
    }
}
