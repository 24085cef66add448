package dev.agentloop.context;

import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import java.util.List;

/** Tokens of a history by a rule of thumb: characters of the content, plus 16 a message, over 4. */
public final class TokenEstimate {
    private static final int PER_MESSAGE = 16; // characters for role and ids
    private static final int CHARS_PER_TOKEN = 4;

    private TokenEstimate() {}

    static long of(List<Message> history) {
        return ofCharacters(characters(history));
    }

    public static long ofCharacters(long characters) {
        return characters / CHARS_PER_TOKEN;
    }

    static long characters(List<Message> history) {
        long sum = 0;
        for (Message message : history) {
            sum += of(message);
        }
        return sum;
    }

    static long of(Message message) {
        return PER_MESSAGE
                + switch (message) {
                    case Message.System(String text) -> text.length();
                    case Message.User(String text, _) -> text.length();
                    case Message.Tool tool -> tool.result().text().length();
                    case Message.Assistant assistant ->
                            assistant.blocks().stream().mapToLong(TokenEstimate::of).sum();
                };
    }

    private static long of(Block block) {
        return switch (block) {
            case Block.Text(String text) -> text.length();
            case Block.Reasoning reasoning -> reasoning.text().length();
            case Block.Call(var call) -> call.name().length() + call.arguments().length();
        };
    }
}
