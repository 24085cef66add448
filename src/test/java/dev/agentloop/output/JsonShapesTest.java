package dev.agentloop.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.RunSummary;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.testing.Schemas;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class JsonShapesTest {
    private static final ToolCall CALL = new ToolCall("c1", "edit_file", "{\"file_path\":\"a\"}");
    private static final FileChange CHANGE = new FileChange("a", FileChange.Kind.MODIFIED, 1, 2);

    @Test
    @DisplayName("every kind of event is valid against the published schema, seq without gaps")
    void everyEventIsValid() throws Exception {
        List<String> lines = new ArrayList<>();
        JsonLines stream =
                new JsonLines(
                        bytes -> lines.add(new String(bytes, StandardCharsets.UTF_8)),
                        () -> Instant.parse("2026-11-21T10:00:00Z"));

        everyEvent().forEach(stream::emit);
        eventsOfSubagents().forEach(stream::emit);

        for (int i = 0; i < lines.size(); i++) {
            assertEquals(List.of(), Schemas.problems("events", lines.get(i)), lines.get(i));
            JsonValue line = Json.parse(lines.get(i).strip());
            assertEquals(i, line.at("seq").asLong());
            assertTrue(lines.get(i).endsWith("\n"));
            assertEquals(1, lines.get(i).lines().count());
        }
    }

    @Test
    void noKindOfEventIsForgottenHere() {
        Set<Class<?>> seen = new HashSet<>();
        everyEvent().forEach(event -> seen.add(event.getClass()));
        eventsOfSubagents().forEach(event -> seen.add(event.getClass()));

        assertEquals(Set.copyOf(Arrays.asList(AgentEvent.class.getPermittedSubclasses())), seen);
    }

    @Test
    @Tag("scenario-68")
    @DisplayName("the result is valid against the published schema")
    void theResultIsValid() throws Exception {
        String json = new String(ResultJson.bytes(summary()), StandardCharsets.UTF_8);

        assertEquals(List.of(), Schemas.problems("result", json));
        assertEquals("llm_done", Json.parse(json).at("stop_reason").text());
        assertTrue(json.contains("\"usd\":0.00421,"), json);
    }

    @Test
    @DisplayName("the last event has the fields of the result object, described alike")
    void theResultEventIsTheResult() throws Exception {
        JsonValue result = schema("result").at("properties");
        JsonValue event =
                schema("events").at("oneOf").items().stream()
                        .map(branch -> branch.at("properties"))
                        .filter(fields -> fields.at("type").at("const").text().equals("result"))
                        .findFirst()
                        .orElseThrow();

        for (String field : result.keys()) {
            if (!field.equals("type")) { // described at greater length where it stands alone
                assertEquals(result.at(field), event.at(field), field);
            }
        }
        assertEquals(result.keys().size() + 2, event.keys().size(), "seq and ts, nothing else");
    }

    private static JsonValue schema(String name) throws Exception {
        try (var in = ResultJson.class.getResourceAsStream("/schemas/" + name + ".schema.json")) {
            return Json.parse(in.readAllBytes());
        }
    }

    @Test
    @Tag("A41")
    @DisplayName("a lone surrogate in any text becomes U+FFFD, never a broken document")
    void loneSurrogatesAreMended() throws Exception {
        String json =
                new String(
                        Json.bytes(out -> {
                            out.writeStartObject();
                            EventJson.writeFields(out, new AgentEvent.TextDelta("a\ud83d"));
                            out.writeEndObject();
                        }),
                        StandardCharsets.UTF_8);

        assertEquals("a\uFFFD", Json.parse(json).at("text").text());
    }

    private static List<AgentEvent> eventsOfSubagents() {
        return List.of(
                new AgentEvent.SubagentStarted("c1", "explore", 1, "Look.", List.of("grep")),
                new AgentEvent.SubagentDid("c1", "explore", 1, new AgentEvent.StepStarted(1)),
                new AgentEvent.SubagentFinished(
                        "c1", "explore", 1, "partial", "max_steps", 3, 99, null, Duration.ZERO));
    }

    private static List<AgentEvent> everyEvent() {
        Usage usage = new Usage(1, 2, 3, 4, 1, true);
        ToolResult result = ToolResult.error("no").withExitCode(3).withChanges(List.of(CHANGE));
        return List.of(
                new AgentEvent.SessionStarted(
                        "S1",
                        "/w",
                        "build",
                        "test/model",
                        List.of("grep"),
                        false,
                        "none",
                        List.of("AGENTS.md")),
                new AgentEvent.UserMessage("hi", "person"),
                new AgentEvent.StepStarted(1),
                new AgentEvent.LlmRequested(1, 2, false),
                new AgentEvent.TextDelta("a"),
                new AgentEvent.ThinkingDelta("b"),
                new AgentEvent.LlmRetried(1, Duration.ofSeconds(1), "x", "y", false),
                new AgentEvent.LlmResponded(1, "t", 1, "tool_use", Duration.ZERO, null),
                new AgentEvent.LlmResponded(1, "", 0, "error", Duration.ZERO, "bad_request"),
                new AgentEvent.UsageReported("agent", usage, new BigDecimal("0.1")),
                new AgentEvent.UsageReported("agent", usage, null),
                new AgentEvent.PermissionDecided("c1", "edit_file", "deny", "yolo", "policy"),
                new AgentEvent.ToolStarted(CALL),
                new AgentEvent.ToolProgress("c1", "half", 50),
                new AgentEvent.ToolProgress("c1", "more", null),
                new AgentEvent.ToolFinished(CALL, result, Duration.ofMillis(5)),
                new AgentEvent.EditApplied("c1", CHANGE, ""),
                new AgentEvent.HookFinished(
                        "c1", "lint", "post_edit", "a", -1, Duration.ZERO, "timed out"),
                new AgentEvent.ContextCompacted(100, 50, "clearing"),
                new AgentEvent.BudgetUpdated(null, new BigDecimal("2")),
                new AgentEvent.LimitReached("timeout", "Time limit reached"),
                new AgentEvent.Closing("timeout", 3),
                new AgentEvent.AgentSwitched("plan", "build"),
                new AgentEvent.Warning("w"),
                new AgentEvent.Failed("x", "y", true, false),
                new AgentEvent.Finished(summary()));
    }

    private static RunSummary summary() {
        return HumanRendererTest.summary("success", "llm_done", 0);
    }
}
