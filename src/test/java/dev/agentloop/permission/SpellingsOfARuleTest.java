package dev.agentloop.permission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.permission.Circumstances.Confinement;
import dev.agentloop.testing.ToolFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rule that denies holds for whatever a line may turn out to be when it runs. */
final class SpellingsOfARuleTest {
    @TempDir private Path folder;

    @Test
    @Tag("D16")
    @Tag("D17")
    @Tag("D18")
    @Tag("D19")
    @Tag("D20")
    @DisplayName("no spelling of git push passes a rule that denies it, or asks about it")
    void spellings() throws IOException {
        assertEquals(List.of(), others(Verdict.DENY, Verdict.DENY, "spellings.txt", 150));
        assertEquals(List.of(), others(Verdict.ASK, Verdict.ASK, "spellings.txt", 150));
    }

    @Test
    @Tag("D16")
    @Tag("D17")
    @Tag("D18")
    @Tag("D19")
    @Tag("D20")
    @DisplayName("lines that only speak of git push, or cannot become it, are not held back")
    void notDenied() throws IOException {
        assertEquals(List.of(), others(Verdict.DENY, Verdict.ALLOW, "not-denied.txt", 50));
    }

    /** The lines that a rule about {@code git push} does not judge as expected. */
    private List<String> others(Verdict rule, Verdict expected, String table, int least)
            throws IOException {
        ToolFixture tools = PolicyFixture.tools(folder);
        PermissionPolicy policy =
                new PermissionPolicy(
                        List.of(
                                Rule.parse("run_command(git push*)", rule).orElseThrow(),
                                Rule.parse("run_command", Verdict.ALLOW).orElseThrow()),
                        ConfirmPreset.CONFIRM_SENSITIVE,
                        PolicyFixture.where(
                                tools, Confinement.CONFINED, Supervision.TRUSTED_TERMINAL),
                        Guardrails.NONE);
        List<String> lines = Files.readAllLines(Path.of("src/test/resources/shell", table));
        assertTrue(lines.size() >= least, () -> table + " has only " + lines.size() + " lines");
        List<String> others = new ArrayList<>();
        for (String line : lines) {
            String command = line.replace("\\n", "\n");
            Decision decision = policy.decide(PolicyFixture.ready(tools, "run_command", command));
            boolean byRule = decision.rule().equals("run_command(git push*)");
            boolean ours = expected == Verdict.ALLOW ? !byRule : decision.verdict() == expected;
            if (!ours) {
                others.add(line + " is " + decision.verdict() + " by " + decision.rule());
            }
        }
        return others;
    }
}
