package dev.agentloop.config.key;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a value stands. Parts may hold dots, as in {@code providers.openai.models."gpt-5.5"}. */
public record KeyPath(List<String> parts) implements Comparable<KeyPath> {
    public static final KeyPath ROOT = new KeyPath(List.of());

    public KeyPath {
        parts = List.copyOf(parts);
    }

    /** A path without quoted parts. */
    public static KeyPath of(String dotted) {
        return new KeyPath(List.of(dotted.split("\\.")));
    }

    /** The path one part longer. */
    public KeyPath then(String part) {
        List<String> longer = new ArrayList<>(parts);
        longer.add(part);
        return new KeyPath(longer);
    }

    /** The path of an entry of the list that stands here. */
    public KeyPath item(int index) {
        List<String> indexed = new ArrayList<>(parts.subList(0, parts.size() - 1));
        indexed.add(parts.getLast() + "[" + index + "]");
        return new KeyPath(indexed);
    }

    /** Whether it is {@code other} when each {@code *} stands for any name. */
    boolean covers(KeyPath other) {
        boolean covers = parts.size() == other.parts.size();
        for (int i = 0; covers && i < parts.size(); i++) {
            covers = parts.get(i).equals("*") || parts.get(i).equals(other.parts.get(i));
        }
        return covers;
    }

    public String part(int index) {
        return parts.get(index);
    }

    @Override
    public int compareTo(KeyPath other) {
        for (int i = 0; i < Math.min(parts.size(), other.parts.size()); i++) {
            int order = parts.get(i).compareTo(other.parts.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(parts.size(), other.parts.size());
    }

    /** Written out, as hashCode: what the JDK makes for records is not archived, 8 ms a start. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyPath path && parts.equals(path.parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (String part : parts) {
            text.append(text.isEmpty() ? "" : ".");
            text.append(part.indexOf('.') < 0 ? part : '"' + part + '"');
        }
        return text.toString();
    }
}
