package dev.agentloop.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is checked after every run is found when it is wrong. */
class GlobalsTest {
    private static final String MODES = "speed 38400 baud; -icanon";

    private static void check(
            String words, String out, long millis, @Nullable TerminalTrace trace) {
        try (var world = World.withoutModel()) {
            Ended ended =
                    new Ended(
                            List.of(words.split(" ")),
                            0,
                            out,
                            "",
                            Duration.ofMillis(millis),
                            0,
                            trace);
            Globals.check(world, ended, true);
        }
    }

    private static void assertFound(String what, String words, String out, long millis) {
        TerminalTrace trace = new TerminalTrace(MODES, MODES);
        AssertionError found =
                assertThrows(AssertionError.class, () -> check(words, out, millis, trace));
        assertTrue(String.valueOf(found.getMessage()).contains(what), found::getMessage);
    }

    @ParameterizedTest
    @CsvSource({"3,7100", "--timeout 3 go,7100", "29s,33100", "30,32100", "60s,62100"})
    @Tag("G10")
    @DisplayName("a run that outlives its timeout")
    void tooLong(String timeout, long millis) {
        String option = timeout.startsWith("--") ? timeout : "--timeout=" + timeout;
        String words = "run " + option;

        long anyPace = 3_600_000; // the bound grows with the time that a busy machine needs
        assertFound("G10", words, "", millis + anyPace);
        check(words, "", millis - 200, null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "run --timeout=soon", "run --step-timeout=1"})
    @DisplayName("without a bound in seconds there is none to look at")
    void noBound(String words) {
        check(words, "", 100_000, null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u001b[?25l", "\u001b[?1049h", "\u001b[?2004l\u001b[?2004h"})
    @Tag("G8")
    @DisplayName("a terminal that is left hidden, on another screen, or in another mode")
    void terminalModes(String out) {
        assertFound("G8", "run", out, 1);
        check("run", out + out.replace('h', 'x').replace('l', 'h').replace('x', 'l'), 1, modes());
    }

    @Test
    @Tag("G8")
    @DisplayName("a terminal whose settings have changed, or at which nobody could look")
    void terminalSettings() {
        for (TerminalTrace trace :
                List.of(
                        new TerminalTrace(MODES, MODES.replace("-icanon", "icanon")),
                        new TerminalTrace("", ""))) {
            AssertionError found =
                    assertThrows(AssertionError.class, () -> check("run", "", 1, trace));
            assertTrue(String.valueOf(found.getMessage()).contains("G8 stty"), found::getMessage);
        }
        assertEquals(List.of(), modes().violations("\u001b[1mbold\u001b[0m"));
    }

    private static TerminalTrace modes() {
        return new TerminalTrace(MODES, MODES);
    }
}
