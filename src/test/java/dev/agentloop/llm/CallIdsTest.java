package dev.agentloop.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class CallIdsTest {
    private final CallIds ids = new CallIds();

    @Test
    @Tag("G6")
    @DisplayName("of a compacted history only the newest ids are known; none before is used again")
    void goesOnBehindTheNewest() {
        ids.taken("call_41");

        assertEquals("call_42", ids.unique(""));
    }

    @Test
    @DisplayName("a number that is too large to be ours is only an id")
    void foreignNumber() {
        ids.taken("call_99999999999999999999");
        ids.taken("call_");

        assertEquals("call_1", ids.unique(""));
        assertFalse(ids.unique("call_1").equals("call_1"));
    }
}
