package dev.agentloop.edit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.edit.EditPlan.Replacement;
import dev.agentloop.edit.EditPlan.Tolerance;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EditPlanTest {
    @Test
    void theStepsAreTriedInTheirOrder() throws EditException {
        assertEquals(
                new EditPlan(Tolerance.NONE, List.of(new Splice(2, 3, "x"))),
                plan("a\nb\nc", "b", "x"));
        assertEquals(
                new EditPlan(Tolerance.LINE_ENDS, List.of(new Splice(3, 7, "x\r\ny"))),
                plan("a\r\nb\r\nc\r\n", "b\nc", "x\ny"));
        assertEquals(
                new EditPlan(Tolerance.TRAILING_BLANKS, List.of(new Splice(2, 7, "x\ny"))),
                plan("a\nb \t\nc\n", "b\nc", "x\ny"));
    }

    @Test
    void newLinesGetTheLineEndsOfTheirNeighbours() throws EditException {
        assertEquals(
                List.of(new Splice(3, 4, "x\r\ny")), plan("a\r\nb\r\nc", "b", "x\ny").splices());
        assertEquals(
                List.of(new Splice(5, 6, "x\ny")),
                plan("a\r\nb\nc\n", "c", "x\ny").splices(),
                "mixed");
        assertEquals(
                List.of(new Splice(3, 4, "x\r\ny")), plan("a\r\nb", "b", "x\ny").splices(), "last");
    }

    @Test
    void trailingBlanksOfTheModelNeedTheLineToEndThere() throws EditException {
        assertEquals(
                List.of(new Splice(3, 7, "\nx")),
                plan("foo\nfoo\nbar", "\nfoo  ", "\nx").splices());
        String text = refusal("foobar\n", "foo ", "x");
        assertTrue(text.startsWith("old_string was not found."), text);
    }

    @Test
    @Tag("B16")
    @Tag("scenario-48")
    @DisplayName("two matches are named by their lines")
    void twoMatchesAreNamedByTheirLines() {
        assertEquals(
                "old_string occurs 2 times, at lines 1, 3. Add surrounding lines to make it"
                        + " unique, or set replace_all.\nLines 1-3 of the file are:\nx = 1\ny\nx = 1",
                refusal("x = 1\ny\nx = 1\n", "x = 1", "x = 2"));
    }

    @Test
    void allOccurrencesAreReplacedWhenAsked() throws EditException {
        EditPlan plan = EditPlan.of("a b a\r\na", new Replacement("a", "c", true));
        assertEquals(3, plan.splices().size());
        assertEquals(
                2,
                EditPlan.of("a\r\nb\r\na\r\nb\r\n", new Replacement("a\nb", "c", true))
                        .splices()
                        .size());
    }

    @Test
    @Tag("scenario-48")
    @DisplayName("empty and equal strings are refused")
    void emptyAndEqualStringsAreRefused() {
        assertTrue(refusal("a", "", "x").startsWith("old_string is empty"));
        assertTrue(refusal("a", "a", "a").contains("equal"));
    }

    @Test
    @Tag("B15")
    @DisplayName("of a file that repeats itself the nearest text is the block that was meant")
    void theNearestOfManyAlikeBlocks() {
        String file =
                IntStream.rangeClosed(1, 30)
                        .mapToObj(n -> entry(n, 42))
                        .collect(Collectors.joining());
        String refused = refusal(file, entry(20, 42).replace("line 40 ", "lime 40 "), "x");

        int start = 19 * 44 + 1;
        String where =
                "The nearest text starts at line %d; the first difference is at line %d, column 7:"
                        .formatted(start, start + 41);
        assertTrue(refused.contains(where), refused);
        assertTrue(refused.contains("\n    line 40 of it\n"), refused);
    }

    private static String entry(int number, int lines) {
        return IntStream.rangeClosed(0, lines)
                .mapToObj(n ->
                        n == 0
                                ? "entry %d:\n".formatted(number)
                                : n % 3 == 0
                                        ? "    return value;\n"
                                        : "    line " + (n - 1) + " of it\n")
                .collect(Collectors.joining("", "", "\n"));
    }

    @Test
    @Tag("B15")
    @DisplayName("inside a line of 10 kB the nearest text is the part of it that was meant")
    void theNearestPartOfALongLine() {
        String line =
                IntStream.range(0, 500)
                        .mapToObj(n -> "var a%d=b%d+%d;".formatted(n, n, n * 7))
                        .collect(Collectors.joining());
        String meant = "var a300=b300+2100;var a301=b301+2107;var a302=b302+2114;";
        String refused = refusal(line, meant.replace("301+2107", "301-2107"), "x");

        int at = line.indexOf(meant);
        String where =
                "The nearest text is in line 1 from column %d on; the first difference is at column %d:"
                        .formatted(at + 1, at + meant.indexOf("+2107") + 1);
        assertTrue(refused.contains(where), refused);
        assertTrue(refused.contains(meant), refused);
        assertTrue(refused.length() < 1_000, refused);
        String other = refusal(line, "function of something else entirely()", "x");
        assertFalse(other.contains("nearest"), other);
    }

    @Test
    @Tag("B15")
    @Tag("scenario-48")
    @DisplayName("what is missing is answered with the nearest text")
    void whatIsMissingIsAnsweredWithTheNearestText() {
        String file = "def a():\n    return 1\n\ndef b():\n\treturn 2\n";
        assertEquals(
                """
                old_string was not found. The nearest text starts at line 4; the first difference \
                is at line 5, column 1:
                file:       "\\treturn 2"
                old_string: "    return 3"
                Lines 2-5 of the file are:
                    return 1

                def b():
                \treturn 2
                Copy the text exactly as the file has it.\
                """,
                refusal(file, "def b():\n    return 3\n", "x"));
        assertTrue(refusal(file, "return 3", "x").contains("at line 2"));
        assertTrue(refusal(file, "zzzzzzzz", "x").contains("Nothing in the file resembles it"));
    }

    @ParameterizedTest
    @Tag("B15")
    @DisplayName("a text of which no line is in the file is answered with the lines that it means")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    total = tax(net, rate) + shipping(weight)    | 3
                    total = tax(\\n net,\\n rate,\\n)              | 3
                    retrun total                                 | 8
                    retrun                                       | 8
                    discont                                      | 7
                    if total > limit and total < most: raise Err | 6
                    x = 1\\nif total > limitt:\\n    raise Eror(t) | 6
                    """)
    void theLinesThatNoLineIsLike(String old, int line) {
        String file =
                """
                def price(net, rate, weight):
                    # all of it
                    total = tax(
                        net, rate
                    ) + shipping(weight)
                    if total > limit: raise Error(total)
                    total -= discount
                    return total
                """;
        String refused = refusal(file, old.replace("\\n", "\n"), "x");

        String meant = file.lines().skip(line - 1).findFirst().orElseThrow();
        assertTrue(refused.contains("\n" + meant + "\n"), refused);
        assertTrue(refused.contains("The nearest text starts at line"), refused);
    }

    @Test
    @Tag("B15")
    @DisplayName(
            "the place that was meant is found beside a common line, behind 50,000, and with a part left out")
    void theMeantPlace() {
        String file =
                "def first(x):\n    return result\n\n".repeat(3)
                        + "pass\n".repeat(60_000)
                        + "def total(items):\n    sum = 0\n    for item in items:\n        sum += item.prize\n"
                        + "    if sum > 10:\n        sum -= 1\n    return result\n";
        String typos =
                "def totla(items):\n    sum = 00\n    fro item in items:\n    return result\n";
        assertTrue(refusal(file, typos, "x").contains("\n    for item in items:\n"));
        String left =
                "def total(items):\n    sum = 0\n    # ... existing code ...\n    if sum > 10:\n        sum -= 1\n";
        String refused = refusal(file, left, "x");
        assertTrue(
                refused.contains(
                        "\n    sum = 0\n    for item in items:\n        sum += item.prize\n    if sum > 10:\n        sum -= 1\n"),
                refused);
        assertTrue(refused.contains("first difference is at line 60012"), refused);
    }

    @ParameterizedTest
    @Tag("C10")
    @DisplayName(
            "a refusal shows no part of a long word: it could be a secret that then is not known as one")
    @ValueSource(ints = {100, 130, 150, 159})
    void noPartOfASecret(int before) {
        String secret = "Hx9vKf83hGd72Lq0PzRtYw4BnMcXe51QaZwSxEdC";
        String line = "x".repeat(before) + " token: \"" + secret + "\", " + "words ".repeat(3_000);
        for (String file : List.of(line + "\n", "a\n" + line + "\nb\n")) {
            String refused =
                    refusal(file, line.substring(0, 60) + "yy", "x")
                            + refusal(file, "a\n" + line.replace("words", "word") + "\nc\n", "x");
            String left = refused.replace(secret, "");
            assertFalse(left.contains(secret.substring(0, 5)), left);
            assertFalse(left.contains(secret.substring(35)), left);
        }
    }

    @Test
    @Tag("B15")
    @DisplayName(
            "a line that is one endless word, as of base64, is refused without showing part of it")
    void anEndlessWord() {
        String word =
                IntStream.range(0, 2_000)
                        .mapToObj(n -> Integer.toString(n * 7_919 % 46_649, 36))
                        .collect(Collectors.joining());
        String refused = refusal(word + "\n", word.substring(500, 700) + "zzzz", "x");
        assertTrue(refused.contains("The nearest text is in line 1 from column 501"), refused);
        assertFalse(refused.contains(word.substring(520, 560)), refused);
        assertTrue(
                refusal("a " + word + "\n", word.substring(0, 90) + "zz", "x").contains("line 1"));
        assertTrue(
                refusal(word + " b\n", word.substring(word.length() - 90) + "zz", "x")
                        .contains("line 1"));
    }

    @ParameterizedTest
    @Tag("B15")
    @DisplayName("a text that is like nothing in the file is answered without a guess")
    @ValueSource(strings = {"zz", "SELECT id FROM users;", "public static void main", "}"})
    void noGuess(String old) {
        String refused = refusal("def price(net):\n    return net * 2\n", old, "x");
        assertTrue(refused.contains("Nothing in the file resembles it"), refused);
    }

    @Test
    @DisplayName("a long text is answered with 40 lines around the first difference")
    void theBlockOfALongTextIsLimited() {
        StringBuilder file = new StringBuilder();
        for (int i = 1; i <= 200; i++) {
            file.append("value_").append(i).append(" = ").append(i * 7).append('\n');
        }
        String old = file.toString().replace("value_150 = 1050", "value_150 = 1051");
        String text = refusal(file.toString(), old, "x");

        assertTrue(text.contains("the first difference is at line 150, column 16"), text);
        assertTrue(text.contains("\nvalue_150 = 1050\n"), text);
        assertEquals(40, text.lines().filter(line -> line.startsWith("value_")).count());
    }

    @Test
    @DisplayName(
            "of few places the lines around them are shown, so that the next call can say which")
    void theLinesAroundEachPlaceAreShown() {
        String file = "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 1\n    return x\n";
        String text = refusal(file, "    return x", "y");

        assertTrue(text.endsWith("Lines 1-7 of the file are:\n" + file.stripTrailing()), text);
        String six = ("x\n" + "y\n".repeat(20)).repeat(6);
        String of = refusal(six, "x", "z");
        assertEquals(6, of.split("Lines \\d+-\\d+ of the file are:", -1).length - 1, of);
        assertTrue(of.lines().count() < 50, of);
    }

    @Test
    @Tag("B15")
    @DisplayName("a refusal carries the lines, whatever it is that does not fit")
    void theLinesAreShown() {
        String deeper = refusal("a:\n\tb\n", "    b\n", "    c\n   d\n");
        assertTrue(deeper.contains("which does not tell that of the new line \"d\""), deeper);
        assertTrue(deeper.endsWith("Lines 1-2 of the file are:\na:\n\tb"), deeper);
        String open = refusal("a\nlast", "a\nlast\n", "x\n");
        assertTrue(
                open.contains(
                        "starts at line 1; the only difference is its end: the file's last line"
                                + " has no line end, the old_string has one."),
                open);
        String inside = refusal("alpha beta\nlastX", "alpha beta\nlast\n", "x\n");
        assertFalse(inside.contains("only difference is its end"), inside);
        String once = refusal("xxx\nzzz", "xxx\nxxx", "q");
        assertFalse(once.contains("as near"), once);
        String wide = refusal("w".repeat(7_000) + "\nb c\nd e\n", "b c\nd f\n", "q");
        assertTrue(wide.contains("… (7000 characters)\nb c\nd e\n"), wide);
        assertTrue(wide.length() < 7_500, wide);
        String equal = refusal("if x:\n    y()\n".repeat(60), "if x:\n    z()\n", "q");
        assertTrue(
                equal.contains(
                        "59 others are as near: line 3, 5, 7, 9, 11, 13, 15, 17, 19,"
                                + " 21, …. Lines that stand once tell them apart."),
                equal);
    }

    private static EditPlan plan(String text, String old, String with) throws EditException {
        return EditPlan.of(text, new Replacement(old, with, false));
    }

    private static String refusal(String text, String old, String with) {
        return String.valueOf(
                assertThrows(EditException.class, () -> plan(text, old, with)).getMessage());
    }
}
