package dev.agentloop.loop;

import dev.agentloop.context.TokenEstimate;
import dev.agentloop.message.Block;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.tool.ToolSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The most tokens that the next prompt can have. No tokenizer makes more tokens than a text has
 * bytes; where a provider has told the size of an earlier prompt, only what came after it is
 * counted so. Grows with the history instead of being taken anew, and shrinks with it.
 */
final class PromptBound {
    private static final int PER_PART = 64; // tokens around a message, a call or a tool
    private static final int PER_IMAGE =
            5000; // the largest of Claude and Gemini; OpenAI's are less
    private static final int MARGIN = 16; // one part in so many, where texts meet

    private final List<Message> counted = new ArrayList<>();
    private long tokens;
    private long unseen; // what the provider counts besides what it is sent

    /** Of this history with these tools. */
    long of(List<Message> sent, List<ToolSpec> tools) {
        if (continues(sent)) {
            List<Message> more = sent.subList(counted.size(), sent.size());
            tokens += of(more);
            counted.addAll(more);
        } else {
            tokens = ofVariant(sent, tools);
            counted.clear();
            counted.addAll(sent);
        }
        return tokens;
    }

    /**
     * Of a history that was counted last, made shorter: what is left of it has no more tokens than
     * all of it had, and what stands in for the rest no more than bytes.
     */
    long ofVariant(List<Message> sent, List<ToolSpec> tools) {
        long anew = unseen + ofTools(tools) + of(sent);
        if (counted.isEmpty()) {
            return anew;
        }
        Set<Message> known = Collections.newSetFromMap(new IdentityHashMap<>());
        known.addAll(counted);
        List<Message> others = sent.stream().filter(message -> !known.contains(message)).toList();
        return Math.min(anew, tokens + of(others));
    }

    /** The provider has told the size of the prompt that was asked for last. */
    void learn(long prompt) {
        learnUnseen(prompt);
        tokens = Math.min(tokens, withMargin(prompt));
    }

    /**
     * The same where another model may answer next, which may count more tokens than this one: all
     * that is learned is what a server on the way has added, such as a prompt of its own.
     */
    void learnUnseen(long prompt) {
        if (prompt > tokens) {
            long most = withMargin(prompt);
            unseen += most - tokens;
            tokens = most;
        }
    }

    private static long withMargin(long prompt) {
        return prompt + prompt / MARGIN + PER_PART;
    }

    private boolean continues(List<Message> sent) {
        if (counted.isEmpty() || sent.size() < counted.size()) {
            return false;
        }
        for (int i = 0; i < counted.size(); i++) {
            if (sent.get(i) != counted.get(i)) {
                return false;
            }
        }
        return true;
    }

    private static long of(List<Message> messages) {
        return messages.stream().mapToLong(PromptBound::of).sum();
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
