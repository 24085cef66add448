package dev.agentloop.cli;

import dev.agentloop.message.Message;
import dev.agentloop.session.SavedSession;
import java.util.List;

/**
 * What has to be known of the words of a session that goes on; the words themselves, which may be
 * hundreds of megabytes, are read again when the session is taken up.
 *
 * @param showImages whether the model was shown an image
 * @param endWithAnswer whether the model has had the last word
 */
record EarlierWords(boolean showImages, boolean endWithAnswer) {
    static final EarlierWords NONE = new EarlierWords(false, true);

    static EarlierWords of(SavedSession session) {
        List<Message> history = session.history();
        return new EarlierWords(
                history.stream().anyMatch(EarlierWords::showsImages),
                history.isEmpty() || history.getLast() instanceof Message.Assistant);
    }

    private static boolean showsImages(Message message) {
        return message instanceof Message.User said && !said.images().isEmpty()
                || message instanceof Message.Tool tool && !tool.result().images().isEmpty();
    }
}
