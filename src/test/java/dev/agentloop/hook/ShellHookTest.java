package dev.agentloop.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.message.Block;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.Schemas;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ShellHookTest {
    private static final HookEvent CALL =
            new HookEvent.ToolReady(new ToolCall("call_1", "edit", "{\"path\":\"a\"}"));

    @TempDir Path root;
    private final ProcessRunner runner =
            new ProcessRunner(
                    Map.of("PATH", System.getenv("PATH"), "MY_API_KEY", "sk-canary"), List.of());

    @AfterEach
    void nothingIsLeft() {
        runner.killAll();
    }

    @Tag("B41")
    @DisplayName("exit code 2 blocks, whatever stands on standard output")
    @ParameterizedTest
    @ValueSource(strings = {"{\"decision\":", "{\"decision\":\"allow\"}", "nonsense", ""})
    void exitCodeTwoBlocks(String printed) {
        assertEquals(
                new HookOutcome.Deny("no such thing"),
                said("printf '%s' '" + printed + "'; echo no such thing >&2; exit 2"));
    }

    @Tag("B40")
    @Tag("scenario-31")
    @DisplayName("a command that fails before a call has denied it")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "echo why >&2; exit 1 | exit code 1, why",
                "kill -SEGV $$ | exit code 139",
                "no_such_program_at_all | cannot start: command not found",
                "sleep 30 | timed out after 1.0 s",
                "echo fine | it printed something other than a JSON object",
                "echo '[]' | it printed something other than a JSON object",
                "echo '{\"decision\":' | it printed something other than a JSON object",
                "echo '{\"decison\":\"deny\"}' | it printed the unknown key \"decison\"",
                "echo '{\"decision\":\"dney\"}' | it decided \"dney\"",
                "echo '{\"decision\":true}' | decision is no text",
                "echo '{\"continue\":\"no\"}' | continue is neither true nor false",
                "echo '{\"arguments\":\"a\"}' | the arguments it wrote are no object",
                "echo '{\"decision\":\"ask\",\"arguments\":{}}' | it says two things at once",
                "echo '{\"message\":\"hi\",\"arguments\":{}}' | it says two things at once",
                "echo '{\"hookSpecificOutput\":1}' | hookSpecificOutput is no object",
                "head -c 3000000 /dev/zero | it printed more than 1 MiB",
            })
    void aFailureDenies(String command, String reason) {
        HookOutcome said = said(command);

        assertTrue(
                said instanceof HookOutcome.Deny(String why)
                        && why.startsWith("the hook h failed: " + reason),
                said::toString);
    }

    @Test
    @Tag("C28")
    @DisplayName("on_failure: allow goes on after a failure, and says so")
    void aFailureMayBeLetThrough() {
        ShellHook.Spec spec =
                new ShellHook.Spec(
                        HookPoint.PRE_TOOL,
                        "h",
                        "true; exit 7",
                        List.of(),
                        Duration.ofSeconds(5),
                        true);

        HookAnswer answer = hook(spec).ask(CALL, new Cancellation());

        assertEquals(HookOutcome.goOn(), answer.outcome());
        assertEquals("exit code 7", answer.trouble());
        assertEquals(7, Objects.requireNonNull(answer.report()).exitCode());
    }

    @DisplayName("Our words and Claude Code's say the same")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true | Continue[note=]",
                "echo '{}' | Continue[note=]",
                "echo '{\"decision\":\"allow\"}' | Continue[note=]",
                "echo '{\"context\":\"look at b\"}' | Continue[note=look at b]",
                "echo '{\"decision\":\"deny\",\"reason\":\"r\"}' | Deny[reason=r]",
                "echo '{\"decision\":\"block\",\"reason\":\"r\"}' | Deny[reason=r]",
                "echo '{\"decision\":\"skip\",\"reason\":\"r\"}' | Skip[reason=r]",
                "echo '{\"decision\":\"ask\",\"reason\":\"r\"}' | Ask[reason=r]",
                "echo '{\"decision\":\"terminate\",\"reason\":\"r\"}' | Terminate[reason=r]",
                "echo '{\"continue\":false,\"stopReason\":\"r\"}' | Terminate[reason=r]",
                "echo '{\"continue\":false,\"decision\":\"deny\",\"reason\":\"r\"}' |"
                        + " Terminate[reason=r]",
                "echo '{\"arguments\":{\"path\":\"b\"}}' |"
                        + " Rewrite[arguments={\"path\":\"b\"}, note=]",
                "echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\","
                        + "\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"r\"}}' |"
                        + " Deny[reason=r]",
                "echo '{\"hookSpecificOutput\":{\"permissionDecision\":\"ask\"}}' | Ask[reason=]",
                "echo '{\"hookSpecificOutput\":{\"permissionDecision\":\"allow\","
                        + "\"updatedInput\":{\"path\":\"b\"},\"additionalContext\":\"c\"}}' |"
                        + " Rewrite[arguments={\"path\":\"b\"}, note=c]",
            })
    void whatIsSaidIsUnderstood(String command, String outcome) {
        assertEquals(outcome, said(command).toString());
    }

    @DisplayName("Exit code 2 stops what can still be stopped")
    @ParameterizedTest
    @CsvSource({
        "SESSION_START,Terminate",
        "PRE_LLM,Terminate",
        "POST_LLM,Terminate",
        "AGENT_DONE,Inject",
        "POST_TOOL,Continue",
        "SESSION_END,Continue"
    })
    void exitCodeTwoElsewhere(HookPoint point, String outcome) {
        assertEquals(outcome, ask(point, "echo r >&2; exit 2", event(point)).outcome().name());
    }

    @Test
    @DisplayName("Words on standard output are context where context is wanted, else a log")
    void plainWords() {
        assertEquals(
                new HookOutcome.Continue("branch: main"),
                ask(HookPoint.SESSION_START, "echo branch: main", event(HookPoint.SESSION_START))
                        .outcome());
        assertEquals(
                HookOutcome.goOn(),
                ask(HookPoint.ITERATION, "echo noted", event(HookPoint.ITERATION)).outcome());
    }

    @DisplayName("What a command reads is what the schema says, for every event")
    @ParameterizedTest
    @EnumSource(HookPoint.class)
    void theInputFollowsItsSchema(HookPoint point) throws IOException {
        HookAnswer answer = ask(point, "cat >input; true", event(point));

        assertEquals("", answer.trouble());
        String read = Files.readString(root.resolve("input"));
        assertEquals(List.of(), Schemas.problems("hook", read), read);
        assertFalse(Schemas.problems("hook", read.replace(point.wireName(), "x")).isEmpty());
    }

    @Test
    @DisplayName("Every event can be heard by a command, under its names")
    void everyPointHasAnEvent() {
        assertEquals(
                Set.of(HookPoint.values()),
                EnumSet.allOf(HookPoint.class).stream()
                        .map(point -> event(point).point())
                        .collect(java.util.stream.Collectors.toSet()));
    }

    @Test
    @DisplayName("A command need not read; what it does not read does no harm")
    void inputMayBeClosedEarly() {
        HookEvent large =
                new HookEvent.ToolReady(
                        new ToolCall("c", "edit", "{\"path\":\"" + "x".repeat(1 << 20) + "\"}"));

        for (String command : List.of("true", "exec <&-; sleep 0.2", "head -c 10 >/dev/null")) {
            assertEquals(HookOutcome.goOn(), ask(HookPoint.PRE_TOOL, command, large).outcome());
        }
        HookEvent read = new HookEvent.ToolEnded(((HookEvent.ToolReady) large).call(), ok());
        HookOutcome counted = ask(HookPoint.POST_TOOL, "wc -c", read).outcome();
        assertTrue(
                counted instanceof HookOutcome.Continue(String bytes)
                        && Long.parseLong(bytes) > (1 << 20),
                counted::toString);
    }

    private static ToolResult ok() {
        return ToolResult.ok("done");
    }

    @Test
    @DisplayName("Long arguments come back whole, though only 4 KB are shown")
    void longArgumentsComeBack() {
        HookAnswer answer =
                ask(
                        HookPoint.PRE_TOOL,
                        "printf '{\"arguments\":{\"path\":\"'; head -c 200000 /dev/zero | tr '\\0' x;"
                                + " printf '\"}}'",
                        CALL);

        assertEquals(
                new HookOutcome.Rewrite("{\"path\":\"" + "x".repeat(200_000) + "\"}", ""),
                answer.outcome());
        assertTrue(Objects.requireNonNull(answer.report()).output().length() <= 4_096);
    }

    @Test
    @DisplayName("A reason is cut to 4 KB; the environment is scrubbed and names the event")
    void boundedAndScrubbed() {
        HookOutcome said = said("seq 100000 >&2; exit 2");
        assertTrue(said instanceof HookOutcome.Deny(String why) && why.length() <= 4_096);

        HookAnswer told =
                ask(
                        HookPoint.POST_TOOL,
                        "echo $AGENT_HOOK $AGENT_HOOK_EVENT $AGENT_SESSION_ID ${MY_API_KEY:-none}",
                        event(HookPoint.POST_TOOL));
        assertEquals(new HookOutcome.Continue("h post_tool s1 none"), told.outcome());
    }

    @Test
    @DisplayName("tools: a hook speaks about the tools it names")
    void aHookSpeaksAboutItsTools() {
        ShellHook.Spec spec =
                new ShellHook.Spec(
                        HookPoint.PRE_TOOL,
                        "h",
                        "true",
                        List.of("edit_*", "mcp_{a,b}_*"),
                        Duration.ofSeconds(5),
                        false);

        assertEquals(
                List.of(true, false, true, false),
                List.of("edit_file", "edit", "mcp_b_x", "mcp_c_x").stream()
                        .map(tool -> new HookEvent.ToolReady(new ToolCall("c", tool, "{}")))
                        .map(hook(spec)::hears)
                        .toList());
    }

    @Test
    @Tag("B40")
    @DisplayName("a program that is missing is looked for once, unless its answer is needed")
    void aMissingProgramIsLookedForOnce() {
        for (HookPoint point : List.of(HookPoint.POST_TOOL, HookPoint.PRE_TOOL)) {
            ShellHook hook = hook(spec(point, "no_such_program_at_all"));
            HookEvent event = event(point);
            assertTrue(hook.hears(event));
            hook.ask(event, new Cancellation());
            assertEquals(point == HookPoint.PRE_TOOL, hook.hears(event));
        }
    }

    @Test
    void thereIsNoFileToName() {
        assertTrue(
                assertThrows(
                                IllegalArgumentException.class,
                                () -> spec(HookPoint.PRE_TOOL, "lint {file}"))
                        .getMessage()
                        .contains("known to post_edit only"));
    }

    private HookOutcome said(String command) {
        return ask(HookPoint.PRE_TOOL, command, CALL).outcome();
    }

    private HookAnswer ask(HookPoint point, String command, HookEvent event) {
        return hook(spec(point, command)).ask(event, new Cancellation());
    }

    private static ShellHook.Spec spec(HookPoint point, String command) {
        Duration timeout = Duration.ofSeconds(command.startsWith("sleep 30") ? 1 : 20);
        return new ShellHook.Spec(point, "h", command, List.of(), timeout, false);
    }

    private ShellHook hook(ShellHook.Spec spec) {
        return new ShellHook(spec, new ShellHook.Place(root, "s1"), runner);
    }

    private static HookEvent event(HookPoint point) {
        ToolCall call = new ToolCall("call_1", "edit", "{\"path\":\"a\"}");
        HookEvent.Progress progress = new HookEvent.Progress(2, 1_000, new BigDecimal("0.01"));
        return switch (point) {
            case SESSION_START -> new HookEvent.SessionStarted("go");
            case PROMPT_BUILD -> new HookEvent.PromptBuilt("You are a test.");
            case ITERATION -> new HookEvent.StepBegins(progress);
            case PRE_LLM -> new HookEvent.RequestReady(List.of(new Message.User("go")));
            case POST_LLM ->
                    new HookEvent.Replied(
                            1,
                            new Message.Assistant(
                                    List.of(new Block.Text("I edit."), new Block.Call(call))),
                            new Usage(1, 2, 3, 4, 0, false));
            case PRE_TOOL -> new HookEvent.ToolReady(call);
            case POST_TOOL ->
                    new HookEvent.ToolEnded(
                            call,
                            ToolResult.ok("done")
                                    .withExitCode(0)
                                    .withChanges(
                                            List.of(
                                                    new FileChange(
                                                            "a", FileChange.Kind.ADDED, 1, 0))));
            case POST_EDIT -> new HookEvent.FileEdited("call_1", "a");
            case COMPACTION -> new HookEvent.Compacted(9, 3);
            case STEP_END -> new HookEvent.StepEnded(new HookEvent.Progress(2, 1_000, null));
            case AGENT_DONE -> new HookEvent.Answered("Done.", 2);
            case ERROR -> new HookEvent.Broken("llm_error", "no");
            case BUDGET_WARNING -> new HookEvent.BudgetLow(BigDecimal.ONE, BigDecimal.TEN);
            case SESSION_END -> new HookEvent.SessionEnded("llm_done", "Done.", 2);
        };
    }
}
