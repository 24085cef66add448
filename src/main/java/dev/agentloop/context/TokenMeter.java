package dev.agentloop.context;

import dev.agentloop.message.Message;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of prompts: the rule of thumb, corrected by what the model's last reply said its prompt
 * was. The sum grows with the history instead of being taken anew, so that step 1,000 costs as
 * little as step 1.
 */
final class TokenMeter {
    // Text in few characters a token (Chinese, base64) comes to 4, blanks and tables to 0.6.
    // Anything beyond is a server that counts something else, e.g. no cached tokens.
    private static final double LEAST = 0.5;
    private static final double MOST = 4;

    private final Map<String, Double> ratios = new HashMap<>();
    private @Nullable Message first;
    private @Nullable Message last;
    private int counted;
    private long characters;

    /** By the rule of thumb alone. */
    long estimate(Prompt prompt) {
        List<Message> history = prompt.history();
        if (!continues(history)) {
            startAnew();
        }
        characters += TokenEstimate.characters(history.subList(counted, history.size()));
        counted = history.size();
        first = history.isEmpty() ? null : history.getFirst();
        last = history.isEmpty() ? null : history.getLast();
        return TokenEstimate.ofCharacters(characters) + prompt.besides();
    }

    /** The next history may have become shorter in its middle. */
    void startAnew() {
        counted = 0;
        characters = 0;
    }

    long tokens(Prompt prompt) {
        return Math.round(estimate(prompt) * ratio(prompt.model()));
    }

    /** Tokens that the model counts for each that the rule of thumb does. */
    double ratio(String model) {
        return ratios.getOrDefault(model, 1.0);
    }

    /** The model has found so many tokens where the rule of thumb finds {@code estimate}. */
    void learn(String model, long estimate, long real) {
        if (estimate > 0 && real > 0) {
            ratios.put(model, Math.clamp((double) real / estimate, LEAST, MOST));
        }
    }

    /** Whether what was counted still stands at the beginning. */
    private boolean continues(List<Message> history) {
        return counted == 0
                || history.size() >= counted
                        && history.getFirst() == first
                        && history.get(counted - 1) == last;
    }
}
