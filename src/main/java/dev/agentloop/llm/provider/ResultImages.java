package dev.agentloop.llm.provider;

import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Shows the images of tool results as a message of the user, for protocols whose results are text.
 * It stands behind all results of a step, because nothing may come between them, and is the same
 * object each time, so that requests still grow by appending.
 */
final class ResultImages {
    private static final String WORDS = "The images of the tool results above:";

    private final IdentityHashMap<Message, Message> behind = new IdentityHashMap<>();

    List<Message> apart(List<Message> history) {
        if (history.stream().noneMatch(ResultImages::hasImages)) {
            return history;
        }
        List<Message> sent = new ArrayList<>();
        List<Image> shown = new ArrayList<>();
        for (int i = 0; i < history.size(); i++) {
            Message message = history.get(i);
            sent.add(message);
            if (message instanceof Message.Tool tool) {
                shown.addAll(tool.result().images());
            }
            boolean last = i + 1 == history.size() || !(history.get(i + 1) instanceof Message.Tool);
            if (last && !shown.isEmpty()) {
                List<Image> images = List.copyOf(shown);
                sent.add(behind.computeIfAbsent(message, _ -> new Message.User(WORDS, images)));
                shown.clear();
            }
        }
        return sent;
    }

    private static boolean hasImages(Message message) {
        return message instanceof Message.Tool tool && !tool.result().images().isEmpty();
    }
}
