package dev.agentloop.chat;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Long pasted texts, each of which is one word at the prompt: {@code [pasted 1: 40 lines]}. The
 * task gets the text itself.
 */
final class Pastes {
    private static final int MOST_LINES = 10; // of what is shown as it is
    private static final int MOST_CHARACTERS = 2_000;

    private final Map<String, String> texts = new LinkedHashMap<>(); // by word

    /** What stands for it at the prompt: the text itself if it is short. */
    synchronized String shown(String pasted) {
        long lines = pasted.lines().count();
        if (lines <= MOST_LINES && pasted.length() <= MOST_CHARACTERS) {
            return pasted;
        }
        String size = lines > 1 ? lines + " lines" : pasted.length() + " characters";
        String word = "[pasted %d: %s]".formatted(texts.size() + 1, size);
        texts.put(word, pasted);
        return word;
    }

    /** What was typed, with all pasted texts in their places. */
    synchronized String expanded(String typed) {
        String text = typed;
        for (Map.Entry<String, String> paste : texts.entrySet()) {
            text = text.replace(paste.getKey(), paste.getValue());
        }
        return text;
    }
}
