package dev.agentloop.colour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ColoursTest {
    private static final int DARK = 0x1E1E1E; // a usual background
    private static final int LIGHT = 0xFFFFFF;

    /** As WCAG 2 reckons it. */
    private static double contrast(int one, int other) {
        double a = luminance(one) + 0.05;
        double b = luminance(other) + 0.05;
        return Math.max(a, b) / Math.min(a, b);
    }

    private static double luminance(int colour) {
        return 0.2126 * linear(colour >> 16)
                + 0.7152 * linear(colour >> 8 & 0xFF)
                + 0.0722 * linear(colour & 0xFF);
    }

    private static double linear(int part) {
        double share = part / 255.0;
        return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }

    @ParameterizedTest
    @EnumSource(Tint.class)
    @DisplayName("each colour can be read on its background")
    void contrast(Tint tint) {
        assertTrue(contrast(tint.on(Background.DARK), DARK) >= 4.5, tint.name());
        assertTrue(contrast(tint.on(Background.LIGHT), LIGHT) >= 4.5, tint.name());
    }

    @ParameterizedTest
    @CsvSource({
        "rgb:1e1e/1e1e/2e2e, DARK",
        "rgb:ffff/ffff/ffff, LIGHT",
        "rgb:fd/f6/e3, LIGHT",
        "rgba:0000/2b2b/3636/ffff, DARK",
        "rgb:zz/00/00, UNKNOWN",
        "?, UNKNOWN"
    })
    @DisplayName("what terminals answer when they are asked for their background")
    void answers(String answer, Background background) {
        assertEquals(background, Background.answered(answer));
    }

    @ParameterizedTest
    @CsvSource({
        "15;0, DARK",
        "0;15, LIGHT",
        "0;default;15, LIGHT",
        "7;8, DARK",
        "15;default, UNKNOWN",
        "'', UNKNOWN",
        "0;99, UNKNOWN",
        "5, UNKNOWN"
    })
    @DisplayName("COLORFGBG names both colours by their numbers")
    void variable(String value, Background background) {
        assertEquals(background, Background.of(Map.of("COLORFGBG", value)));
    }

    @Test
    @DisplayName("a theme has as many colours as the terminal; without a background its own ones")
    void depths() {
        Map<String, String> palette = Map.of("TERM", "xterm-256color");
        Map<String, String> all = Map.of("TERM", "xterm-256color", "COLORTERM", "truecolor");
        Map<String, String> few = Map.of("TERM", "linux");

        assertEquals("32", Colours.of(Theme.AUTO, Background.UNKNOWN, all).parameters(Tint.ADDED));
        assertTrue(Colours.of(Theme.AUTO, Background.UNKNOWN, all).needsBackground());
        assertFalse(Colours.of(Theme.AUTO, Background.UNKNOWN, few).needsBackground());
        assertFalse(Colours.of(Theme.AUTO, Background.DARK, all).needsBackground());
        assertEquals("32", Colours.of(Theme.DARK, Background.LIGHT, few).parameters(Tint.ADDED));
        assertEquals(
                "38;2;26;115;48",
                Colours.of(Theme.LIGHT, Background.DARK, all).parameters(Tint.ADDED));
        String near = Colours.of(Theme.AUTO, Background.DARK, palette).parameters(Tint.ADDED);
        assertTrue(near.matches("38;5;\\d+"), near);
        assertEquals("text", Colours.of(Theme.PLAIN, Background.DARK, all).in(Tint.CODE, "text"));
        assertEquals(
                "31", Colours.of(Theme.TERMINAL, Background.DARK, all).parameters(Tint.REMOVED));
    }

    @Test
    @DisplayName("what a terminal answers while a line is typed, and other keys, are no part of it")
    void answersInALine() {
        String answer = "\u001b]11;rgb:1e1e/1e1e/2e2e";
        assertEquals("y", Background.withoutAnswers(answer + "\u001b\\y\r"));
        assertEquals("yes", Background.withoutAnswers("ye" + answer + "\u0007s"));
        assertEquals("a", Background.withoutAnswers("\u001ba"));
        assertEquals("no, use\ttabs é", Background.withoutAnswers("no, use\ttabs é"));
    }
}
