package dev.agentloop.sandbox.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.sandbox.SandboxProbe;
import dev.agentloop.sandbox.Tier;
import dev.agentloop.sandbox.watch.Boundaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Each attack of one class as a test of its own, for whoever writes or mends one: {@code
 * AGENT_ATTACKS=git-traps scripts/test AttacksIT}. The whole check tries all of them by {@code
 * agent doctor --sandbox}, in both tiers and also as an ordinary user, see SandboxIT.
 */
@Tag("side-by-side")
class AttacksIT {
    private static final List<Tier> TIERS = List.of(Tier.BWRAP, Tier.LANDLOCK);
    private static final String PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

    /** A part of the names of classes; {@code -} is in most of them. */
    private static final String ONLY = System.getenv().getOrDefault("AGENT_ATTACKS", "");

    @TestFactory
    @DisplayName("each attack on the sandbox ends as its file says")
    Stream<DynamicContainer> attacksEndAsTheirFilesSay() throws IOException {
        assumeFalse(ONLY.isEmpty(), "SandboxIT tries them all");
        List<DynamicContainer> all = new ArrayList<>();
        for (AttackClass kind : AttackBook.all()) {
            for (Tier tier : TIERS) {
                if (kind.name().contains(ONLY)) {
                    Stream<DynamicTest> tries =
                            kind.attacks().stream()
                                    .map(attack ->
                                            DynamicTest.dynamicTest(
                                                    attack.name(),
                                                    () -> attempt(kind, attack, tier)));
                    all.add(DynamicContainer.dynamicContainer(kind.name() + " " + tier, tries));
                }
            }
        }
        return all.stream();
    }

    private static void attempt(AttackClass kind, Attack attack, Tier tier) throws IOException {
        Path place = Files.createDirectories(Path.of("target/attacks").toAbsolutePath());
        SandboxProbe.Found found = found(tier, place);
        assumeTrue(found.tier() == tier, found.trouble());
        boolean root = "root".equals(System.getProperty("user.name"));

        Attack.Outcome outcome = new AttackTrial(found::within, PATH, place).attempt(kind, attack);

        assumeTrue(outcome != Attack.Outcome.UNTESTED, "not tried here");
        assertEquals(attack.expected(tier, root).orElseThrow(), outcome);
    }

    private static SandboxProbe.Found found(Tier tier, Path place) {
        Map<String, String> environment = Map.of("PATH", PATH);
        SandboxProbe probe =
                new SandboxProbe(
                        place.resolve("found"),
                        new Boundaries(place, place, List.of(), List.of(), environment, false));
        return tier == Tier.BWRAP ? probe.bwrap() : probe.landlock();
    }
}
