package dev.agentloop.chat;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Long pasted texts, each of which is one word at the prompt: {@code [pasted 1: 40 lines]}. The
 * task gets the text itself.
 */
final class Pastes {
    private static final int MOST_LINES = 10; // of what is shown as it is

    private final Map<String, String> texts = new LinkedHashMap<>(); // by word

    /** What stands for it at the prompt: the text itself if it is short. */
    String shown(String pasted) {
        long lines = pasted.lines().count();
        if (lines <= MOST_LINES) {
            return pasted;
        }
        String word = "[pasted %d: %d lines]".formatted(texts.size() + 1, lines);
        texts.put(word, pasted);
        return word;
    }

    /** What was typed, with all pasted texts in their places. */
    String expanded(String typed) {
        String text = typed;
        for (Map.Entry<String, String> paste : texts.entrySet()) {
            text = text.replace(paste.getKey(), paste.getValue());
        }
        return text;
    }
}
