package dev.agentloop.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not seen, or looks like something else, is shown as what it is. */
class SafeTextTest {
    @ParameterizedTest
    @ValueSource(
            ints = {
                0xE0001, 0xE0041, 0xE007F, 0x3164, 0x115F, 0x1160, 0xFFA0, 0xA0, 0x1680, 0x2000,
                0x200A, 0x202F, 0x205F, 0x3000, 0x2800, 0x200B, 0x200C, 0x200D, 0x2060, 0x2063,
                0xFEFF, 0xAD, 0x61C, 0x180E, 0x200E, 0x200F, 0x202A, 0x202E, 0x2066, 0x2069, 0xFE00,
                0xFE0F, 0xE0100, 0xE01EF, 0x180B, 0x34F, 0x17B4, 0x2028, 0x2029, 0x85, 0x1B, 0x7F,
                0x9B, 0xD, 0, 0xD800, 0xFFF9, 0x1D173, 0x1BCA0
            })
    void eachSuchCharacterIsShownInAnswersAndQuestions(int c) {
        String text = "r" + new String(new int[] {c}, 0, 1) + "m";
        String shown = "r\\u{" + Integer.toHexString(c) + "}m";

        assertEquals(shown, SafeText.block(text));
        assertEquals(shown, SafeText.exact(text));
        assertEquals(shown, SafeText.line(text));
    }

    @Test
    void ordinaryTextOfAnyLanguageStays() {
        String text = "año 日本 Привет שלום नमस्ते é ✓ → 😀\n\tx";
        assertEquals(text, SafeText.block(text));
    }

    @Test
    void emojiStayInAnswersAndAreTakenApartInQuestions() {
        String text = "⚠\uFE0F 👩\u200D💻 1\uFE0F";
        assertEquals("⚠\uFE0F 👩\u200D💻 1\\u{fe0f}", SafeText.block(text));
        assertEquals("⚠\\u{fe0f} 👩\\u{200d}💻 1\\u{fe0f}", SafeText.exact(text));
    }

    @Test
    void anEmojiMayComeInPieces() {
        SafePieces pieces = new SafePieces();
        StringBuilder shown = new StringBuilder();
        for (String piece : new String[] {"⚠", "\uFE0F a\uD83D", "\uDE00", "b", "\uFE0F"}) {
            shown.append(pieces.add(piece));
        }
        assertEquals("⚠\uFE0F a😀b\\u{fe0f}", shown.append(pieces.end()).toString());
        assertFalse(shown.toString().contains("d83d"));
    }
}
