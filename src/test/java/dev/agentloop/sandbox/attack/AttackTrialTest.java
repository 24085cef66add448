package dev.agentloop.sandbox.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.sandbox.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a trial leaves, and what it says if it cannot be made. */
class AttackTrialTest {
    @TempDir Path place;

    private static Attack attack(List<String> needs, String command) {
        return new Attack("one", Map.of(), needs, "", List.of(command), "");
    }

    private AttackTrial trial() throws IOException {
        return new AttackTrial(_ -> Sandbox.NONE, "/usr/bin:/bin", place);
    }

    @Test
    @DisplayName("nothing of an attack is left, not even names that are no text or closed folders")
    void nothingIsLeft() throws IOException {
        String command =
                "n=$(printf 'a\\377b'); mkdir -p \"$n/in\" out; touch \"$n/in/$n\"; ln -s / root;"
                        + " touch out/file; chmod 0 \"$n\" out";

        Attack.Outcome outcome =
                trial().attempt(
                                new AttackClass("c", "C", false, List.of()),
                                attack(List.of(), command));

        assertEquals(Attack.Outcome.STOPPED, outcome);
        try (var left = Files.list(place)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    @DisplayName("programs that an attack needs and that are not there are named")
    void missingProgramsAreNamed() throws IOException {
        Attack attack = attack(List.of("sh", "no-such-program", "nor-this"), "true");

        assertEquals(List.of("no-such-program", "nor-this"), trial().missing(attack));
    }
}
