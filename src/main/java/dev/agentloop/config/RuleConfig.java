package dev.agentloop.config;

import java.util.List;

/**
 * A permission rule with its reason and its examples.
 *
 * @param verdict allow, ask or deny
 * @param reason may be empty
 * @param match what the rule must speak about
 * @param notMatch what it must not speak about
 */
public record RuleConfig(
        String verdict, String rule, String reason, List<String> match, List<String> notMatch) {}
