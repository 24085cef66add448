package dev.agentloop.sandbox.attack;

import dev.agentloop.sandbox.Tier;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One thing that a hostile command may try, with what a person has before and does after it.
 *
 * @param name a sentence for people
 * @param expected outcomes by {@code TIER} or {@code TIER USER}, such as {@code landlock root}
 * @param needs programs without which it cannot be tried
 * @param before shell text that runs unconfined first; may be empty
 * @param commands shell texts that run in the sandbox, one after the other
 * @param after shell text that runs unconfined last; may be empty
 */
public record Attack(
        String name,
        Map<String, Outcome> expected,
        List<String> needs,
        String before,
        List<String> commands,
        String after) {

    /** How an attack ended, from best to worst. */
    public enum Outcome {
        /** It had no effect. */
        STOPPED,
        /** A program is missing, or the sandbox did not start: nothing is known. */
        UNTESTED,
        /** It had its effect, and the result of the command says so. */
        REPORTED,
        /** It had its effect, and nobody was told. */
        OPEN
    }

    /** What is known of it; empty where nobody has said anything. */
    public Optional<Outcome> expected(Tier tier, boolean root) {
        String name = tier.wireName();
        Outcome special = expected.get(name + (root ? " root" : " user"));
        return Optional.ofNullable(special != null ? special : expected.get(name));
    }
}
