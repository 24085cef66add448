package dev.agentloop.llm.demo;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Plays {@link DemoScript} through the same port as every real model. Costs nothing. */
public final class DemoModel implements LlmAdapter {
    /** What the script makes of its file, edit by edit. */
    public static List<String> editsOf(String file) {
        return DemoScript.editsOf(file);
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        cancellation
                .cause()
                .ifPresent(cause -> {
                    throw new LlmException.Cancelled(cause);
                });
        Message.Assistant scripted =
                request.mayCallTools()
                        ? DemoScript.next(request.messages())
                        : new Message.Assistant(
                                List.of(
                                        new Block.Text(
                                                "[scripted demo] The script was cut short.")));
        Message.Assistant message = withIds(scripted, request.messages().size());
        if (!message.text().isEmpty()) {
            listener.text(message.text());
        }
        boolean tools = !message.toolCalls().isEmpty();
        return new LlmResponse(
                message,
                tools ? FinishReason.TOOL_USE : FinishReason.END_TURN,
                Usage.NONE,
                Set.of(),
                "");
    }

    @Override
    public ModelInfo model() {
        return new ModelInfo("demo", "scripted", 0, 0);
    }

    /** Ids by the place in the history, so that a resumed session never repeats one. */
    private static Message.Assistant withIds(Message.Assistant scripted, int place) {
        List<Block> blocks = new ArrayList<>();
        for (Block block : scripted.blocks()) {
            blocks.add(
                    block instanceof Block.Call(ToolCall call)
                            ? new Block.Call(
                                    new ToolCall(
                                            "demo_" + place + "_" + blocks.size(),
                                            call.name(),
                                            call.arguments()))
                            : block);
        }
        return new Message.Assistant(blocks);
    }
}
