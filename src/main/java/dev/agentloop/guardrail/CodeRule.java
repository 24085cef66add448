package dev.agentloop.guardrail;

import java.util.regex.Pattern;

/**
 * What a new line of a file must not hold.
 *
 * @param pattern looked for in each line
 * @param message told to the model
 * @param blocks whether the change is refused; otherwise the model is only told
 */
public record CodeRule(Pattern pattern, String message, boolean blocks) {
    boolean isBrokenBy(String text) {
        return text.lines().anyMatch(line -> pattern.matcher(line).find());
    }
}
