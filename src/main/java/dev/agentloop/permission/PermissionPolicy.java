package dev.agentloop.permission;

import dev.agentloop.tool.Prepared;
import dev.agentloop.tool.SubjectKind;
import dev.agentloop.tool.ToolSpec;
import java.util.Comparator;
import java.util.List;

/**
 * Decides about calls. A rule that denies always wins, then one that asks, then one that allows;
 * the order of rules never matters. Where no rule speaks, the preset does. Rules of the user stand
 * above {@code confirm-all}, as the contract says.
 */
public record PermissionPolicy(List<Rule> rules, ConfirmPreset preset) {
    public PermissionPolicy {
        rules = List.copyOf(rules);
    }

    public Decision decide(Prepared.Ready<?> ready) {
        ToolSpec spec = ready.spec();
        SubjectKind kind = ready.tool().subjectKind();
        return rules.stream()
                .flatMap(rule -> rule.decide(spec.name(), kind, ready.subject()).stream())
                .max(Comparator.comparing(Decision::verdict))
                .map(this::unlessYoloOnlyAsks)
                .orElseGet(() -> preset.decide(spec.effect()));
    }

    /** Yolo removes questions, not denials. */
    private Decision unlessYoloOnlyAsks(Decision decision) {
        return decision.verdict() == Verdict.ASK && preset == ConfirmPreset.YOLO
                ? new Decision(Verdict.ALLOW, preset.wireName(), "")
                : decision;
    }

    /** Whether calls must run one after another whatever they are. */
    public boolean isSequential() {
        return preset == ConfirmPreset.CONFIRM_ALL;
    }
}
