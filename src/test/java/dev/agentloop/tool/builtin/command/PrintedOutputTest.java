package dev.agentloop.tool.builtin.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.CutText;
import dev.agentloop.process.CommandOutcome.Kept;
import dev.agentloop.process.CommandOutcome.Output;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PrintedOutputTest {
    private static final int ROOM = 8_000;
    private static final Pattern CUT =
            Pattern.compile(
                    "\\[\\.{3} (\\d+) lines omitted \\.{3}] of (\\d+) \\((\\d+) of (\\d+)"
                            + " characters\\)");

    @Test
    void whatFitsStandsWhole() {
        String text = printed(lines("out", 20), lines("err", 20), true);

        assertEquals("\nstdout:\n" + lines("out", 20) + "\nstderr:\n" + lines("err", 20), text);
    }

    @Test
    void ofACommandThatFailedTheLastLinesOfStderrStandFirst() {
        String text = printed(lines("out", 2_000), lines("err", 2_000), true);

        assertTrue(text.length() <= ROOM, () -> "" + text.length());
        assertTrue(text.startsWith("\nstderr, its last lines:\nerr "), text);
        int end = text.indexOf("\nerr 2000\nstdout:\nout 1\n");
        assertTrue(end > 0, text);
        assertTrue(text.indexOf("\nstderr before that:\nerr 1\n") > end, text);
        assertTrue(text.contains("lines omitted"), text);
    }

    @Test
    void aShortStderrOfACommandThatFailedStandsWholeBeforeALongStdout() {
        String text = printed(lines("out", 2_000), lines("err", 3), true);

        assertTrue(text.startsWith("\nstderr:\nerr 1\nerr 2\nerr 3\nstdout:\nout 1\n"), text);
        assertTrue(text.endsWith("\nout 2000"), text);
        assertTrue(text.length() > ROOM - 500 && text.length() <= ROOM, () -> "" + text.length());
    }

    @Test
    void ofOneThatSucceededTheOrderStays() {
        String text = printed(lines("out", 2_000), lines("err", 3), false);

        assertTrue(text.startsWith("\nstdout:\nout 1\n"), text);
        assertTrue(text.endsWith("\nstderr:\nerr 1\nerr 2\nerr 3"), text);
    }

    @Test
    @Tag("B28")
    @DisplayName("a line that is too long fills the room, and leaves the lines around it their own")
    void oneLongLineFillsTheRoom() {
        String around = lines("out", 20);
        String text = printed(around + "\n" + "x".repeat(50_000) + "\nend", "", false);

        assertTrue(text.startsWith("\nstdout:\n" + around + "\nxxx"), text);
        assertTrue(text.endsWith("xxx\nend\nstderr: (empty)"), text);
        assertTrue(text.length() > ROOM - 500 && text.length() <= ROOM, () -> "" + text.length());
        Matcher mark = Pattern.compile("x+\\[… (\\d+) characters left out …]x+").matcher(text);
        assertTrue(mark.find(), text);
        int shown = mark.group().replaceAll("[^x]", "").length();
        assertEquals(50_000, shown + Integer.parseInt(mark.group(1)));
    }

    @Test
    @Tag("B28")
    @DisplayName("the mark counts what long lines had lost before")
    void theMarkKnowsTheWholeLength() {
        String line = "y".repeat(3_000);
        String out =
                IntStream.range(0, 100).mapToObj(i -> i + line).collect(Collectors.joining("\n"));

        Matcher mark =
                Pattern.compile("(\\d+) of (\\d+) characters").matcher(printed(out, "", false));
        assertTrue(mark.find());
        assertEquals(out.length(), Integer.parseInt(mark.group(2)));
        assertTrue(Integer.parseInt(mark.group(1)) > 280_000, mark::group);
    }

    @Test
    @Tag("B28")
    @DisplayName("many lines that are too long fill the room, too")
    void manyLongLinesFillTheRoom() {
        String line = "y".repeat(9_000) + "\n";
        for (boolean failed : new boolean[] {true, false}) {
            String text = printed("short", line.repeat(5) + "z" + line.repeat(5), failed);

            assertTrue(text.length() > ROOM - 1_500 && text.length() <= ROOM, failed + text);
            assertTrue(text.contains("[… 7040 characters left out …]"), text);
        }
    }

    @Test
    @DisplayName("the mark counts what was left out before, too")
    void theMarkCountsAll() {
        String all = lines("out", 10_000);
        String first = all.substring(0, all.indexOf("out 1001\n"));
        String last = all.substring(all.indexOf("out 9501\n"));
        int between = all.length() - first.length() - last.length();
        String text = printed(first + CutText.gap(8_500, between) + '\n' + last, "", false);

        Matcher mark = CUT.matcher(text);
        assertTrue(mark.find(), text);
        long shown = text.lines().filter(shownLine -> shownLine.startsWith("out ")).count();
        assertEquals(10_000 - shown, Long.parseLong(mark.group(1)));
        assertEquals("10000", mark.group(2));
        assertEquals(String.valueOf(all.length()), mark.group(4));
        assertFalse(mark.find());
    }

    @Test
    @DisplayName("of a failed command's long stderr no line of the end was left out before")
    void theLastLinesAreWhole() {
        String all = lines("err", 10_000);
        String first = all.substring(0, all.indexOf("err 1001\n"));
        String last = all.substring(all.indexOf("err 9801\n"));
        int between = all.length() - first.length() - last.length();
        String text = printed("out", first + CutText.gap(8_800, between) + '\n' + last, true);

        int end = text.indexOf("\nstdout:");
        assertTrue(text.startsWith("\nstderr, its last lines:\nerr 9801\n"), text);
        assertFalse(text.substring(0, end).contains("omitted"), text);
        Matcher mark = CUT.matcher(text);
        assertTrue(mark.find(), text);
        long shown = text.lines().filter(line -> line.startsWith("err ")).count();
        assertEquals(10_000 - shown, Long.parseLong(mark.group(1)));
        assertFalse(mark.find(), text);
    }

    @Test
    void whatIsNoTextIsNamedWithItsFile() {
        StringBuilder text = new StringBuilder();
        Output image = new Output("", 3_000, 3_000, new Kept("/tmp/o/1-stdout.txt", 3_000));
        PrintedOutput printed = new PrintedOutput(text, image, output(""));
        printed.append(false, ROOM);

        assertEquals(
                "\nstdout: binary, 3000 bytes, kept in /tmp/o/1-stdout.txt until the run ends"
                        + "\nstderr: (empty)",
                text.toString());
        assertTrue(printed.isCut());
    }

    private static String printed(String out, String err, boolean failed) {
        StringBuilder text = new StringBuilder();
        PrintedOutput printed = new PrintedOutput(text, output(out), output(err));
        printed.append(failed, ROOM);
        assertEquals(text.length() < out.length() + err.length(), printed.isCut());
        assertFalse(text.toString().contains("until the run ends"));
        return text.toString();
    }

    private static Output output(String text) {
        return new Output(text, text.length(), 0, new Kept("", 0));
    }

    private static String lines(String name, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> name + " " + i)
                .collect(Collectors.joining("\n"));
    }
}
