package dev.agentloop.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.testing.SampleTree;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Searches under limits that only a process of its own can have. */
@Tag("side-by-side")
class SearchIT {
    private static final List<String> FEW_HANDLES =
            List.of("/bin/sh", "-c", "ulimit -n 64; exec \"$@\"", "sh");

    private static World world;

    @BeforeAll
    static void writeTree() throws Exception {
        world = World.withoutModel();
        SampleTree.write(world.workspace(), 10_000, 4);
    }

    @AfterAll
    static void removeTree() throws Exception {
        world.close();
    }

    @ParameterizedTest(name = "B33 {0} of 10,000 files with 64 file handles")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "grep|{\"pattern\": \"needle\"}|// needle",
                "grep|{\"pattern\": \"[0-9]{7}\"}|No match for [0-9]{7}.",
                "find_files|{\"pattern\": \"File9971.*\"}|File9971.",
                "search_code|{\"query\": \"service 9971\"}|class Service9971",
            })
    @Tag("B33")
    @DisplayName("searches need few file handles")
    void fewHandles(String tool, String arguments, String expected) throws Exception {
        Ended ended =
                world.launch().under(FEW_HANDLES).start("tools", "run", tool, arguments).ended();
        assertEquals(0, ended.exitCode(), ended::toString);
        assertTrue(ended.out().contains(expected), ended::toString);
        assertFalse(ended.out().contains("could not be read"), ended::toString);
    }
}
