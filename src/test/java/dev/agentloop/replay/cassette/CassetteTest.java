package dev.agentloop.replay.cassette;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.hook.HookAnswer;
import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookReport;
import dev.agentloop.json.Json;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.PartialReply;
import dev.agentloop.loop.call.ToolAnswers;
import dev.agentloop.message.Block;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.replay.RecordingLlm;
import dev.agentloop.replay.ReplayingLlm;
import dev.agentloop.replay.UnstableText;
import dev.agentloop.replay.view.StepViews;
import dev.agentloop.testing.ScriptedLlm;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Cassettes as a library of others would use them. */
class CassetteTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration NOW = Duration.ofMillis(7);
    private static final ToolCall CALL = new ToolCall("c1", "read_file", "{\"file_path\":\"a\"}");

    static List<CassetteLine> lines() {
        List<CassetteLine> all = new ArrayList<>(events());
        all.addAll(answers());
        return all;
    }

    private static ToolResult result() {
        return new ToolResult(
                ToolResult.Kind.OK,
                "text with \u0000 and \u2028",
                List.of(new FileChange("a", FileChange.Kind.ADDED, 1, 0)),
                OptionalInt.of(3),
                true,
                List.of(new Image("image/png", "AAAA")));
    }

    private static List<CassetteLine> events() {
        return List.of(
                new CassetteLine.Event(NOON, new AgentEvent.ToolFinished(CALL, result(), NOW)),
                new CassetteLine.Event(NOON, new AgentEvent.ToolProgress("c1", "half", 50)),
                new CassetteLine.Event(NOON, new AgentEvent.BudgetUpdated(null, null)),
                new CassetteLine.Opened(
                        List.of(
                                new Message.System("be good"),
                                new Message.User("go", List.of(new Image("image/png", "A"))),
                                new Message.Assistant(
                                        List.of(
                                                new Block.Reasoning("hm", "{}"),
                                                new Block.Call(CALL))))));
    }

    private static List<CassetteLine> answers() {
        return List.of(
                new CassetteLine.AttemptFailed(
                        "p/m",
                        new Failure(
                                "provider_unavailable",
                                "busy",
                                Duration.ofSeconds(2),
                                new PartialReply("ha", Usage.NONE, true, 12),
                                null)),
                new CassetteLine.Broke(
                        "p/m",
                        new Failure(
                                "cancelled",
                                "stopped",
                                null,
                                PartialReply.NONE,
                                new Cause.Interrupt("INT"))),
                new CassetteLine.ToolsAnswered(
                        new ToolAnswers(
                                List.of(new Message.Tool("c1", result())),
                                List.of("write a"),
                                1,
                                false,
                                new Cause.HookStop("h", "late"))),
                new CassetteLine.HookAnswered(
                        "iteration",
                        new HookAnswer(
                                "h",
                                new HookOutcome.Rewrite("{}", "n"),
                                "",
                                new HookReport("h", "", 0, NOW, "out"))));
    }

    @ParameterizedTest
    @MethodSource("lines")
    @DisplayName("Every kind of line comes back as it was")
    void lossless(CassetteLine line) throws Exception {
        byte[] written = new RecordWriter(text -> text).bytes(CassetteLine.class, line);

        assertEquals(line, RecordReader.read(CassetteLine.class, Json.parse(written)));
    }

    @Test
    @DisplayName("A model is recorded and replayed without a run: pieces, failures, replies")
    void library(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("model.cassette");
        LlmRequest first = request("hello");
        LlmException busy = new LlmException.Unavailable("busy", null, null);
        try (CassetteWriter writer =
                CassetteWriter.create(
                        file,
                        CassetteHeader.ofModel("1", NOON, "test/scripted", Map.of()),
                        text -> text)) {
            LlmAdapter model = ScriptedLlm.of(ScriptedLlm.says("hi"), ScriptedLlm.fails(busy));
            var recorded = new RecordingLlm(model, writer::write, () -> 1);
            recorded.complete(first, LlmListener.NONE, new Cancellation());
            assertThrows(
                    LlmException.Unavailable.class,
                    () -> recorded.complete(first, LlmListener.NONE, new Cancellation()));
        }
        Cassette cassette = CassetteReader.read(file);
        LlmAdapter replayed =
                ReplayingLlm.of(cassette, ScriptedLlm.of().model(), Map.of("workspace", "/b"));

        LlmResponse reply = replayed.complete(first, LlmListener.NONE, new Cancellation());
        assertEquals("hi", reply.message().text());
        assertThrows(
                LlmException.Unavailable.class,
                () -> replayed.complete(first, LlmListener.NONE, new Cancellation()));
        LlmException none =
                assertThrows(
                        LlmException.Unrecorded.class,
                        () -> replayed.complete(first, LlmListener.NONE, new Cancellation()));
        assertEquals("replay_mismatch", none.code());
        assertTrue(String.valueOf(none.getMessage()).contains("requests is one more"));
        assertTrue(cassette.end().isEmpty());
    }

    private static LlmRequest request(String text) {
        return new LlmRequest(
                List.of(new Message.System("s"), new Message.User(text)), List.of(), true, 0, true);
    }

    @ParameterizedTest
    @DisplayName("What is volatile, and what only looks like it")
    @CsvSource(
            delimiter = '|',
            value = {
                "/work/a/src/x.py:12 | {workspace}/src/x.py:12",
                "/home/ann/.m2 | {home}/.m2",
                "/tmp/junit8812/out | {temp}/*/out",
                "took 0.31s, 12 ms, 3 minutes | took {duration}, {duration}, {duration}",
                "at 2026-03-01T12:00:00.123Z on 2026-03-01 | at {time} on {date}",
                "12:00:01 | {time}",
                "[[secret:KEY:0123456789abcdef0123]] | [[secret:KEY]]",
                "Platform: Mac OS X | Platform: {platform}",
                "3 files, 12 tests, version 1.2.3, line 5 | 3 files, 12 tests, version 1.2.3, line 5",
            })
    void volatileTexts(String text, String plain) {
        Map<String, String> places =
                Map.of("workspace", "/work/a", "home", "/home/ann", "temp", "/tmp");

        assertEquals(plain, new UnstableText(places).apply(text));
    }

    @Test
    @DisplayName("A cassette of the first version is read for ever, with each of its names")
    void golden() throws Exception {
        Cassette cassette =
                CassetteReader.read(Path.of("src/test/resources/replay/version-1.cassette"));

        assertEquals("write a", cassette.header().task());
        assertEquals("success", cassette.end().orElseThrow().status());
        assertEquals(3, StepViews.of(cassette).size());
    }
}
