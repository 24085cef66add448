package dev.agentloop.sandbox.attack;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.docs.Page;
import dev.agentloop.sandbox.Tier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The files of attacks are complete, and the table of the sandbox's page is made from them. */
class AttackBookTest {
    private static final List<Tier> TIERS = List.of(Tier.BWRAP, Tier.LANDLOCK);

    @Test
    @DisplayName("every attack has a name of its own, and says how it ends in each tier")
    void attacksAreComplete() throws IOException {
        Set<String> names = new TreeSet<>();
        for (AttackClass kind : AttackBook.all()) {
            assertTrue(!kind.title().isEmpty() && !kind.attacks().isEmpty(), kind.name());
            for (Attack attack : kind.attacks()) {
                assertTrue(names.add(attack.name()), "twice: " + attack.name());
                TIERS.forEach(tier ->
                        assertTrue(
                                attack.expected(tier, true).isPresent()
                                        && attack.expected(tier, false).isPresent(),
                                attack.name()));
            }
        }
    }

    @Test
    @DisplayName("the page of the sandbox counts the attacks and names those that are not stopped")
    void thePageCountsTheAttacks() throws IOException {
        StringBuilder table = new StringBuilder();
        table.append("| attacks | tries | bwrap: stopped | reported | open ");
        table.append(
                "| landlock: stopped | reported | open |\n|---|---|---|---|---|---|---|---|\n");
        for (AttackClass kind : AttackBook.all()) {
            table.append("| ").append(kind.title()).append(" | ").append(4 * kind.attacks().size());
            for (Tier tier : TIERS) {
                Map<Attack.Outcome, Integer> counts = counts(kind, tier);
                for (Attack.Outcome outcome : shown()) {
                    table.append(" | ").append(counts.getOrDefault(outcome, 0));
                }
            }
            table.append(" |\n");
        }
        for (Tier tier : TIERS) {
            table.append(notStopped(tier));
        }

        Page.of("docs/sandbox.md").checkPart("attacks", table.toString());
    }

    private static List<Attack.Outcome> shown() {
        return List.of(Attack.Outcome.STOPPED, Attack.Outcome.REPORTED, Attack.Outcome.OPEN);
    }

    /** As root and as an ordinary user. */
    private static Map<Attack.Outcome, Integer> counts(AttackClass kind, Tier tier) {
        Map<Attack.Outcome, Integer> counts = new EnumMap<>(Attack.Outcome.class);
        for (Attack attack : kind.attacks()) {
            for (boolean root : new boolean[] {true, false}) {
                counts.merge(attack.expected(tier, root).orElseThrow(), 1, Integer::sum);
            }
        }
        return counts;
    }

    private static String notStopped(Tier tier) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Attack.Outcome outcome : List.of(Attack.Outcome.REPORTED, Attack.Outcome.OPEN)) {
            List<String> names = new ArrayList<>();
            for (AttackClass kind : AttackBook.all()) {
                for (Attack attack : kind.attacks()) {
                    boolean root = attack.expected(tier, true).orElseThrow() == outcome;
                    boolean user = attack.expected(tier, false).orElseThrow() == outcome;
                    if (root || user) {
                        String who = root && user ? "" : root ? " (as root)" : " (not as root)";
                        names.add("- " + attack.name() + who + "\n");
                    }
                }
            }
            if (!names.isEmpty()) {
                String title = outcome.name().toLowerCase(Locale.ROOT);
                text.append("\nUnder `").append(tier.wireName()).append("` ").append(title);
                text.append(":\n\n");
                names.forEach(text::append);
            }
        }
        return text.toString();
    }
}
