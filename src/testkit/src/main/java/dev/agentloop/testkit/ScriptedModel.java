package dev.agentloop.testkit;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.Usage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * A model that says what a test tells it to, one reply for each request, and keeps what it was
 * asked. Each reply counts 100 tokens read and 10 written.
 */
public final class ScriptedModel implements LlmAdapter {
    private static final Usage USED = new Usage(100, 10, 0, 0, 0, false);

    private final Queue<Block> script = new ArrayDeque<>();
    private final List<LlmRequest> requests = new ArrayList<>();
    private int calls;

    /** Says this next. */
    public ScriptedModel says(String text) {
        script.add(new Block.Text(text));
        return this;
    }

    /** Calls this tool next; {@code arguments} is JSON text. */
    public ScriptedModel calls(String tool, String arguments) {
        calls++;
        script.add(new Block.Call(new ToolCall("call_" + calls, tool, arguments)));
        return this;
    }

    /** What it has yet to say, for people; empty if it has said all. */
    public List<String> left() {
        return script.stream().map(Object::toString).toList();
    }

    /** What it was asked so far. */
    public List<LlmRequest> requests() {
        return List.copyOf(requests);
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        requests.add(request);
        Block next = script.poll();
        if (next == null) {
            throw new AssertionError(
                    "the script has " + (requests.size() - 1) + " replies, one more was asked for");
        }
        if (next instanceof Block.Text(String text)) {
            listener.text(text);
        }
        return new LlmResponse(
                new Message.Assistant(List.of(next)),
                next instanceof Block.Text ? FinishReason.END_TURN : FinishReason.TOOL_USE,
                USED,
                Set.of(),
                "request_" + requests.size());
    }

    @Override
    public ModelInfo model() {
        return new ModelInfo("test", "scripted", 100_000, 1_000);
    }
}
