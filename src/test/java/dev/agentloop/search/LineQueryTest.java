package dev.agentloop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineQueryTest {
    @ParameterizedTest(name = "{0} is looked for by {1} runs of bytes")
    @CsvSource(
            delimiter = ' ',
            value = {
                "needle 1",
                "[0-9]{7} 1",
                "\\d{3}-\\d{4} 1",
                "ab|[0-9a-f]{4,} 2",
                "(get|set)User 1",
                "[a-z]{9} 0",
                "\\w+ 0",
                "[^0-9]{7} 0",
                "[0-9]{0,7} 0",
                "x?(ab)? 0",
                "[é]{7} 0",
            })
    void whatEveryMatchMustHaveIsLookedForFirst(String regex, int runs) {
        LineQuery query = new LineQuery(Pattern.compile(regex), 0, 10, 1_000);
        assertEquals(runs, query.searches().size());
    }
}
