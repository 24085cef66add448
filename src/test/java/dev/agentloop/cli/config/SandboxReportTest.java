package dev.agentloop.cli.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.World;
import dev.agentloop.sandbox.Tier;
import dev.agentloop.sandbox.attack.Attack;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code agent doctor --sandbox} tells people to do, and which sandbox it tries. */
class SandboxReportTest {
    private static SandboxReport report(Tier tier) {
        return new SandboxReport(tier);
    }

    @Test
    @DisplayName("what is not stopped though it is known: bubblewrap is no remedy where it is used")
    void remediesFitTheTier() {
        String bwrap = report(Tier.BWRAP).finding("a", Attack.Outcome.OPEN, true).remedy();
        String landlock = report(Tier.LANDLOCK).finding("a", Attack.Outcome.OPEN, true).remedy();

        assertFalse(bwrap.contains("bubblewrap"), bwrap);
        assertTrue(bwrap.contains("container"), bwrap);
        assertTrue(landlock.contains("bubblewrap"), landlock);
    }

    @Test
    @DisplayName("an attack that is not tried names the programs that are missing, and no others")
    void missingProgramsAreNamed() {
        var untried = report(Tier.BWRAP).untried("a", List.of("setcap", "getcap"));
        var slow = report(Tier.BWRAP).finding("a", Attack.Outcome.UNTESTED, false);

        assertEquals("not tried: setcap, getcap not found", untried.detail());
        assertEquals("install setcap, getcap, or put them on the PATH", untried.remedy());
        assertTrue(slow.detail().contains("too long"), slow.detail());
    }

    @Test
    @DisplayName("the mode of the option, else of the configuration, decides which one is tried")
    void mode() {
        try (var world = World.withoutModel().config("sandbox: {mode: landlock}")) {
            Ended off = world.inside("doctor", "--sandbox=off");
            Ended other = world.inside("doctor", "--sandbox", "-c", "no-such-file.yaml");
            Ended wrong = world.inside("doctor", "--sandbox", "nonsense");

            assertEquals(3, off.exitCode(), off::toString);
            assertTrue(off.err().contains("nothing to attack"), off::toString);
            assertEquals(3, other.exitCode(), other::toString);
            assertTrue(other.err().contains("no-such-file.yaml"), other::toString);
            assertFalse(other.err().contains("Unmatched"), other::toString);
            assertEquals(3, wrong.exitCode(), wrong::toString);
            assertTrue(wrong.err().contains("landlock"), wrong::toString);
        }
    }
}
