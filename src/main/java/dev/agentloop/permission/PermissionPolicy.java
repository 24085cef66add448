package dev.agentloop.permission;

import dev.agentloop.tool.Prepared;
import dev.agentloop.tool.SubjectKind;
import dev.agentloop.tool.ToolSpec;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decides about calls. A rule that denies always wins, then one that asks, then one that allows;
 * the order of rules never matters. Where no rule speaks, the preset does. Rules of the user stand
 * above {@code confirm-all}, as the contract says.
 */
public record PermissionPolicy(List<Rule> rules, ConfirmPreset preset) {
    public PermissionPolicy {
        rules = List.copyOf(rules);
    }

    /** Of all that the call is about, what is allowed least decides. */
    public Decision decide(Prepared.Ready<?> ready) {
        Decision strictest = decide(ready, ready.subjects().getFirst());
        for (String subject : ready.subjects()) {
            Decision one = decide(ready, subject);
            strictest = one.verdict().compareTo(strictest.verdict()) > 0 ? one : strictest;
        }
        return strictest;
    }

    private Decision decide(Prepared.Ready<?> ready, String subject) {
        ToolSpec spec = ready.spec();
        SubjectKind kind = ready.tool().subjectKind();
        Stream<Decision> own =
                rules.stream().flatMap(rule -> rule.decide(spec.name(), kind, subject).stream());
        Stream<Decision> ofOthers =
                ready.tool().alsoDoes().stream()
                        .flatMap(tool ->
                                rules.stream()
                                        .flatMap(rule -> rule.decide(tool, kind, subject).stream()))
                        .filter(decision -> decision.verdict() != Verdict.ALLOW);
        return Stream.concat(own, ofOthers)
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
