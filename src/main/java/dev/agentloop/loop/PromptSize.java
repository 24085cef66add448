package dev.agentloop.loop;

import dev.agentloop.context.TokenEstimate;
import dev.agentloop.loop.run.Run;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.tool.ToolSpec;
import java.util.List;

/** Tokens of what a request holds besides its history, and of a request as a whole. */
final class PromptSize {
    private static final int PER_TOOL = 40; // characters around name, description and schema

    private PromptSize() {}

    static long ofTools(List<ToolSpec> tools) {
        long characters = 0;
        for (ToolSpec tool : tools) {
            characters += PER_TOOL + tool.name().length() + tool.description().length();
            characters += tool.parameters().length();
        }
        return TokenEstimate.ofCharacters(characters);
    }

    /**
     * Of a request of so many bytes, its images left out: those cost by their size in pixels, which
     * the estimate of the history knows. 0 if the bytes are not known.
     */
    static long ofRequest(Run run, long bytes) {
        long images = 0;
        for (Message message : run.history()) {
            List<Image> shown =
                    switch (message) {
                        case Message.User user -> user.images();
                        case Message.Tool tool -> tool.result().images();
                        case Message.System _, Message.Assistant _ -> List.of();
                    };
            for (Image image : shown) {
                images += image.base64().length();
            }
        }
        return TokenEstimate.ofCharacters(Math.max(0, bytes - images));
    }
}
