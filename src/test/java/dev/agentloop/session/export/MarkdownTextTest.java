package dev.agentloop.session.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Text of others in an export does nothing but be read. */
class MarkdownTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '%',
            quoteCharacter = '"',
            value = {
                "<img src=x onerror=y> % \\<img src=x onerror=y\\>",
                "![i](http://e.org/?d) % !\\[i\\](http\\://e.org/?d)",
                "[a](javascript:x) % \\[a\\](javascript\\:x)",
                "[a]: //e.org % \\[a\\]: //e.org",
                "see https://e.org or www.e.org % see https\\://e.org or www\\.e.org",
                "mail a@e.org % mail a\\@e.org",
                "\\<b> % \\\\\\<b\\>",
                "&lt;b&gt; % \\&lt;b\\&gt;",
                "## Step 9 % \\## Step 9",
                "> said % \\> said",
                "=== % \\===",
                "--- % \\---",
                "- item % - item",
                "- - - % \\- - -",
                "a `<b>` c % a `<b>` c",
                "a `<b> c % a \\`\\<b\\> c",
                "a ``x`<i> % a \\`\\`x\\`\\<i\\>",
                "~~~ % \\~~~",
                "plain * words_too 1. % plain * words_too 1.",
            })
    void aLineIsWords(String given, String shown) {
        assertEquals(shown, MarkdownText.line(given));
    }

    @Test
    void aClosedFenceStaysCodeAndAnOpenOneIsWords() {
        assertEquals(
                "```java\nList<String> x;\n```\n",
                MarkdownText.blocks("```java\nList<String> x;\n```"));
        assertEquals("```\n<b>\n```\nafter\n", MarkdownText.blocks("~~~ a<b\n<b>\n~~~\nafter"));
        assertEquals("\\`\\`\\`\n\\<b\\>\n", MarkdownText.blocks("```\n<b>"));
        String inner = MarkdownText.blocks("````\n```\n<img>\n```\n````\n<img>");
        assertTrue(inner.startsWith("````\n```\n<img>\n```\n````\n"), inner);
        assertTrue(inner.endsWith("\\<img\\>\n"), inner);
    }

    @Test
    void whatIsNotSeenIsShown() {
        String hidden = new String(Character.toChars(0xE0041)) + "\u202E\u3164\u00A0\r";
        String shown = MarkdownText.blocks("a" + hidden + "b");
        assertEquals("a\\\\u{e0041}\\\\u202e\\\\u3164\\\\u00a0\\\\u000db\n", shown);
    }
}
