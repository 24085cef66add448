package dev.agentloop.edit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.edit.EditPlan.Replacement;
import dev.agentloop.edit.EditPlan.Tolerance;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What models get wrong, step by step, and what becomes of the file. */
class EditLadderTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "tabs in the file, blanks in the call"
                        + "|a:\\n\\tif x:\\n\\t\\ty()\\nend\\n"
                        + "|    if x:\\n        y()\\n|    if x:\\n        y()\\n        z()\\n"
                        + "|a:\\n\\tif x:\\n\\t\\ty()\\n\\t\\tz()\\nend\\n",
                "blanks in the file, tabs in the call"
                        + "|a:\\n    if x:\\n        y()\\n"
                        + "|\\tif x:\\n\\t\\ty()|\\tif z:\\n\\t\\tif x:\\n\\t\\t\\ty()"
                        + "|a:\\n    if z:\\n        if x:\\n            y()\\n",
                "everything deeper in the file"
                        + "|class A:\\n    def f(self):\\n        return 1\\n"
                        + "|def f(self):\\n    return 1\\n|def f(self):\\n    return 2\\n"
                        + "|class A:\\n    def f(self):\\n        return 2\\n",
                "everything less deep in the file"
                        + "|def f():\\n    return 1\\n"
                        + "|    def f():\\n        return 1\\n|    def f():\\n        return 2\\n"
                        + "|def f():\\n    return 2\\n",
                "one line only, with tabs|{\\n\\tfoo(1);\\n}\\n|    foo(1);|    foo(2);"
                        + "|{\\n\\tfoo(2);\\n}\\n",
                "line ends of Windows|{\\r\\n\\tif a\\r\\n\\t\\tb\\r\\n}\\r\\n"
                        + "|    if a\\n        b\\n|    if a\\n        c\\n        d\\n"
                        + "|{\\r\\n\\tif a\\r\\n\\t\\tc\\r\\n\\t\\td\\r\\n}\\r\\n",
                "blank lines with blanks|  a\\n \\n  b\\n|a\\n\\nb|a\\n\\nc|  a\\n \\n  c\\n"
            })
    @DisplayName("indentation is shifted to that of the file")
    void indentation(String what, String file, String old, String with, String expected)
            throws EditException {
        assertEquals(
                shown(expected),
                edited(Tolerance.INDENTATION, shown(file), shown(old), shown(with)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "say “hello” — twice\\n|say \"hello\" - twice|say \"goodbye\" - twice"
                        + "|say “goodbye” — twice\\n",
                "it’s\u00A0so\\nand\\n|it's so\\nand|it's so\\nor|it’s\u00A0so\\nor\\n",
                "x = ‘a’\\r\\ny\\r\\n|x = 'a'\\n|x = 'a'\\nz = 'b'\\n"
                        + "|x = ‘a’\\r\\nz = 'b'\\r\\ny\\r\\n"
            })
    @DisplayName("typographic signs of the file are kept where the model kept them")
    void typography(String file, String old, String with, String expected) throws EditException {
        assertEquals(
                shown(expected),
                edited(Tolerance.TYPOGRAPHY, shown(file), shown(old), shown(with)));
    }

    @Test
    @Tag("B09")
    @DisplayName("blanks at the ends of lines stay on the lines that the model kept")
    void trailingBlanksStay() throws EditException {
        String file = "# T  \nhard break  \nnext\t\nend\n";
        assertEquals(
                "# T  \nhard break  \nother\nend\n",
                edited(
                        Tolerance.TRAILING_BLANKS,
                        file,
                        "# T\nhard break\nnext\n",
                        "# T\nhard break\nother\n"));
    }

    @Test
    @DisplayName("carriage returns that only the model has do not get into the file")
    void carriageReturnsOfTheModel() throws EditException {
        assertEquals(
                "a\nc\nd\n", edited(Tolerance.LINE_ENDS, "a\nb\nd\n", "a\r\nb\r\n", "a\r\nc\r\n"));
    }

    @Test
    @Tag("B16")
    @DisplayName("places that overlap are two places")
    void overlappingPlaces() {
        assertTrue(refusal("}\n}\n}\n", "}\n}\n", "}\n").contains("2 times, at lines 1, 2"));
    }

    @Test
    @Tag("B16")
    @DisplayName("two places after a shift are refused with their lines")
    void twoPlacesAfterAShift() {
        String text = refusal("\tf(1)\nx\n\t\tf(1)\n", "    f(1)", "    f(2)");
        assertTrue(text.contains("2 times, at lines 1, 3 (with another indentation"), text);
    }

    @ParameterizedTest
    @CsvSource({
        "'if x:\\n  a\\n    b\\n','if x:\\n    a\\n    b\\n'", // not by the same
        "'  foo\\n  bar\\n',' foo\\n    bar\\n'",
        "'  foo(1)\\n',' foo(2)\\n'"
    })
    @DisplayName("what differs in more than a shift is not found")
    void moreThanAShift(String file, String old) {
        String text = refusal(shown(file), shown(old), "x");
        assertTrue(text.startsWith("old_string was not found. The nearest text starts at"), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "def f(xs):\\n  for x in xs:\\n    use(x)\\n|        use(x)\\n"
                        + "|        use(x)\\n    print(1)\\n",
                "x\\n      foo()\\n|\\tfoo()\\n|\\tfoo()\\nelse:\\n\\tbaz()\\n",
                "a\\n\\t  b\\n|    b\\n|    b\\n        c\\n",
                "a\\n  b\\n|  a\\n    b\\n|x\\n"
            })
    @DisplayName("an indentation that the old lines do not tell is refused, never guessed")
    void unknownIndentation(String file, String old, String with) {
        String text = refusal(shown(file), shown(old), shown(with));
        assertTrue(text.contains("does not tell that of the new line"), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "run –flag –other\\n|run -flag -other|run --flag --other|run --flag --other\\n",
                "“a” and “b”\\n|\"a\" and \"b\"|\"b\" and \"a\" or \"c\""
                        + "|\"b\" and \"a\" or \"c\"\\n",
                "// prints “hello”\\nprint(1)\\n|// prints \"hello\"\\nprint(1)|print(\"y\")"
                        + "|print(\"y\")\\n",
                "// total – 1\\nx\\n|// total - 1\\nx|return total - 1;|return total - 1;\\n",
                "// the user’s name\\nx\\n|// the user's name\\nx"
                        + "|char c = 's';\\n// the user's name\\nx"
                        + "|char c = 's';\\n// the user’s name\\nx\\n"
            })
    @DisplayName("no typographic sign gets where the model did not keep one")
    void noForeignSigns(String file, String old, String with, String expected)
            throws EditException {
        assertEquals(
                shown(expected),
                edited(Tolerance.TYPOGRAPHY, shown(file), shown(old), shown(with)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "f\\n    a\\n    \\n    b\\n    c\\n|    a\\n\\n    b\\n|    a\\n|f\\n    a\\n    c\\n",
                "f\\n  a\\n \\n  b\\n  c\\n|a\\n\\nb\\n|a\\n|f\\n  a\\n  c\\n",
                "a\\r\\nfoo\\r\\n|\\nfoo|\\nbar|a\\r\\nbar\\r\\n",
                "a\\r\\nfoo\\r\\n|\\nfoo||a\\r\\n"
            })
    @DisplayName("what is left of a deletion stands where it stood")
    void deletions(String file, String old, String with, String expected) throws EditException {
        assertEquals(
                shown(expected), edited(shown(file), shown(old), with == null ? "" : shown(with)));
    }

    @Test
    @DisplayName("a last line without an end is not one with an end")
    void noFinalEnd() {
        String text = refusal("a\nb", "b\n", "c\n");
        assertTrue(text.startsWith("old_string was not found."), text);
    }

    @Test
    @DisplayName("texts too long to be compared line by line are refused")
    void tooLong() {
        StringBuilder file = new StringBuilder();
        StringBuilder old = new StringBuilder();
        StringBuilder with = new StringBuilder("new\n");
        for (int i = 0; i < 2100; i++) {
            file.append("line ").append(i).append("  \n");
            old.append("line ").append(i).append('\n');
            with.append("line ").append(i == 2099 ? "x" : "" + i).append('\n');
        }
        String text = refusal(file.toString(), old.toString(), with.toString());
        assertTrue(text.contains("too long to be compared"), text);
    }

    @Test
    @Tag("B09")
    @DisplayName("what the model left as it was stays, whatever it got wrong")
    void untouchedLinesStay() throws EditException {
        Random random = new Random(4);
        for (int round = 0; round < 500; round++) {
            int lines = 4 + random.nextInt(8);
            StringBuilder file = new StringBuilder();
            StringBuilder old = new StringBuilder();
            StringBuilder with = new StringBuilder();
            StringBuilder expected = new StringBuilder();
            String prefix = random.nextBoolean() ? "\t" : "  ";
            int changed = random.nextInt(lines);
            for (int i = 0; i < lines; i++) {
                String end = random.nextBoolean() ? "\r\n" : "\n";
                String line = "line" + round + "_" + i;
                String blanks = random.nextInt(3) == 0 ? "  " : "";
                file.append(prefix).append(line).append(blanks).append(end);
                old.append(line).append('\n');
                with.append(i == changed ? "new" : line).append('\n');
                expected.append(prefix).append(i == changed ? "new" : line + blanks).append(end);
            }
            String before = "first\r\nline\n";
            String after = "last \n";
            assertEquals(
                    before + expected + after,
                    edited(before + file + after, old.toString(), with.toString()),
                    "round " + round);
        }
    }

    private static String shown(String text) {
        return text.translateEscapes();
    }

    private static String edited(Tolerance by, String file, String old, String with)
            throws EditException {
        EditPlan plan = EditPlan.of(file, new Replacement(old, with, false));
        assertEquals(by, plan.tolerance());
        return applied(file, plan);
    }

    private static String edited(String file, String old, String with) throws EditException {
        return applied(file, EditPlan.of(file, new Replacement(old, with, false)));
    }

    private static String applied(String file, EditPlan plan) {
        StringBuilder text = new StringBuilder(file);
        Splice splice = plan.splices().getFirst();
        return text.replace(splice.start(), splice.end(), splice.replacement()).toString();
    }

    private static String refusal(String file, String old, String with) {
        return String.valueOf(
                assertThrows(
                                EditException.class,
                                () -> EditPlan.of(file, new Replacement(old, with, false)))
                        .getMessage());
    }
}
