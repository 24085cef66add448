package dev.agentloop.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandOutcome.Ending;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HookOutputTest {
    private static final Duration TIMEOUT = Duration.ofMillis(1_500);

    @Test
    void whatWasPrintedIsToldWithHowItEnded() {
        assertEquals(new HookOutput(3, "out\nerr", false), output(Ending.EXITED, 3, " out\n"));
        assertEquals(
                new HookOutput(-1, "out\nerr\ntimed out after 1.5 s", false),
                output(Ending.TIMED_OUT, 137, "out"));
        assertEquals(
                new HookOutput(-1, "out\nerr\nstopped", false),
                output(Ending.CANCELLED, 143, "out"));
    }

    @Test
    @Tag("B40")
    @DisplayName("what cannot be started says so, and is known to be missing")
    void whatCannotBeStartedSaysSo() {
        assertEquals(
                new HookOutput(-1, "out\nerr\ncannot start: command not found", true),
                output(Ending.EXITED, 127, "out"));
        assertEquals(
                new HookOutput(-1, "out\nerr\ncannot start: not executable", true),
                output(Ending.EXITED, 126, "out"));
    }

    @Test
    @Tag("B40")
    @DisplayName("3 KB of the beginning and the end are kept of a long output")
    void aLongOutputKeepsItsBeginningAndItsEnd() {
        String most = "x".repeat(4_096);
        assertEquals(most, HookOutput.capped(most));
        assertEquals(
                "x".repeat(3_072) + "\n[… 4097 bytes in all …]\n" + "x".repeat(987),
                HookOutput.capped(most + "x"));
    }

    @Test
    void noCharacterIsCutInHalf() {
        assertEquals(
                "a" + "ñ".repeat(1_535) + "\n[… 6001 bytes in all …]\n" + "ñ".repeat(493),
                HookOutput.capped("a" + "ñ".repeat(3_000)));
        assertEquals(
                "ñ".repeat(1_536) + "\n[… 6001 bytes in all …]\n" + "ñ".repeat(493) + "a",
                HookOutput.capped("ñ".repeat(3_000) + "a"));
        assertEquals(
                "€".repeat(1_024) + "\n[… 6003 bytes in all …]\n" + "€".repeat(329),
                HookOutput.capped("€".repeat(2_001)));
    }

    private static HookOutput output(Ending ending, int code, String out) {
        return HookOutput.of(
                new CommandOutcome(
                        ending,
                        code,
                        printed(out),
                        printed("err\n"),
                        Duration.ZERO,
                        List.of(),
                        List.of(),
                        List.of()),
                TIMEOUT);
    }

    static CommandOutcome.Output printed(String text) {
        return new CommandOutcome.Output(text, text.length(), 0, new CommandOutcome.Kept("", 0));
    }
}
