package dev.agentloop.markdown;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TextFlowTest {
    @Test
    @DisplayName("a line too long is broken between words, as far in as its own words, looks kept")
    void wrapped() {
        String text =
                """
                short
                  \u001b[2m• another point, with words\u001b[0m that go on
                    "a sentence of the second list, 税率を変えた
                """;
        String broken =
                """
                short
                  \u001b[2m• another point, with
                    words\u001b[0m that go on
                    "a sentence of the
                    second list, 税率を変
                    えた
                """;

        assertEquals(broken, TextFlow.wrapped(text, 25));
        assertEquals(text, TextFlow.wrapped(text, 80));
        assertEquals(
                "Allow? [y]es, yes for\n[n]o: ",
                TextFlow.wrapped("Allow? [y]es, yes for [n]o: ", 22));
    }

    @Test
    @DisplayName("a line that begins with very many blanks or marks is wrapped like any other")
    void manyMarks() {
        for (String mark : new String[] {" ", "- ", ": ", "\u001b[2m"}) {
            String line = mark.repeat(100_000) + "word";
            String shown = TextFlow.wrapped(line, 80);
            assertEquals(line.replaceAll("\\s", ""), shown.replaceAll("\\s", ""), mark);
        }
    }
}
