package dev.agentloop.llm.openai;

import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Text in numbered parts that comes in pieces, whole, or first in pieces and then whole: each
 * character is handed on once.
 */
final class PartText {
    private final TreeMap<Long, StringBuilder> parts = new TreeMap<>();
    private final Consumer<String> out;
    private final String between;

    /**
     * @param out gets the text in the order in which it comes
     * @param between handed on where a new part begins
     */
    PartText(Consumer<String> out, String between) {
        this.out = out;
        this.between = between;
    }

    /** More of a part. */
    void delta(long part, String text) {
        if (text.isEmpty()) {
            return;
        }
        StringBuilder known = parts.get(part);
        if (known == null) {
            if (!parts.isEmpty()) {
                out.accept(between);
            }
            known = new StringBuilder();
            parts.put(part, known);
        }
        known.append(text);
        out.accept(text);
    }

    /** All of a part; what contradicts its pieces is ignored. */
    void complete(long part, String text) {
        StringBuilder known = parts.get(part);
        int length = known == null ? 0 : known.length();
        if (text.length() > length && (known == null || text.startsWith(known.toString()))) {
            delta(part, text.substring(length));
        }
    }
}
