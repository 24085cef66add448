package dev.agentloop.replay;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** Masks of a text, one behind the other; more may come while it is in use. */
final class Masks implements UnaryOperator<String> {
    private final List<UnaryOperator<String>> all = new CopyOnWriteArrayList<>();

    void add(UnaryOperator<String> mask) {
        all.add(mask);
    }

    @Override
    public String apply(String text) {
        String masked = text;
        for (UnaryOperator<String> mask : all) {
            masked = mask.apply(masked);
        }
        return masked;
    }
}
