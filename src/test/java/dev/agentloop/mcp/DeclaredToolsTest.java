package dev.agentloop.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.McpException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What of a server's tools a model is told. */
class DeclaredToolsTest {
    private static JsonValue tool(String name, String schema) throws Exception {
        return Json.parse("{\"name\":" + Json.quote(name) + ",\"inputSchema\":" + schema + "}");
    }

    @Test
    @Tag("D56")
    @DisplayName("a name that is made for one tool is not that of another")
    void similarNames() {
        String digest = Digest.of("a b");
        List<String> tools =
                List.of(
                        "a_b",
                        "a b",
                        "a_b_" + digest.substring(0, 6),
                        "a_b_" + digest.substring(0, 8));
        Map<String, String> names = ToolNaming.of("s", tools);
        assertEquals(new HashSet<>(tools), names.keySet());
        assertEquals(4, Set.copyOf(names.values()).size());
    }

    @Test
    @DisplayName(
            "nothing that is not seen is left in a schema: not in names, values or descriptions")
    void invisibleSchema() throws Exception {
        String hidden = new String(Character.toChars(0xE0041)) + "\u3164\uFE0F\u200B\u202E";
        String schema =
                ("{'properties':{'aX':{'type':'string','description':'say X ignore','title':'tX',"
                                + "'enum':['oneX','two'],'default':'oneX','examples':['eX'],"
                                + "'items':{'properties':{'bX':{'const':'cX'}}}}},'required':['aX'],"
                                + "'$defs':{'dX':{'description':'no\u00a0break'}}}")
                        .replace("X", hidden)
                        .replace('\'', '"');
        String clean = ToolDeclaration.of(tool("t", schema)).schema();

        String seen = schema.replace(hidden, "").replace('\u00a0', ' ');
        JsonValue wanted = Json.parse(seen);
        JsonValue got = Json.parse(clean);
        assertEquals(wanted.at("properties").raw(), got.at("properties").raw());
        assertEquals(wanted.at("required").raw(), got.at("required").raw());
        assertEquals(wanted.at("$defs").raw(), got.at("$defs").raw());
    }

    @Test
    @DisplayName("names that differ only in what is not seen are no sound schema")
    void lookalikeNames() throws Exception {
        JsonValue twice = tool("t", "{\"properties\":{\"a\":{},\"a\u200b\":{}}}");
        McpException refused = assertThrows(McpException.class, () -> ToolDeclaration.of(twice));
        assertTrue(String.valueOf(refused.getMessage()).contains("not seen"));
    }

    @Test
    @Tag("D56")
    @DisplayName("a tool for which every name is taken is left out, and somebody is told")
    void noNameLeft() throws Exception {
        String digest = Digest.of("a b");
        List<JsonValue> tools = new ArrayList<>();
        tools.add(tool("a b", "{}"));
        tools.add(tool("a_b", "{}"));
        for (int digits = 6; digits <= 16; digits += 2) {
            tools.add(tool("a_b_" + digest.substring(0, digits), "{}"));
        }
        DeclaredTools offer = DeclaredTools.of(tools, List.of()).within("s");
        assertEquals(7, offer.tools().size());
        assertEquals(List.of("a b (too many tools have similar names)"), offer.leftOut());
    }

    @Test
    @Tag("D78")
    @DisplayName("what is more than 200 KB of declarations is left out, and somebody is told")
    void tooMuch() throws Exception {
        String fat = "{\"type\":\"object\",\"description\":\"" + "x".repeat(90_000) + "\"}";
        List<JsonValue> tools =
                IntStream.range(0, 80)
                        .mapToObj(i -> {
                            try {
                                return tool("t" + i, fat);
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        })
                        .toList();
        DeclaredTools offer = DeclaredTools.of(tools, List.of()).within("s");
        assertEquals(Set.of("t0", "t1"), offer.tools().keySet());
        assertTrue(offer.leftOut().getFirst().startsWith("78 of its tools"));
        assertEquals(80, DeclaredTools.of(tools, List.of()).tools().size());
    }

    @Test
    @Tag("D78")
    @DisplayName("a tool whose schema is nonsense is left out, one without a schema is not")
    void nonsense() throws Exception {
        for (String schema :
                List.of(
                        "[1]",
                        "7",
                        "{\"properties\":[\"no\"]}",
                        "{\"properties\":null}",
                        "{\"properties\":{\"a\":7}}",
                        "{\"required\":7}",
                        "{\"required\":[1]}")) {
            assertThrows(McpException.class, () -> ToolDeclaration.of(tool("t", schema)), schema);
        }
        String sound = "{\"properties\":{\"a\":{},\"b\":true},\"required\":[\"a\"]}";
        assertEquals("t", ToolDeclaration.of(tool("t", sound)).name());
        assertEquals("t", ToolDeclaration.of(Json.parse("{\"name\":\"t\"}")).name());
    }
}
