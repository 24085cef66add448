package dev.agentloop.cli;

import dev.agentloop.message.Message;
import dev.agentloop.session.SavedSession;

/** What was said in a session that goes on. */
final class EarlierWords {
    private EarlierWords() {}

    /** Whether the model was shown an image. */
    static boolean showImages(SavedSession session) {
        return session.history().stream()
                .anyMatch(entry ->
                        entry instanceof Message.User said && !said.images().isEmpty()
                                || entry instanceof Message.Tool tool
                                        && !tool.result().images().isEmpty());
    }

    /** Whether the model has had the last word. */
    static boolean endWithAnswer(SavedSession session) {
        return session.history().isEmpty()
                || session.history().getLast() instanceof Message.Assistant;
    }
}
