package dev.agentloop.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The size of the house: how much there is, how much of it others see, and what is there twice. */
class HouseTest {
    private static final Path MAIN = Path.of("src/main/java");
    private static final Pattern PUBLIC_TYPE =
            Pattern.compile("(?m)^public .*\\b(class|interface|record|enum|@interface)\\b");
    private static final int COPY = 10; // lines of code; shorter ones are idioms
    private static final int ALLOWED_LINES = 141_000; // raised for added folders and reports

    @Test
    void noTenLinesOfCodeStandInTwoPlaces() throws IOException {
        Map<String, String> places = new HashMap<>();
        List<String> copies = new ArrayList<>();
        for (Path file : files(MAIN)) {
            List<String> code = code(file);
            for (int from = 0; from + COPY <= code.size(); from++) {
                String block = String.join("\n", code.subList(from, from + COPY));
                String here = file.getFileName().toString();
                String there = places.putIfAbsent(block, here);
                if (there != null && (copies.isEmpty() || !copies.getLast().endsWith(here))) {
                    copies.add(there + " and " + here);
                }
            }
        }
        Figures.note("4 copies of ten lines or more", String.valueOf(copies.size()));
        assertEquals(List.of(), copies);
    }

    @Test
    void theProgramGrowsOnlyWhereSomebodySaysSo() throws IOException {
        long lines = lines(MAIN);
        Figures.note("2 lines of the program", String.valueOf(lines));
        Figures.note("3 lines of its tests", String.valueOf(lines(Path.of("src/test/java"))));
        assertTrue(lines <= ALLOWED_LINES, () -> lines + " lines");
    }

    @Test
    void atMostTwoThirdsOfTheTypesArePublic() throws IOException {
        Map<String, Integer> packages = new TreeMap<>();
        int all = 0;
        int seen = 0;
        for (Path file : files(MAIN)) {
            if (file.endsWith("package-info.java")) {
                continue;
            }
            packages.merge(String.valueOf(MAIN.relativize(file).getParent()), 1, Integer::sum);
            all++;
            seen += PUBLIC_TYPE.matcher(Files.readString(file)).find() ? 1 : 0;
        }
        int library = packages.getOrDefault("dev/agentloop/library", 0); // all in one place
        packages.remove("dev/agentloop/library");
        int most = packages.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        int share = 100 * seen / all;
        Figures.note(
                "1 packages",
                (packages.size() + 1)
                        + ", the largest has "
                        + most
                        + " files, library has "
                        + library);
        Figures.note("5 public types", share + " % of " + all);
        assertTrue(share <= 66, () -> share + " % are public");
    }

    private static long lines(Path folder) throws IOException {
        long lines = 0;
        for (Path file : files(folder)) {
            lines += Files.readAllLines(file).size();
        }
        return lines;
    }

    /** Lines without comments, imports and lines that hold nothing but punctuation. */
    private static List<String> code(Path file) throws IOException {
        List<String> code = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            String bare = line.strip();
            boolean says = bare.chars().anyMatch(Character::isLetterOrDigit);
            if (says && !bare.matches("(import|package|//|/\\*|\\*).*")) {
                code.add(bare.toLowerCase(Locale.ROOT));
            }
        }
        return code;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
        }
    }
}
