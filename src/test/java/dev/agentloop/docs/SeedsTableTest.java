package dev.agentloop.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of the seeds is made from a table of rows, none of which may vanish or go unproven. */
class SeedsTableTest {
    private static final Path FILE = Path.of("src/test/resources/seeds/behaviours.txt");

    /** Rows of each seed; they count from 1 without a gap. */
    private static final Map<String, Integer> EXPECTED = expected();

    /** What is known to be missing; whoever builds it takes it from here and from the table. */
    private static final List<String> OPEN = List.of();

    private static Map<String, Integer> expected() {
        Map<String, Integer> rows = new LinkedHashMap<>();
        rows.put("S0", 63);
        rows.put("S1", 21);
        rows.put("S2", 21);
        rows.put("S3", 7);
        rows.put("S4", 19);
        return rows;
    }

    @Test
    void noRowIsMissing() throws IOException {
        List<String> ids =
                EXPECTED.entrySet().stream()
                        .flatMap(seed ->
                                IntStream.rangeClosed(1, seed.getValue())
                                        .mapToObj(number -> seed.getKey() + "-" + number))
                        .toList();

        assertEquals(ids, SeedsTable.read(FILE).ids());
    }

    @Test
    void everyRowHasItsClassesAndItsProof() throws IOException {
        assertEquals(List.of(), SeedsTable.read(FILE).problems());
    }

    @Test
    void nothingIsOpenByAccident() throws IOException {
        assertEquals(OPEN, SeedsTable.read(FILE).openIds());
    }

    @ParameterizedTest
    @CsvSource({"S0", "S1", "S2", "S3", "S4"})
    void thePageListsEveryRow(String seed) throws IOException {
        Page.of("docs/seeds.md").checkPart(seed, SeedsTable.read(FILE).page(seed));
    }

    @ParameterizedTest
    @DisplayName("a row without proof is named, and so is a proof that is none")
    @CsvSource(
            delimiter = '|',
            value = {
                "by: loop.AgentLoop | S9-1: no test shows it, and it is not marked open",
                "shown: loop.AgentLoopTest#textAtOnceEndsTheRun | S9-1: no class does it",
                "by: loop.Vanished | S9-1: there is no class loop.Vanished",
                "by: loop.AgentLoopTest | S9-1: there is no class loop.AgentLoopTest",
                "shown: loop.AgentLoopTest#vanished | S9-1: there is no test"
                        + " loop.AgentLoopTest#vanished",
                "shown: loop.GoneTest#x | S9-1: there is no test class for loop.GoneTest#x",
                "shown: docs.SeedsTableTest#expected | S9-1: there is no test"
                        + " docs.SeedsTableTest#expected",
                "shown: llm.CallContract#oneToolIsCalled | S9-1: there is no test"
                        + " llm.CallContract#oneToolIsCalled",
                "shown: docs.SeedsTableTest$Off#never | S9-1: the test"
                        + " docs.SeedsTableTest$Off#never is disabled",
            })
    void whatIsWrongIsNamed(String field, String problem) {
        List<String> problems =
                SeedsTable.parse(List.of("S9-1 It does something", "  " + field)).problems();

        assertEquals(true, problems.contains(problem), problems::toString);
    }

    @Test
    void anOpenRowNeedsNoProofAndSaysWhatIsMissing() {
        SeedsTable table =
                SeedsTable.parse(List.of("S9-1 It does something", "  open: library: all of it"));

        assertEquals(List.of(), table.problems());
        assertEquals(List.of("S9-1"), table.openIds());
        assertEquals(
                """
                | row | behaviour | done by | shown by |
                |---|---|---|---|
                | S9-1 | It does something |  | **open:** library: all of it |
                """,
                table.page("S9"));
    }

    /** No test of ours is disabled, so one is made up that nobody runs. */
    @Disabled("the table has to refuse it")
    interface Off {
        @Test
        default void never() {}
    }
}
