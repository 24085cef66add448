package dev.agentloop.process;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputTextTest {
    @Test
    @Tag("B28")
    @DisplayName("escape sequences, control characters and progress bars are taken out")
    void onlyWhatAPersonWouldSeeIsLeft() {
        assertEquals("red plain\n", OutputText.clean("\u001B[1;31mred\u001B[0m plain\n"));
        assertEquals("link", OutputText.clean("\u001B]8;;http://x\u0007link\u001B]8;;\u001B\\"));
        assertEquals("title", OutputText.clean("\u001B]0;evil\u0007title"));
        assertEquals("a\\0b", OutputText.clean("a\0\u0007b\u007F"));
        assertEquals("x\ty", OutputText.clean("x\ty"));
        assertEquals("done\nnext", OutputText.clean(" 10%\r 50%\rdone\nnext"));
        assertEquals("50%\n", OutputText.clean("10%\r50%\r\n"));
        assertEquals("a\nb\n", OutputText.clean("a\r\nb\r\n"));
        assertEquals("NAME", OutputText.clean("N\bNA\bAM\bME\bE"));
        assertEquals("", OutputText.clean("\u001B"));
    }

    @Test
    void manyEqualLinesBecomeOne() {
        assertEquals(
                "a\nb\n[and 11 times more]\nc", OutputText.folded("a\n" + "b\n".repeat(12) + "c"));
        String few = "a\n".repeat(9);
        assertEquals(few, OutputText.folded(few));
    }

    @Test
    void aProgressBarOfManyLinesBecomesItsLast() {
        StringBuilder bar = new StringBuilder("begin\n");
        for (int i = 1; i <= 40; i++) {
            bar.append("Downloading ").append(i).append("% of 12.5 MB\n");
        }
        assertEquals(
                "begin\nDownloading 40% of 12.5 MB\n[after 39 such lines]\nend",
                OutputText.folded(bar + "end"));
        String table = "a 1%\nb 2%\n".repeat(20);
        assertEquals(table, OutputText.folded(table));
        String dates = "- 11/26\n- 3/4\n".repeat(12);
        assertEquals(dates, OutputText.folded(dates));
        String numbers = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";
        assertEquals(numbers, OutputText.folded(numbers));
    }

    @Test
    @DisplayName("steps of a build and counts fold; results beside a count and warnings stay")
    void countedStepsBecomeTheirLast() {
        assertEquals(
                "[30/30] Compiling f30.c\n[after 29 such lines]\ndone",
                OutputText.folded(steps("[%d/30] Compiling f%1$d.c\n") + "done"));
        assertEquals(
                "[30/30] Building CXX object a/f30.cpp.o\n[after 29 such lines]\n",
                OutputText.folded(steps("[%d/30] Building CXX object a/f%1$d.cpp.o\n")));
        assertEquals(
                "Progress: 30/30\n[after 29 such lines]\n",
                OutputText.folded(steps("Progress: %d/30\n")));
        for (String kept :
                new String[] {
                    "[%d/30] test_%1$d PASSED\n", // verdicts
                    "Epoch %d/30 loss=0.%1$d\n",
                    "[%d/30] Compiling f%1$d.c: warning: unused\n",
                    "[%d/30] Testing case%1$d ... CRASHED\n",
                    "[%d/30] Running test_%1$d: NOT OK\n",
                    "[%d/30] Checking a%1$d.py: 3 problems\n",
                    "[%d/30] Downloading p%1$d: 404 Not Found\n",
                    "[%d/30] Linking l%1$d.so: undefined reference\n",
                    "[%d/30] Building lib%1$d ... Exception\n",
                    "test_%d 100%% match\n",
                    "coverage of module%d: %1$d%%\n",
                    "/dev/sd%d 100G %1$dG %1$d%% /mnt/%1$d\n",
                    "%d%% of users chose option %1$d\n",
                    "%d%% disk used on node%1$d\n",
                    "[%d/30] Linking t%1$d (skipped)\n",
                    "[%d/30] Downloading p%1$d (checksum mismatch)\n",
                    "[%d/30] Installing p%1$d deprecated\n",
                    "%d/31 and\nother\n"
                }) {
            assertEquals(steps(kept), OutputText.folded(steps(kept)));
        }
    }

    @Test
    @DisplayName("bars of tqdm, git, wget and others fold to their last state")
    void barsOfPrograms() {
        for (String bar :
                new String[] {
                    "Epoch 1: %d%%|███▌ | %1$d/30 [00:%1$d<00:01, 12.5it/s]\n",
                    "Receiving objects:  %d%% (%1$d/30), %1$d.5 MiB | 2.%1$d MiB/s\n",
                    "  %d00K .......... .......... %1$d%% 1.2M 3s\n",
                    "[##### ] %d/30\n"
                }) {
            String folded = OutputText.folded(steps(bar));
            assertEquals(2, folded.strip().lines().count(), folded);
        }
    }

    @Test
    @DisplayName("a line of any length is no progress, and takes no stack")
    void longLines() {
        String long1 = "5% " + "1 ".repeat(100_000) + "\n";
        assertEquals(long1 + long1 + "x", OutputText.folded(long1 + long1 + "x"));
    }

    private static String steps(String line) {
        return IntStream.rangeClosed(1, 30).mapToObj(line::formatted).collect(joining());
    }

    @ParameterizedTest
    @DisplayName("maps, charts, and shares and counts that a program was run for stay as they are")
    @ValueSource(
            strings = {
                "#..#.##.#..#", // a map
                "# #  #   ##",
                "█████████",
                "Test accuracy: %d.0%%",
                "%d%%  12.0 ms",
                "%d.0%%  18 of 200",
                "similarity index %d%%",
                "Passed: %d/90",
                "FAILED (%d/90)",
                "%d%% /dev/sda1",
                "bin %d [0.5-0.6] 7%%",
            })
    void results(String form) {
        StringBuilder text = new StringBuilder();
        for (int i = 10; i < 60; i += 3) {
            String line = form.contains("%") ? form.formatted(i) : form + "#".repeat(i % 7);
            text.append(line).append('\n');
        }
        assertEquals(text.toString(), OutputText.folded(text.toString()));
    }
}
