package dev.agentloop.llm.anthropic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.RequestContract;
import dev.agentloop.llm.Wire;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Block;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.RawServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class AnthropicRequestTest extends RequestContract {
    private static final String MARK = ",\"cache_control\":{\"type\":\"ephemeral\"}";

    private static final String THOUGHT =
            "{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"}";

    private final Wire wire = wire();

    AnthropicRequestTest() {
        super(new AnthropicSubject());
    }

    @Override
    protected String looked() {
        return """
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"look_7","content":[\
        {"type":"text","text":"[a.png]"},\
        {"type":"image","source":{"type":"base64","media_type":"image/png","data":"iV7"}}]},\
        {"type":"tool_result","tool_use_id":"read_7","content":"text"}]}\
        """;
    }

    @Override
    protected List<String> callsIn(JsonValue request) {
        List<String> calls = new ArrayList<>();
        for (JsonValue message : request.at("messages").items()) {
            for (JsonValue block : message.at("content").items()) {
                if (block.at("type").text().equals("tool_use")) {
                    calls.add(block.at("name").text() + " " + block.at("input").raw());
                }
            }
        }
        return calls;
    }

    @Test
    void theWholeRequest() {
        List<Block> thoughts =
                List.of(new Block.Reasoning("hm", THOUGHT), new Block.Reasoning("foreign", ""));
        List<Message> history = work(new Image("image/gif", "R0"), thoughts, "a.1", "b");

        assertEquals(
                """
                {"model":"c-1","max_tokens":8192,"stream":true,\
                "tools":[{"name":"read_file","description":"Reads a file","input_schema":\
                {"type":"object","properties":{"file_path":{"type":"string"}}}}],\
                "system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],\
                "messages":[\
                {"role":"user","content":[\
                {"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0"}},\
                {"type":"text","text":"One"},{"type":"text","text":"two"}]},\
                {"role":"assistant","content":[\
                {"type":"thinking","thinking":"hm","signature":"s"},\
                {"type":"tool_use","id":"a_1","name":"read_file","input":{"x":1}},\
                {"type":"tool_use","id":"b","name":"read_file","input":{}}]},\
                {"role":"user","content":[\
                {"type":"tool_result","tool_use_id":"a_1","content":"fine"},\
                {"type":"tool_result","tool_use_id":"b","content":"no such file","is_error":true},\
                {"type":"text","text":"go on","cache_control":{"type":"ephemeral"}}]},\
                {"role":"assistant","content":[{"type":"text","text":"Done."}]}]}\
                """,
                sent(history, true));
    }

    @Test
    @DisplayName("the newest user message and the one before it are marked, also on a retry")
    void cacheMarks() {
        RawServer server = server(RawServer.events(said("x")));
        LlmAdapter adapter = at(server);
        List<Message> history = new ArrayList<>(history());
        List<String> marked = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            LlmRequest request = new LlmRequest(List.copyOf(history), List.of(READ), true, 0, true);
            adapter.complete(request, heard, cancellation);
            String first = server.lastRequest().text();
            adapter.complete(request, heard, cancellation);
            assertEquals(first, server.lastRequest().text());
            marked.add(String.join(" | ", markedTexts(first)));
            history.addAll(step(i));
        }

        assertEquals(
                List.of(
                        "Be brief. | Hello",
                        "Be brief. | Hello | content 0",
                        "Be brief. | content 0 | content 1",
                        "Be brief. | content 1 | content 2"),
                marked);
    }

    @Test
    void signedAndRedactedThinkingGoBackVerbatim() {
        String thinking =
                "{\"type\":\"thinking\",\"thinking\":\"I\\nthink\",\"signature\":\"sig+/=\"}";
        String redacted = "{\"type\":\"redacted_thinking\",\"data\":\"Eq+/\"}";
        String stream =
                wire.start()
                        + wire.reasoning("I\nth", "ink")
                        + AnthropicWire.start(5, redacted)
                        + AnthropicWire.event("content_block_stop", "\"index\":5")
                        + wire.call(6, "id_1", "read_file", "{}")
                        + wire.finish("tool_use", USAGE)
                        + wire.end();
        LlmResponse reply = ask(stream);
        assertEquals(
                List.of(
                        new Block.Reasoning("I\nthink", thinking),
                        new Block.Reasoning("", redacted),
                        new Block.Call(new ToolCall("id_1", "read_file", "{}"))),
                reply.message().blocks());

        String text = sentAfter(reply);
        assertEquals(true, text.contains("[" + thinking + "," + redacted + ",{"), text);
    }

    @Test
    @Tag("A72")
    @DisplayName("thinking without a signature is shown but does not go back")
    void unsignedThinking() {
        LlmResponse reply =
                ask(
                        wire.start()
                                + AnthropicWire.start(
                                        0, "{\"type\":\"thinking\",\"thinking\":\"hm\"}")
                                + wire.finish("end_turn", USAGE));

        assertEquals(List.of(new Block.Reasoning("hm", "")), reply.message().blocks());
        List<Message> history = new ArrayList<>(history());
        history.add(
                new Message.Assistant(
                        List.of(reply.message().blocks().getFirst(), new Block.Text("So."))));
        history.add(new Message.User("And?"));
        assertEquals(false, sent(history, true).contains("\"thinking\""));
    }

    @Test
    @DisplayName("blocks of unknown kinds are not shown, and go back in their place as they came")
    void unknownBlocksGoBackVerbatim() {
        String use =
                "{\"type\":\"server_tool_use\",\"id\":\"s\",\"name\":\"web_search\",\"input\":";
        String found =
                "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"s\",\"content\":[{\"n\":1}]}";
        String stream =
                wire.start()
                        + AnthropicWire.start(0, "{\"type\":\"compaction\",\"content\":null}")
                        + AnthropicWire.delta(
                                0, "{\"type\":\"compaction_delta\",\"content\":\"So \"}")
                        + AnthropicWire.delta(
                                0, "{\"type\":\"compaction_delta\",\"content\":\"far.\"}")
                        + AnthropicWire.event("content_block_stop", "\"index\":0")
                        + AnthropicWire.start(1, use + "{}}")
                        + AnthropicWire.delta(1, AnthropicWire.json("{\"q\":"))
                        + AnthropicWire.delta(1, AnthropicWire.json("1}"))
                        + AnthropicWire.event("content_block_stop", "\"index\":1")
                        + AnthropicWire.start(2, found)
                        + AnthropicWire.event("content_block_stop", "\"index\":2")
                        + AnthropicWire.start(3, "{\"type\":\"text\",\"text\":\"Hi\"}")
                        + AnthropicWire.event("content_block_stop", "\"index\":3")
                        + wire.finish("pause_turn", USAGE)
                        + wire.end();
        LlmResponse reply = ask(stream);
        assertEquals("Hi", heard.text.toString());
        assertEquals(List.of(), reply.toolCalls());
        assertEquals(FinishReason.PAUSED, reply.finish());
        assertEquals(List.of(), heard.warnings);

        List<Message> history = new ArrayList<>(history());
        history.add(reply.message());
        String content =
                "[{\"type\":\"compaction\",\"content\":\"So far.\"},"
                        + use
                        + "{\"q\":1}},"
                        + found
                        + ",{\"type\":\"text\",\"text\":\"Hi\"}]";
        assertEquals(true, sent(history, true).contains(content), sent(history, true));
    }

    @Test
    @Tag("row-60")
    @DisplayName("a summary that the provider made interrupts the turn, it does not end it")
    void compaction() {
        LlmResponse reply =
                ask(
                        wire.start()
                                + AnthropicWire.start(
                                        0, "{\"type\":\"compaction\",\"content\":\"x\"}")
                                + AnthropicWire.event("content_block_stop", "\"index\":0")
                                + wire.finish("compaction", USAGE));

        assertEquals(FinishReason.PAUSED, reply.finish());
        assertTrue(reply.compacted());
        assertEquals("", reply.message().text());
        assertEquals(1, reply.message().blocks().size());
        assertEquals(List.of(), heard.warnings);
    }

    @Test
    @Tag("row-60")
    @DisplayName("a summary goes back with the header that makes the API know it")
    void summaryGoesBack() {
        RawServer server =
                server(
                        RawServer.events(
                                wire.start()
                                        + AnthropicWire.start(
                                                0, "{\"type\":\"compaction\",\"content\":\"x\"}")
                                        + AnthropicWire.event("content_block_stop", "\"index\":0")
                                        + wire.finish("compaction", USAGE)),
                        RawServer.events(said("Done.")));

        AgentFixture.with(at(server)).run("Go on");

        assertEquals("", server.requests().getFirst().header("anthropic-beta"));
        assertEquals("compact-2026-01-12", server.requests().get(1).header("anthropic-beta"));
    }

    @Test
    @Tag("row-60")
    @DisplayName("a summary that failed has no text and replaces nothing")
    void failedCompaction() {
        LlmResponse reply =
                ask(
                        wire.start()
                                + AnthropicWire.start(
                                        0, "{\"type\":\"compaction\",\"content\":null}")
                                + AnthropicWire.event("content_block_stop", "\"index\":0")
                                + wire.finish("end_turn", USAGE));

        assertFalse(reply.compacted());
    }

    @Test
    @Tag("row-60")
    @DisplayName("a paused turn goes back as it is, with nothing of ours behind it")
    void aPausedTurnGoesOn() {
        String use = "{\"type\":\"server_tool_use\",\"id\":\"s\",\"name\":\"web\",\"input\":{}}";
        String paused =
                wire.start()
                        + AnthropicWire.start(0, use)
                        + AnthropicWire.event("content_block_stop", "\"index\":0")
                        + wire.finish("pause_turn", USAGE)
                        + wire.end();
        RawServer server = server(RawServer.events(paused), RawServer.events(said("It rains.")));

        RunResult result = AgentFixture.with(at(server)).run("Weather?");

        assertEquals(new RunResult(StopReason.LLM_DONE, "It rains.", 2), result);
        String last = "\"messages\":[";
        String sent = server.requests().get(1).text();
        String question = "{\"type\":\"text\",\"text\":\"Weather?\"";
        assertEquals(
                "{\"role\":\"user\",\"content\":["
                        + question
                        + MARK
                        + "}]},{\"role\":\"assistant\",\"content\":["
                        + use
                        + "]}]}",
                sent.substring(sent.indexOf(last) + last.length()));
    }

    @Test
    @Tag("row-60")
    @DisplayName("thoughts that nothing follows do not go back: the API refuses them at the end")
    void nothingButThoughts() {
        String thoughts =
                wire.start()
                        + AnthropicWire.start(
                                0,
                                "{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"}")
                        + AnthropicWire.event("content_block_stop", "\"index\":0")
                        + wire.finish("end_turn", USAGE)
                        + wire.end();
        RawServer server = server(RawServer.events(thoughts), RawServer.events(said("It rains.")));

        RunResult result = AgentFixture.with(at(server)).run("Weather?");

        assertEquals(new RunResult(StopReason.LLM_DONE, "It rains.", 2), result);
        String sent = server.requests().get(1).text();
        assertEquals(false, sent.contains("\"role\":\"assistant\""), sent);
    }

    @Test
    @DisplayName("thoughts behind the last words, or before blank ones only, do not go back either")
    void trailingThoughts() {
        String thought = "{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"}";
        List<Message> history = new ArrayList<>(history());
        history.add(
                new Message.Assistant(
                        List.of(
                                new Block.Reasoning("hm", thought),
                                new Block.Text("So."),
                                new Block.Reasoning("hm", thought),
                                new Block.Text(" "))));
        history.add(new Message.User("And?"));

        String text = sent(history, true);
        assertEquals(
                true,
                text.contains("[" + thought + ",{\"type\":\"text\",\"text\":\"So.\"}]}"),
                text);
    }

    @Test
    @DisplayName("what other protocols keep for themselves does not go back")
    void foreignProvenance() {
        List<Message> history = new ArrayList<>(history());
        history.add(
                new Message.Assistant(
                        List.of(
                                new Block.Reasoning("a", "{\"type\":\"reasoning\",\"id\":\"r\"}"),
                                new Block.Reasoning("b", "{\"thoughtSignature\":\"s\"}"),
                                new Block.Text("x"))));

        String text = sent(history, true);
        assertEquals(true, text.contains("[{\"type\":\"text\",\"text\":\"x\"}]"), text);
    }

    private static List<String> markedTexts(String request) {
        List<String> texts = new ArrayList<>();
        int at = request.indexOf(MARK);
        while (at >= 0) {
            int start = request.lastIndexOf(":\"", at) + 2;
            texts.add(request.substring(start, at - 1));
            at = request.indexOf(MARK, at + 1);
        }
        return texts;
    }
}
