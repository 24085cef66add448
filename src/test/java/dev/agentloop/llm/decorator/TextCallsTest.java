package dev.agentloop.llm.decorator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.decorator.TextCalls.Call;
import dev.agentloop.llm.decorator.TextCalls.Found;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextCallsTest {
    private static final String PARAMETERS =
            """
            {"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer"}}}\
            """;
    private static final List<ToolSpec> TOOLS =
            List.of(new ToolSpec("read", "Reads.", PARAMETERS, Effect.PURE));
    private static final String HERMES =
            "<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"a.txt\"}}\n</tool_call>";
    private static final Call READ = new Call("read", "{\"path\":\"a.txt\"}");

    private static Found in(String text) {
        return new TextCalls(TOOLS).in(text);
    }

    @Test
    void aCallOfHermesLeavesTheTextBeforeIt() {
        assertEquals(new Found("Let me look.", List.of(READ)), in("Let me look.\n" + HERMES));
        assertEquals(
                new Found("One.\n\nTwo.", List.of(READ, READ)),
                in("One.\n" + HERMES + "\nTwo.\n" + HERMES));
    }

    @Test
    void anEndInsideAnArgumentIsNotTheEnd() {
        assertEquals(
                new Found("", List.of(new Call("read", "{\"path\":\"</tool_call>\"}"))),
                in(
                        "<tool_call>{\"name\":\"read\",\"arguments\":{\"path\":\"</tool_call>\"}}</tool_call>"));
    }

    @Test
    void theLastEndMayBeMissing() {
        assertEquals(
                new Found("", List.of(READ)),
                in(
                        "<tool_call>{\"name\":\"read\",\"arguments\":\"{\\\"path\\\":\\\"a.txt\\\"}\"}"));
    }

    @Test
    void aCodersValuesAreTypedAsTheToolDeclaresThem() {
        String call =
                """
                <function=read>
                <parameter=path>
                a </parameter> in
                two lines
                </parameter>
                <parameter=limit>
                5
                </parameter>
                </function>\
                """;
        Call expected =
                new Call("read", "{\"path\":\"a </parameter> in\\ntwo lines\",\"limit\":5}");

        assertEquals(new Found("So:", List.of(expected)), in("So:\n" + call));
        assertEquals(
                new Found("", List.of(expected)), in("<tool_call>\n" + call + "\n</tool_call>"));
        assertEquals(
                List.of(new Call("read", "{\"limit\":\"five\"}")),
                in("<function=read><parameter=limit>five</parameter></function>").calls());
    }

    @Test
    void llamaCallsBehindItsTagOrWithNothingElse() {
        String json = "{\"name\": \"read\", \"parameters\": {\"path\": \"a.txt\"}}";

        assertEquals(new Found("", List.of(READ)), in(json));
        assertEquals(new Found("", List.of(READ)), in("\n" + json + "\n"));
        assertEquals(
                new Found("Fine.", List.of(READ)),
                in("Fine. <|python_tag|>" + json + "<|eom_id|>"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain text with {braces} and <tags>",
                "<tool_call>{\"name\":\"write\",\"arguments\":{}}</tool_call>",
                "<tool_call>{\"name\":\"read\"}</tool_call>",
                "<tool_call>{\"name\":\"read\",\"arguments\":[]}</tool_call>",
                "<tool_call>{\"name\":\"read\",\"arguments\":{},\"parameters\":{}}</tool_call>",
                "<tool_call>{\"name\":\"read\",\"arguments\":{},\"why\":1}</tool_call>",
                "<tool_call>{\"name\":\"read\",\"arguments\":{\"path\":\"a</tool_call>",
                "<tool_call>read(a.txt)</tool_call>",
                "<function=write></function>",
                "<function=read><parameter=path>a",
                "<function=read><parameter=path>a</parameter><parameter=path>b</parameter></function>",
                "<function=read>path</function>",
                "<|python_tag|>print(1)",
                "{\"name\":\"read\",\"parameters\":{}} and more",
                "{\"name\":\"someone\",\"parameters\":{}}",
                "{\"answer\":42}",
                "Write `<tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>` like this.",
                "```\n<tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>\n```",
                "",
            })
    void whatIsDoubtfulStaysText(String text) {
        assertEquals(new Found(text, List.of()), in(text));
    }

    @Test
    void aFloodOfTagsIsReadInNoTime() {
        String flood = "<tool_call>".repeat(40_000) + "</tool_call>".repeat(40_000);
        long start = System.nanoTime();

        assertEquals(List.of(), in(flood).calls());
        assertTrue(Duration.ofNanos(System.nanoTime() - start).toSeconds() < 5);
    }

    @Test
    void theListenerHearsNothingOfACallHoweverItIsCut() {
        for (int size = 1; size < 40; size++) {
            Told told = new Told();
            LlmResponse reply = ask("Let me < look.\n" + HERMES, size, told, TOOLS);

            assertEquals("Let me < look.\n", told.text.toString());
            assertEquals(
                    List.of(new ToolCall("call_1", "read", "{\"path\":\"a.txt\"}")),
                    reply.toolCalls());
            assertEquals("Let me < look.", reply.message().text());
            assertEquals(FinishReason.TOOL_USE, reply.finish());
        }
    }

    @Test
    void whatWasHeldInVainIsToldAtTheEnd() {
        for (String text :
                List.of(
                        "{\"answer\": 42}",
                        "use <tool_call> for calls",
                        "  {x",
                        "a <|py",
                        " \n ")) {
            for (int size = 1; size < 8; size++) {
                Told told = new Told();
                LlmResponse reply = ask(text, size, told, TOOLS);

                assertEquals(text, told.text.toString());
                assertEquals(text, reply.message().text());
            }
        }
    }

    @Test
    void withoutToolsTheTextIsLeftAlone() {
        Told told = new Told();

        assertEquals(HERMES, ask(HERMES, 5, told, List.of()).message().text());
        assertEquals(HERMES, told.text.toString());
    }

    @Test
    void idsOfTheHistoryAreNotTakenAgain() {
        LlmResponse first = ask(HERMES, 9, new Told(), TOOLS);
        List<Message> history =
                List.of(
                        new Message.User("go"),
                        first.message(),
                        new Message.Tool("call_1", ToolResult.ok("x")));
        LlmRequest request = new LlmRequest(history, TOOLS, true, 0, true);
        LlmResponse second =
                new TextCallsLlm(new Writer(HERMES, 9, FinishReason.END_TURN))
                        .complete(request, LlmListener.NONE, new Cancellation());

        assertEquals("call_2", second.toolCalls().getFirst().id());
    }

    @Test
    void aReplyThatWasCutCallsNothing() {
        LlmRequest request = new LlmRequest(List.of(new Message.User("go")), TOOLS, true, 0, true);
        LlmResponse cut =
                new TextCallsLlm(new Writer(HERMES, 9, FinishReason.MAX_TOKENS))
                        .complete(request, LlmListener.NONE, new Cancellation());

        assertEquals(List.of(), cut.toolCalls());
        assertEquals(HERMES, cut.message().text());
    }

    @Test
    void textThatItsServerReplacedIsForgotten() {
        LlmAdapter replacing =
                new Writer("Here.\n" + HERMES, 9, FinishReason.END_TURN) {
                    @Override
                    public LlmResponse complete(
                            LlmRequest request, LlmListener listener, Cancellation cancellation) {
                        listener.text("Wait a long while. <tool_call>");
                        LlmException why = new LlmException.BrokenReply("once more", null);
                        listener.retry(1, Duration.ZERO, why, true);
                        return super.complete(request, listener, cancellation);
                    }
                };
        Told told = new Told();
        LlmRequest request = new LlmRequest(List.of(new Message.User("go")), TOOLS, true, 0, true);

        LlmResponse reply = new TextCallsLlm(replacing).complete(request, told, new Cancellation());

        assertEquals(1, reply.toolCalls().size());
        assertEquals("Wait a long while. [withdrawn]Here.\n", told.text.toString());
    }

    private static LlmResponse ask(String text, int size, Told told, List<ToolSpec> tools) {
        LlmRequest request = new LlmRequest(List.of(new Message.User("go")), tools, true, 0, true);
        return new TextCallsLlm(new Writer(text, size, FinishReason.END_TURN))
                .complete(request, told, new Cancellation());
    }

    private static final class Told implements LlmListener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public void text(String delta) {
            text.append(delta);
        }

        @Override
        public void retry(
                int attempt, Duration delay, LlmException failure, boolean textWithdrawn) {
            text.append(textWithdrawn ? "[withdrawn]" : "[retry]");
        }
    }

    /** A model that writes this text in pieces of this size. */
    private static class Writer implements LlmAdapter {
        private final String text;
        private final int size;
        private final FinishReason finish;

        Writer(String text, int size, FinishReason finish) {
            this.text = text;
            this.size = size;
            this.finish = finish;
        }

        @Override
        public LlmResponse complete(
                LlmRequest request, LlmListener listener, Cancellation cancellation) {
            for (int at = 0; at < text.length(); at += size) {
                listener.text(text.substring(at, Math.min(text.length(), at + size)));
            }
            return new LlmResponse(
                    new Message.Assistant(new ArrayList<>(List.of(new Block.Text(text)))),
                    finish,
                    Usage.NONE,
                    Set.of(),
                    "");
        }

        @Override
        public ModelInfo model() {
            return new ModelInfo("test", "writer", 0, 0);
        }
    }
}
