package dev.agentloop.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A permission rule with its reason and its examples.
 *
 * @param verdict allow, ask or deny
 * @param reason may be empty
 * @param match what the rule must speak about
 * @param notMatch what it must not speak about
 */
public record RuleConfig(
        String verdict, String rule, String reason, List<String> match, List<String> notMatch) {
    /** The rules of {@code permissions.rules}, in their order. */
    static List<RuleConfig> all(SettingsReader read) {
        List<RuleConfig> rules = new ArrayList<>();
        for (Map<?, ?> rule : read.maps("permissions.rules")) {
            rules.add(
                    new RuleConfig(
                            (String) SettingsReader.of(rule, "verdict"),
                            (String) SettingsReader.of(rule, "rule"),
                            rule.get("reason") instanceof String reason ? reason : "",
                            SettingsReader.asTexts(SettingsReader.of(rule, "match")),
                            SettingsReader.asTexts(SettingsReader.of(rule, "not_match"))));
        }
        return List.copyOf(rules);
    }
}
