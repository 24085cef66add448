package dev.agentloop.llm.openai;

import static dev.agentloop.llm.openai.ChatWire.chunk;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.SystemTime;
import dev.agentloop.llm.AdapterFixture;
import dev.agentloop.llm.Capabilities;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.Subject;
import dev.agentloop.llm.ToolNames;
import dev.agentloop.llm.Wire;
import dev.agentloop.llm.http.HttpLimits;
import dev.agentloop.llm.http.HttpTransport;
import dev.agentloop.llm.provider.ProviderEndpoint;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.testing.RawServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that want to see the reasoning of their models again. */
final class ChatReasoningTest extends AdapterFixture {
    private static final class ReasoningSubject implements Subject {
        private final Wire wire = new ChatWire();

        @Override
        public Wire wire() {
            return wire;
        }

        @Override
        public LlmAdapter adapter(ProviderEndpoint endpoint, HttpTransport transport) {
            Capabilities seesItAgain =
                    new Capabilities(
                            true,
                            true,
                            Set.of(),
                            true,
                            true,
                            false,
                            true,
                            false,
                            true,
                            ToolNames.OWN);
            ModelInfo model = new ModelInfo("canary", "m-1", 0, 0, seesItAgain);
            return new OpenAiChatAdapter(endpoint, model, transport);
        }

        @Override
        public String base(String address) {
            return address + "/v1";
        }
    }

    ChatReasoningTest() {
        super(new ReasoningSubject());
    }

    private LlmResponse thought(String... deltas) {
        StringBuilder stream = new StringBuilder();
        for (String delta : deltas) {
            stream.append(chunk("{" + delta + "}", "null"));
        }
        String text = chunk("{\"content\":\"So.\"}", "\"stop\"");
        return ask(stream + text + wire().end());
    }

    private String sentAfter(Message reply) {
        RawServer server = server(RawServer.events(said("x")));
        List<Message> history = new ArrayList<>(history());
        history.add(reply);
        LlmRequest request = new LlmRequest(history, List.of(), true, 0, true);
        at(server).complete(request, heard, cancellation);
        return server.lastRequest().text();
    }

    @ParameterizedTest
    @ValueSource(strings = {"reasoning_content", "reasoning"})
    void textGoesBackInItsOwnMember(String member) {
        LlmResponse reply =
                thought("\"" + member + "\":\"I th\"", "\"" + member + "\":\"ink\\n\\\"\"");

        assertEquals("I think\n\"", heard.thinking.toString());
        assertTrue(
                sentAfter(reply.message())
                        .endsWith(
                                ("{\"role\":\"assistant\",\"content\":\"So.\","
                                                + "\"%s\":\"I think\\n\\\"\"}]}")
                                        .formatted(member)));
    }

    @Test
    void bothMembersAreShownOnceAndGoBackBoth() {
        LlmResponse reply = thought("\"reasoning_content\":\"hm\",\"reasoning\":\"hm\"");

        assertEquals("hm", heard.thinking.toString());
        assertTrue(
                sentAfter(reply.message())
                        .contains("\"reasoning_content\":\"hm\",\"reasoning\":\"hm\"}"));
    }

    @Test
    void detailsGoBackPutTogether() {
        LlmResponse reply =
                thought(
                        detail("\"type\":\"reasoning.text\",\"index\":0,\"text\":\"I \""),
                        detail("\"type\":\"reasoning.text\",\"index\":0,\"text\":\"think\""),
                        detail("\"type\":\"reasoning.text\",\"index\":0,\"signature\":\"s+/=\""),
                        detail("\"type\":\"reasoning.encrypted\",\"index\":1,\"data\":\"gA=\""),
                        "\"reasoning_details\":[null,7]");

        assertTrue(
                sentAfter(reply.message())
                        .endsWith(
                                """
                                "content":"So.","reasoning_details":[\
                                {"type":"reasoning.text","index":0,"text":"I think",\
                                "signature":"s+/="},\
                                {"type":"reasoning.encrypted","index":1,"data":"gA="}]}]}\
                                """));
    }

    @Test
    void foreignReasoningStaysHere() {
        String text =
                sentAfter(
                        new Message.Assistant(
                                List.of(
                                        new Block.Reasoning("a", "{\"type\":\"thinking\"}"),
                                        new Block.Reasoning("b", "{\"reasoning\":\"cut"),
                                        new Block.Text("So."))));

        assertTrue(text.endsWith("{\"role\":\"assistant\",\"content\":\"So.\"}]}"), text);
    }

    @Test
    void callsWithoutAThoughtSaySo() {
        Block call = new Block.Call(new ToolCall("c", "t", "{}"));

        String text = sentAfter(new Message.Assistant(List.of(call)));

        assertTrue(
                text.contains("\"content\":null,\"reasoning_content\":\"\",\"tool_calls\":"), text);
    }

    @Test
    void otherServersDoNotGetIt() {
        LlmResponse reply = thought("\"reasoning_content\":\"hm\"");
        RawServer server = server(RawServer.events(said("x")));
        ChatSubject plain = new ChatSubject();
        HttpTransport transport = new HttpTransport(new SystemTime(), Map.of(), HttpLimits.DEFAULT);
        ProviderEndpoint endpoint =
                new ProviderEndpoint("p", plain.base(server.url()), null, "", Map.of());
        try (LlmAdapter adapter = plain.adapter(endpoint, transport)) {
            adapter.complete(
                    new LlmRequest(List.of(reply.message()), List.of(), true, 0, true),
                    heard,
                    cancellation);
        }

        assertFalse(server.lastRequest().text().contains("reasoning"));
    }

    private static String detail(String members) {
        return "\"reasoning_details\":[{" + members + "}]";
    }
}
