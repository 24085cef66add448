package dev.agentloop.cli.resume;

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
public record EarlierMessages(boolean showImages, boolean endWithAnswer) {
    public static final EarlierMessages NONE = new EarlierMessages(false, true);

    public static EarlierMessages of(SavedSession session) {
        List<Message> history = session.history();
        return new EarlierMessages(
                history.stream().anyMatch(EarlierMessages::showsImages),
                history.isEmpty() || history.getLast() instanceof Message.Assistant);
    }

    private static boolean showsImages(Message message) {
        return message instanceof Message.User said && !said.images().isEmpty()
                || message instanceof Message.Tool tool && !tool.result().images().isEmpty();
    }
}
