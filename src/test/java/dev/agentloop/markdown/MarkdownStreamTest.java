package dev.agentloop.markdown;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.colour.Colours;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers as models write them, on terminals of some widths. */
class MarkdownStreamTest {
    private static final String ESC = "\u001b[";
    private static final String ANSWER =
            """
            # What I did

            The **total** in `cart.py` ignored the *discount*; see [the docs](https://docs.example/cart) and https://example.org.
            1. Read `cart.py`
            2. Changed `total(items)`, which now takes the discount of each item into account

               ```diff
               -    return 0
               +    return sum(items)
               ```

               and ran the tests
            3. Done

            - one
              - inner item
            - two

            > It works.
            > Really.

            | File | Lines | Why |
            |------|------:|-----|
            | cart.py | 12 | the discount was left out of the sum of all items |
            | 購物車.py | 3 | 折扣 |

            ---
            That is *all*.
            """;

    @Test
    @DisplayName("an answer at 60 columns: each block readable, none wider, numbers in a row")
    void anAnswer() {
        assertEquals(
                """
                # What I did

                The total in `cart.py` ignored the discount; see the docs
                (https://docs.example/cart) and https://example.org.

                1. Read `cart.py`
                2. Changed `total(items)`, which now takes the discount of
                   each item into account

                   ```diff
                   -    return 0
                   +    return sum(items)
                   ```

                   and ran the tests
                3. Done

                • one
                  • inner item
                • two

                │ It works. Really.

                File       Lines  Why
                ─────────  ─────  ──────────────────────────────────────────
                cart.py       12  the discount was left out of the sum of
                                  all items
                購物車.py      3  折扣

                ────────────────────────────────────────

                That is all.
                """,
                shown(ANSWER, ANSWER.length(), new Looks(true, Colours.NONE), 60));
    }

    @Test
    @DisplayName("however an answer is cut into pieces, it looks the same")
    void pieces() {
        String whole = shown(ANSWER, ANSWER.length(), new Looks(true, Colours.OWN), 60);
        for (int size : new int[] {1, 2, 3, 7, 50}) {
            assertEquals(whole, shown(ANSWER, size, new Looks(true, Colours.OWN), 60));
        }
        assertTrue(whole.contains(ESC + "36mcart.py" + ESC + "0m"), whole);
        assertTrue(whole.contains(ESC + "32m   +    return sum(items)"), whole);
    }

    @Test
    @DisplayName("a block is shown when it is complete, a line of code and an item at once")
    void asItArrives() {
        MarkdownStream stream = new MarkdownStream(new Looks(true, Colours.NONE), () -> 40);
        assertEquals("", stream.add("A text"));
        assertEquals("", stream.add(" of two\nlines\n"));
        assertEquals("A text of two lines\n", stream.add("\n- one\n"));
        assertEquals("\n• one\n", stream.add("- two\n"));
        assertEquals("• two\n\n```sh\n", stream.add("\n```sh\n"));
        assertEquals("ls\n", stream.add("ls\n"));
        assertEquals("```\n", stream.add("```\n"));
        assertEquals("\nEnd\n", stream.add("End") + stream.end());
        assertEquals("Next\n", stream.add("Next") + stream.end());
    }

    @Test
    @DisplayName("a table that is too wide for the terminal is a list of its cells")
    void narrowTable() {
        String table = "| Name | Kind | Size | Note |\n|-|-|-|-|\n| a | file | 12 | new |\n";
        assertEquals(
                "Name: a\nKind: file\nSize: 12\nNote: new\n",
                shown(table, 5, new Looks(true, Colours.NONE), 20));
    }

    @Test
    @DisplayName(
            "indented code behind a paragraph keeps its lines, behind an item it belongs to it")
    void indentedCode() {
        Looks looks = new Looks(true, Colours.NONE);
        assertEquals(
                "Run:\n\nmake a\nmake b\n\nEnd\n",
                shown("Run:\n\n    make a\n    make b\n\nEnd\n", 3, looks, 40));
        assertEquals(
                "• Run:\n\n  more of it\n\nEnd\n",
                shown("- Run:\n\n  more of it\n\nEnd\n", 3, looks, 40));
    }

    @Test
    @DisplayName("a line is cut by the columns that it takes, not by its characters")
    void cut() {
        assertEquals("漢字", TextFlow.cut("漢字漢字", 5));
        assertEquals("ab", TextFlow.cut("abc", 2));
        assertEquals("é👩‍👩‍👧‍👦", TextFlow.cut("é👩‍👩‍👧‍👦x", 3));
        assertEquals("", TextFlow.cut("漢", 1));
    }

    @ParameterizedTest
    @DisplayName("no line but of code is wider than the terminal, whatever is written")
    @ValueSource(ints = {20, 40, 80, 160, 400})
    void width(int columns) {
        String text =
                ANSWER.replaceAll("(?s) *```.*```\n", "")
                        + "\n漢字".repeat(300)
                        + "\n\n👩‍👩‍👧‍👦é".repeat(90);
        String shown = shown(text, 11, new Looks(true, Colours.OWN), columns);
        for (String line : shown.replaceAll("\u001b\\[[0-9;]*m", "").split("\n")) {
            assertTrue(TextFlow.width(line) <= columns, line);
        }
    }

    @Test
    @DisplayName("no text breaks it, and of colours nothing is left on at the end of a line")
    void anything() {
        Random random = new Random(7);
        String[] parts = {
            "*", "**", "`", "```", "\n", "\n\n", "- ", "  ", "| a ", "|-", "> ", "[x](", ")", "#",
            "1. ", "wörd ", "漢", "<b>", "~~~", "\t", "\\", "&amp;"
        };
        for (int round = 0; round < 2_000; round++) {
            String text =
                    random.ints(1 + random.nextInt(60), 0, parts.length)
                            .mapToObj(each -> parts[each])
                            .collect(Collectors.joining());
            String shown =
                    shown(
                            text,
                            1 + random.nextInt(9),
                            new Looks(true, Colours.OWN),
                            10 + random.nextInt(90));
            for (String line : shown.split("\n")) {
                int last = line.lastIndexOf(ESC);
                assertTrue(last < 0 || line.startsWith(ESC + "0m", last), line);
            }
        }
        shown("> ".repeat(5_000) + "deep", 999, new Looks(true, Colours.OWN), 80);
        shown("*a ".repeat(4_000) + "b*".repeat(4_000), 999, new Looks(true, Colours.OWN), 80);
        shown("[".repeat(8_000) + "](x)".repeat(2_000), 999, new Looks(true, Colours.OWN), 80);
    }

    @Test
    @DisplayName("a line without an end is shown in parts, nothing of it lost")
    void aLineWithoutAnEnd() {
        String text = "word ".repeat(100_000);
        String shown = shown(text, 4_096, new Looks(true, Colours.NONE), 80);
        assertEquals(text.replace(" ", ""), shown.replaceAll("\\s", ""));
    }

    private static String shown(String text, int size, Looks looks, int columns) {
        MarkdownStream stream = new MarkdownStream(looks, () -> columns);
        StringBuilder shown = new StringBuilder();
        for (int from = 0; from < text.length(); from += size) {
            shown.append(stream.add(text.substring(from, Math.min(text.length(), from + size))));
        }
        return shown.append(stream.end()).toString();
    }
}
