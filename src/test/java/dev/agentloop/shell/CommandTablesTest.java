package dev.agentloop.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tables of command lines, one a line, in {@code src/test/resources/shell}. */
final class CommandTablesTest {
    @Test
    @Tag("P10")
    @DisplayName("each of these lines destroys something, and is known to")
    void dangerous() throws IOException {
        assertEquals(List.of(), failing("dangerous.txt", 250, line -> !dangers(line).isEmpty()));
    }

    @Test
    @Tag("P11")
    @DisplayName("each of these lines shows something to others, and is known to")
    void publishing() throws IOException {
        assertEquals(
                List.of(),
                failing("publishing.txt", 100, line -> !Shells.facts(line).publishes().isEmpty()));
    }

    @Test
    @Tag("P10")
    @Tag("P11")
    @DisplayName("an ordinary line neither destroys nor publishes, whatever it speaks of")
    void ordinary() throws IOException {
        assertEquals(List.of(), failing("ordinary.txt", 200, line -> dangers(line).isEmpty()));
        assertEquals(
                List.of(),
                failing("ordinary.txt", 200, line -> Shells.facts(line).publishes().isEmpty()));
    }

    @Test
    @Tag("P9")
    @DisplayName("a line that starts another program than the ones it shows is not clear")
    void starters() throws IOException {
        assertEquals(
                List.of(),
                failing(
                        "starters.txt",
                        100,
                        line -> Shells.facts(line).reading() instanceof ShellReading.Unclear));
    }

    @Test
    @Tag("P9")
    @DisplayName("ordinary commands are clear: a rule that allows them can say so")
    void clear() throws IOException {
        assertEquals(
                List.of(),
                failing(
                        "clear.txt",
                        200,
                        line -> Shells.facts(line).reading() instanceof ShellReading.Clear));
    }

    private static List<Danger> dangers(String line) {
        return Shells.facts(line).dangers();
    }

    private static List<String> failing(String table, int least, Predicate<String> holds)
            throws IOException {
        List<String> lines = Files.readAllLines(Path.of("src/test/resources/shell", table));
        assertTrue(lines.size() >= least, () -> table + " has only " + lines.size() + " lines");
        List<String> failing = new ArrayList<>();
        for (String line : lines) {
            if (!holds.test(Shells.line(line))) {
                failing.add(line);
            }
        }
        return failing;
    }
}
