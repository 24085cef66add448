package dev.agentloop.docs;

import dev.agentloop.evaluation.Evaluation;
import dev.agentloop.evaluation.Judgement;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.RunSummary;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.verification.Verification;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/** One plausible event of each kind, and a result in which nothing is empty without need. */
final class JsonExamples {
    private static final String SESSION = "01KJMMA2G05R08D3MZ4CFMX81T";
    private static final Usage USAGE = new Usage(1200, 340, 8000, 600, 90, false);
    private static final BigDecimal USD = new BigDecimal("0.0125");
    private static final BigDecimal CAP = new BigDecimal("2.50");
    private static final ToolCall EDIT =
            new ToolCall(
                    "call_1",
                    "edit_file",
                    "{\"file_path\":\"src/shop.py\",\"old_string\":\"floor\",\"new_string\":\"round\"}");
    private static final String DIFF =
            "--- a/src/shop.py\n+++ b/src/shop.py\n@@ -5,1 +5,1 @@\n"
                    + "-    return floor(price)\n+    return round(price)\n";
    private static final FileChange CHANGE =
            new FileChange("src/shop.py", FileChange.Kind.MODIFIED, 1, 1);

    static final RunSummary SUMMARY =
            new RunSummary(
                    SESSION,
                    "llm_done",
                    "success",
                    0,
                    "",
                    "Prices are rounded now; the tests pass.",
                    "",
                    "",
                    List.of(),
                    List.of("the project's configuration was not read: it is not trusted"),
                    "build",
                    "anthropic/claude-sonnet-5",
                    List.of(
                            new RunSummary.ModelUse(
                                    "anthropic/claude-sonnet-5", 3, USD, 10_140, "list")),
                    3,
                    4,
                    Duration.ofMillis(21_840),
                    Duration.ofMillis(18_020),
                    1,
                    USAGE,
                    USD,
                    CAP,
                    "list",
                    List.of(new RunSummary.CostLine("agent", USD, 10_140)),
                    List.of(
                            new RunSummary.ToolUse("edit_file", 1, 0, 0),
                            new RunSummary.ToolUse("run_command", 3, 1, 1)),
                    List.of(CHANGE),
                    1,
                    List.of(
                            new RunSummary.Denial(
                                    "run_command",
                                    "confirm-sensitive",
                                    "needs approval and there is no terminal to ask at")),
                    List.of(new RunSummary.HookUse("lint", "post_edit", 0, Duration.ofMillis(48))),
                    List.of(),
                    new Evaluation(
                            "basic",
                            true,
                            new Judgement(true, new BigDecimal("0.95"), List.of(), ""),
                            1),
                    new Verification(Verification.State.PASSED, "python3 -m pytest -q"),
                    List.of(),
                    "none",
                    "/home/ann/.local/state/agent/sessions/2026/03/" + SESSION,
                    true,
                    null);

    static final List<AgentEvent> EVENTS =
            List.of(
                    new AgentEvent.SessionStarted(
                            SESSION,
                            "/work/shop",
                            "build",
                            "anthropic/claude-sonnet-5",
                            List.of("read_file", "edit_file", "run_command"),
                            false,
                            "none",
                            List.of("AGENTS.md")),
                    new AgentEvent.UserMessage("fix the rounding of prices", "person"),
                    new AgentEvent.StepStarted(1),
                    new AgentEvent.LlmRequested(1, 2, false),
                    new AgentEvent.ThinkingDelta("The total is cut, not rounded."),
                    new AgentEvent.TextDelta("I change floor to round."),
                    new AgentEvent.LlmRetried(
                            1,
                            Duration.ofMillis(430),
                            "provider_unavailable",
                            "HTTP 529 from api.anthropic.com: Overloaded",
                            false),
                    new AgentEvent.LlmResponded(
                            1,
                            "I change floor to round.",
                            1,
                            "tool_use",
                            Duration.ofMillis(5120),
                            null),
                    new AgentEvent.UsageReported("agent", USAGE, USD),
                    new AgentEvent.BudgetUpdated(USD, CAP),
                    new AgentEvent.PermissionDecided(
                            "call_1", "edit_file", "allow", "edit_file(src/**)", "policy"),
                    new AgentEvent.ToolStarted(EDIT),
                    new AgentEvent.ToolProgress("call_1", "12 of 40 files", 30),
                    new AgentEvent.EditApplied("call_1", CHANGE, DIFF),
                    new AgentEvent.HookFinished(
                            "call_1",
                            "lint",
                            "post_edit",
                            "src/shop.py",
                            0,
                            Duration.ofMillis(48),
                            ""),
                    new AgentEvent.ToolFinished(
                            EDIT,
                            ToolResult.ok("Edited src/shop.py at line 5: +1 -1 lines."),
                            Duration.ofMillis(61)),
                    new AgentEvent.ContextCompacted(78_000, 21_000, "summary"),
                    new AgentEvent.LimitReached("max_steps", "Step limit reached (50)"),
                    new AgentEvent.Closing("max_steps", 50),
                    new AgentEvent.AgentSwitched("plan", "build"),
                    new AgentEvent.SubagentStarted(
                            "call_2",
                            "explore",
                            1,
                            "Who calls total() in src/shop.py?",
                            List.of("read_file", "grep")),
                    new AgentEvent.SubagentDid(
                            "call_2", "explore", 1, new AgentEvent.StepStarted(1)),
                    new AgentEvent.SubagentFinished(
                            "call_2",
                            "explore",
                            1,
                            "success",
                            "llm_done",
                            3,
                            5210,
                            USD,
                            Duration.ofMillis(8400)),
                    new AgentEvent.Warning("the reply was cut at its output limit"),
                    new AgentEvent.Failed(
                            "provider_unavailable", "no connection to 127.0.0.1:11434", true, true),
                    new AgentEvent.Finished(SUMMARY));

    private JsonExamples() {}
}
