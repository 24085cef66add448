package dev.agentloop.session;

import dev.agentloop.message.Message;
import java.util.ArrayList;
import java.util.List;

/** The messages of a session that goes on, as the model at hand can read them. */
public final class EarlierHistory {
    private EarlierHistory() {}

    /**
     * What the next request begins with.
     *
     * @param model {@code provider/model} that goes on
     */
    public static List<Message> readable(SavedSession old, String model) {
        if (old.speaker().isEmpty() || old.speaker().equals(model)) {
            return old.history();
        }
        return forAnotherModel(old.sealed() ? old.transcript() : old.history());
    }

    /** Another model can neither see nor read what the one before thought, or its server. */
    public static List<Message> forAnotherModel(List<Message> messages) {
        List<Message> history = new ArrayList<>();
        for (Message message : messages) {
            Message readable =
                    message instanceof Message.Assistant reply ? reply.withoutReasoning() : message;
            if (!(readable instanceof Message.Assistant left && left.isEmpty())) {
                history.add(readable);
            }
        }
        return history;
    }
}
