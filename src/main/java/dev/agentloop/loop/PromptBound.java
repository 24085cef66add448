package dev.agentloop.loop;

import dev.agentloop.context.TokenEstimate;
import dev.agentloop.message.Block;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.tool.ToolSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The most tokens that the next prompt can have. No tokenizer makes more tokens than a text has
 * bytes; where a provider has told the size of an earlier prompt, only what came after it is
 * counted so. Grows with the history instead of being taken anew.
 */
final class PromptBound {
    private static final int PER_PART = 64; // tokens around a message, a call or a tool
    private static final int PER_IMAGE =
            5000; // the largest of Claude and Gemini; OpenAI's are less
    private static final int MARGIN = 16; // one part in so many, where texts meet

    private @Nullable Message first;
    private @Nullable Message last;
    private int counted;
    private long tokens;

    /** Of this history with these tools. */
    long of(List<Message> sent, List<ToolSpec> tools) {
        if (!continues(sent)) {
            counted = 0;
            tokens = ofTools(tools);
        }
        for (Message message : sent.subList(counted, sent.size())) {
            tokens += of(message);
        }
        counted = sent.size();
        first = sent.isEmpty() ? null : sent.getFirst();
        last = sent.isEmpty() ? null : sent.getLast();
        return tokens;
    }

    /** The provider has told the size of the prompt that was asked for last. */
    void learn(long prompt) {
        tokens = Math.min(tokens, prompt + prompt / MARGIN + PER_PART);
    }

    private boolean continues(List<Message> sent) {
        return counted > 0
                && sent.size() >= counted
                && sent.getFirst() == first
                && sent.get(counted - 1) == last;
    }

    private static long ofTools(List<ToolSpec> tools) {
        long sum = PER_PART;
        for (ToolSpec tool : tools) {
            sum += PER_PART + bytes(tool.name()) + bytes(tool.description());
            sum += bytes(tool.parameters());
        }
        return sum;
    }

    /** Of a text that becomes one more message. */
    static long ofText(String text) {
        return PER_PART + bytes(text);
    }

    private static long of(Message message) {
        return switch (message) {
            case Message.System(String text) -> ofText(text);
            case Message.User(String text, List<Image> images) ->
                    ofText(text) + (long) images.size() * PER_IMAGE;
            case Message.Tool tool ->
                    ofText(tool.result().text()) + (long) tool.result().images().size() * PER_IMAGE;
            case Message.Assistant assistant ->
                    PER_PART + assistant.blocks().stream().mapToLong(PromptBound::of).sum();
        };
    }

    private static long of(Block block) {
        return switch (block) {
            case Block.Text(String text) -> bytes(text);
            case Block.Reasoning(String text, String provenance) -> bytes(text) + bytes(provenance);
            case Block.Call(var call) -> PER_PART + bytes(call.name()) + bytes(call.arguments());
        };
    }

    private static long bytes(String text) {
        return TokenEstimate.utf8Length(text);
    }
}
