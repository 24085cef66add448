package dev.agentloop.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OpeningsTest {
    private final List<String> closed = new ArrayList<>();

    @Test
    void theLastOneOpenedIsClosedFirst() {
        try (Openings openings = new Openings()) {
            assertEquals("a", openings.add("a", closed::add));
            assertEquals("b", openings.add("b", closed::add));
        }
        assertEquals(List.of("b", "a"), closed);
    }

    @Test
    void oneThatCannotBeClosedKeepsNoOtherOpen() {
        Openings openings = new Openings();
        openings.add("a", closed::add);
        openings.add("b", OpeningsTest::fail);
        openings.add("c", closed::add);

        assertThrows(IllegalStateException.class, openings::close);
        assertEquals(List.of("c", "a"), closed);
        openings.close();
        assertEquals(List.of("c", "a"), closed);
    }

    private static void fail(String opened) {
        throw new IllegalStateException(opened);
    }
}
