package dev.agentloop.config.key;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
    private static final List<String> WORDS = List.of("max_steps", "budget", "timeout", "file");

    @ParameterizedTest(name = "{0} was meant as {1}")
    @CsvSource({
        "max_step, max_steps",
        "maxSteps, max_steps",
        "MAX-STEPS, max_steps",
        "bugdet, budget",
        "tiemout, timeout",
        "fil, file",
        "xyzzy, ''",
        "money, ''",
    })
    void aSlipIsRecognisedAndAStrangerIsNot(String word, String meant) {
        String expected = meant.isEmpty() ? "" : "; did you mean \"" + meant + "\"?";
        assertEquals(expected, Suggestion.among(word, WORDS));
    }
}
