package dev.agentloop.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.config.source.ConfigException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ModelsTest {
    @Test
    @DisplayName("A model of the catalog brings its price; without its key it is not opened")
    void aModelOfTheCatalogBringsItsPrice() {
        Map<String, String> keys = Map.of("OPENAI_API_KEY", "k");
        try (CatalogModel model = Models.open("openai/gpt-5.5", keys)) {
            assertEquals("openai/gpt-5.5", model.model().id());
            assertNotNull(model.price());
            assertEquals(model.price(), Models.price("openai/gpt-5.5"));
        }
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Models.open("openai/gpt-5.5", Map.of()));
        assertTrue(String.valueOf(e.getMessage()).contains("OPENAI_API_KEY"), e::toString);
    }

    @Test
    void whatNobodyKnowsHasNoPrice() {
        assertNull(Models.price("nobody/knows"));
        assertThrows(ConfigException.class, () -> Models.open("nobody/knows", Map.of()));
    }
}
