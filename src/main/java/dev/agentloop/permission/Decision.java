package dev.agentloop.permission;

import java.util.List;

/**
 * A verdict and where it comes from.
 *
 * @param rule the rule, preset or row of the default policy that decided, as the user would write
 *     it
 * @param reason one line for the model and the person
 * @param always the rules that would answer the same question next time; empty if it must be asked
 *     each time
 */
public record Decision(Verdict verdict, String rule, String reason, List<String> always) {
    public Decision {
        always = List.copyOf(always);
    }

    public Decision(Verdict verdict, String rule, String reason) {
        this(verdict, rule, reason, List.of());
    }
}
