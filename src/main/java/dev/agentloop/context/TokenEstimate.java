package dev.agentloop.context;

import dev.agentloop.message.Block;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import java.util.List;

/**
 * Tokens of a history by a rule of thumb: characters of the content, plus 16 a message, over 4. An
 * image is taken for a large one, reasoning for its bytes, or for what goes back in its place.
 */
public final class TokenEstimate {
    private static final int PER_MESSAGE = 16; // characters for role and ids
    private static final int CHARS_PER_TOKEN = 4;

    /** Tokens; where Anthropic scales images down. Tiles of OpenAI and Google come to less. */
    private static final int PER_IMAGE = 1600;

    private TokenEstimate() {}

    /** Tokens of messages. */
    public static long of(List<Message> history) {
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
                    case Message.User(String text, List<Image> images) ->
                            text.length() + ofImages(images);
                    case Message.Tool tool ->
                            tool.result().text().length() + ofImages(tool.result().images());
                    case Message.Assistant assistant ->
                            assistant.blocks().stream().mapToLong(TokenEstimate::of).sum();
                };
    }

    private static long ofImages(List<Image> images) {
        return (long) images.size() * PER_IMAGE * CHARS_PER_TOKEN;
    }

    private static long of(Block block) {
        return switch (block) {
            case Block.Text(String text) -> text.length();
            case Block.Reasoning(String text, String provenance) ->
                    Math.max(utf8Length(text), provenance.length());
            case Block.Call(var call) -> call.name().length() + call.arguments().length();
        };
    }

    /** Without an array of the bytes: thoughts are long, and each is measured once. */
    public static long utf8Length(String text) {
        long bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
        }
        return bytes;
    }
}
