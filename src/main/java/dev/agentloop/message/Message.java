package dev.agentloop.message;

import java.util.ArrayList;
import java.util.List;

/** One entry of the history. Adapters translate it into what their provider wants. */
public sealed interface Message {
    /** Standing instructions; the first message of a history. */
    record System(String text) implements Message {}

    /** What the person, or the program in the person's place, says. */
    record User(String text, List<Image> images) implements Message {
        public User {
            images = List.copyOf(images);
        }

        public User(String text) {
            this(text, List.of());
        }
    }

    /** What the model said: text, reasoning and tool calls in their order. Never empty. */
    record Assistant(List<Block> blocks) implements Message {
        public Assistant {
            blocks = List.copyOf(blocks);
        }

        /** All text blocks joined; empty when the model only called tools. */
        public String text() {
            StringBuilder all = new StringBuilder();
            for (Block block : blocks) {
                if (block instanceof Block.Text(String text)) {
                    all.append(text);
                }
            }
            return all.toString();
        }

        /** The same without what only the model that wrote it may see or can read. */
        public Assistant withoutReasoning() {
            return new Assistant(
                    blocks.stream().filter(block -> !(block instanceof Block.Reasoning)).toList());
        }

        /** Whether nothing is left of it, so that it has no place in a history. */
        public boolean isEmpty() {
            return blocks.isEmpty();
        }

        public List<ToolCall> toolCalls() {
            List<ToolCall> calls = new ArrayList<>();
            for (Block block : blocks) {
                if (block instanceof Block.Call(ToolCall call)) {
                    calls.add(call);
                }
            }
            return calls;
        }
    }

    /** The answer to one tool call; every call of an assistant message has exactly one. */
    record Tool(String callId, ToolResult result) implements Message {}
}
