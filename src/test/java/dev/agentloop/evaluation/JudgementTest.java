package dev.agentloop.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JudgementTest {
    private static final Judgement DONE =
            new Judgement(true, new BigDecimal("0.9"), List.of("one {nit}"), "look at \"}\"");
    private static final String JSON =
            """
            {"completed": true, "confidence": 0.9, "issues": ["one {nit}"],
             "suggestion": "look at \\"}\\""}\
            """;

    @Test
    @Tag("row-82")
    @Tag("S0-49")
    @DisplayName("the whole answer, a fenced block, or an object in prose")
    void whereverItStands() {
        assertEquals(DONE, Judgement.parse("\n " + JSON + "\n"));
        assertEquals(DONE, Judgement.parse("Here you are:\n```json\n" + JSON + "\n```\nBye."));
        assertEquals(DONE, Judgement.parse("I think {roughly}: " + JSON + " and {that} is it."));
        assertEquals(DONE, Judgement.parse("```\nno json\n```\nso " + JSON));
    }

    @Test
    @Tag("row-82")
    @Tag("C40")
    @DisplayName("nested braces and quotes do not end the object")
    void nestedBraces() {
        Judgement nested =
                Judgement.parse(
                        "Well: {\"note\": {\"a\": {\"b\": \"}}\"}}, \"completed\": false,"
                                + " \"confidence\": 1, \"issues\": [{\"file\": \"a\"}]} {");
        assertEquals(new Judgement(false, BigDecimal.ONE, List.of("{\"file\":\"a\"}"), ""), nested);
    }

    @ParameterizedTest
    @CsvSource({"7, 1", "-1, 0", "0.5, 0.5", "1e30, 1", "\"high\", 0", "null, 0"})
    @Tag("C40")
    @DisplayName("confidence is between 0 and 1, whatever stands there")
    void confidenceIsClamped(String told, BigDecimal expected) {
        Judgement read = Judgement.parse("{\"completed\": true, \"confidence\": " + told + "}");
        assertEquals(0, expected.compareTo(read.confidence()), read::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"yes, all done", "''", "{\"done\": true}", "{\"completed\": tr", "[true]"})
    @Tag("C40")
    @DisplayName("what cannot be read is not completed, with confidence 0")
    void whatCannotBeRead(String text) {
        Judgement none = Judgement.parse(text);
        assertFalse(none.completed());
        assertEquals(BigDecimal.ZERO, none.confidence());
        assertFalse(none.passes(BigDecimal.ZERO));
    }

    @Test
    @DisplayName("only a word of truth is true")
    void onlyTrueIsTrue() {
        assertFalse(Judgement.parse("{\"completed\": \"true\", \"confidence\": 1}").completed());
    }

    @Test
    @Tag("C41")
    @DisplayName("completed goes before confident")
    void whichIsBetter() {
        Judgement sureNot = new Judgement(false, BigDecimal.ONE, List.of(), "");
        Judgement perhaps = new Judgement(true, new BigDecimal("0.2"), List.of(), "");
        assertTrue(perhaps.compareTo(sureNot) > 0);
        assertTrue(DONE.compareTo(perhaps) > 0);
        assertTrue(DONE.passes(new BigDecimal("0.90")));
        assertFalse(perhaps.passes(new BigDecimal("0.8")));
    }
}
