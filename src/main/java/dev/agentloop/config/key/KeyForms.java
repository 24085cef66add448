package dev.agentloop.config.key;

import dev.agentloop.config.key.ValueType.Choice;
import dev.agentloop.config.key.ValueType.Form;
import dev.agentloop.config.key.ValueType.Span;
import dev.agentloop.config.key.ValueType.Text;
import dev.agentloop.config.key.ValueType.Whole;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Short ways to say what a key takes. */
final class KeyForms {
    private KeyForms() {}

    static Key key(String path, ValueType type, @Nullable Object preset, String meaning) {
        return Key.of(path, type, preset, meaning);
    }

    static Choice effort() {
        return Choice.of("off", "low", "medium", "high", "max");
    }

    static Choice confirm() {
        return Choice.of("confirm-all", "confirm-sensitive", "yolo");
    }

    static Key text(String path, Form form, String meaning) {
        return key(path, new Text(form), null, meaning);
    }

    static Key whole(String path, long min, long max, @Nullable Long preset) {
        return key(path, new Whole(min, max, false), preset, "");
    }

    static Key span(String path, Duration min, Duration max, int presetSeconds) {
        return key(path, new Span(min, max, false), Duration.ofSeconds(presetSeconds), "");
    }
}
