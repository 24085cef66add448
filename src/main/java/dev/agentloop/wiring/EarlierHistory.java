package dev.agentloop.wiring;

import dev.agentloop.message.Message;
import dev.agentloop.session.SavedSession;
import java.util.ArrayList;
import java.util.List;

/** The messages of a session that goes on, as the model at hand can read them. */
final class EarlierHistory {
    private EarlierHistory() {}

    /**
     * Another model can neither see nor read what the one before thought, or its server.
     *
     * @param model {@code provider/model} that goes on
     */
    static List<Message> readable(SavedSession old, String model) {
        if (old.summary().model().equals(model)) {
            return old.history();
        }
        List<Message> history = new ArrayList<>();
        for (Message message : old.sealed() ? old.transcript() : old.history()) {
            Message readable =
                    message instanceof Message.Assistant reply ? reply.withoutReasoning() : message;
            if (!(readable instanceof Message.Assistant left && left.isEmpty())) {
                history.add(readable);
            }
        }
        return history;
    }
}
