package dev.agentloop.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JsonValueTest {
    private static String text(Map<String, Object> map) {
        return Json.text(new JsonValue(map)::writeTo);
    }

    @Test
    @DisplayName("a map without an order of its own is written in the same order by each process")
    void sameOrderInEachProcess() {
        assertEquals(
                "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7}",
                text(Map.of("g", 7, "c", 3, "a", 1, "f", 6, "b", 2, "e", 5, "d", 4)));
    }

    @Test
    @DisplayName("what was read or put in an order keeps it")
    void keepsAnOrder() throws JsonException {
        Map<String, Object> put = new LinkedHashMap<>();
        put.put("z", 1);
        put.put("a", Json.parse("{\"y\":1,\"b\":2}").raw());

        assertEquals("{\"z\":1,\"a\":{\"y\":1,\"b\":2}}", text(put));
    }
}
