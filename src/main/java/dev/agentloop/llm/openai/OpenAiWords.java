package dev.agentloop.llm.openai;

import dev.agentloop.llm.Capabilities;
import dev.agentloop.llm.Effort;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What both protocols of OpenAI say in the same words. */
final class OpenAiWords {
    private OpenAiWords() {}

    /**
     * The level of reasoning to ask for: the nearest that the model knows, the lower of two equally
     * near ones. Empty when nobody asked or the model has no such setting.
     */
    static Optional<String> effort(@Nullable Effort wanted, Capabilities model) {
        if (wanted == null) {
            return Optional.empty();
        }
        return model.efforts().stream()
                .min(
                        Comparator.comparingInt((Effort known) -> distance(known, wanted))
                                .thenComparing(Comparator.naturalOrder()))
                .map(OpenAiWords::word);
    }

    /** What a message says; in place of images that the model cannot take, it says so. */
    static String text(Message.User message, Capabilities model) {
        return message.images().isEmpty() || model.images()
                ? message.text()
                : message.text() + "\n\n[images left out: this model takes none]";
    }

    static String dataUrl(Image image) {
        return "data:" + image.mediaType() + ";base64," + image.base64();
    }

    private static int distance(Effort one, Effort other) {
        return Math.abs(one.ordinal() - other.ordinal());
    }

    private static String word(Effort effort) {
        return switch (effort) {
            case OFF -> "none";
            case LOW -> "low";
            case MEDIUM -> "medium";
            case HIGH -> "high";
            case MAX -> "xhigh";
        };
    }
}
