package dev.agentloop.tool.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.ToolSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentBinderTest {
    record Point(@Doc("x") int x, @Doc(value = "y", optional = true) @Nullable Long y) {}

    record All(
            @Doc("name") String fileName,
            @Doc(value = "n", optional = true) @Nullable Integer count,
            @Doc(value = "b", optional = true) @Nullable Boolean deepToo,
            @Doc(
                            value = "m",
                            optional = true,
                            oneOf = {"fast", "slow"})
                    @Nullable String mode,
            @Doc(value = "t", optional = true) @Nullable List<String> tags,
            @Doc(value = "p", optional = true) @Nullable List<Point> points) {
        All {
            if (fileName.isBlank()) {
                throw new IllegalArgumentException("file_name is blank");
            }
        }
    }

    record Nothing(@Doc(value = "a", optional = true) @Nullable String word) {}

    @Test
    void everyTypeIsBound() throws ToolException {
        assertEquals(
                new All(
                        "a.txt",
                        3,
                        true,
                        "slow",
                        List.of("x", "y"),
                        List.of(new Point(1, 2L), new Point(3, null))),
                bind(
                        """
                        {"file_name": "a.txt", "count": 3, "deep_too": true, "mode": "slow",
                         "tags": ["x", "y"], "points": [{"x": 1, "y": 2}, {"x": 3}]}
                        """));
    }

    @ParameterizedTest
    @ValueSource(strings = {"12", "\"12\"", "12.0", "1.2e1"})
    void wholeNumbersAreUnderstoodInEveryForm(String number) throws ToolException {
        assertEquals(12, bind("{\"file_name\":\"a\",\"count\":%s}".formatted(number)).count());
    }

    @ParameterizedTest
    @CsvSource({"true,true", "'\"true\"',true", "'\"false\"',false"})
    void truthIsUnderstoodAsAWordToo(String json, boolean truth) throws ToolException {
        assertEquals(
                truth, bind("{\"file_name\":\"a\",\"deep_too\":%s}".formatted(json)).deepToo());
    }

    @Test
    void nullIsAsGoodAsLeftOut() throws ToolException {
        assertEquals(
                new All("a", null, null, null, null, null),
                bind("{\"file_name\":\"a\",\"count\":null}"));
    }

    @Test
    @Tag("A51")
    @DisplayName("no text at all is an empty object, but only when nothing is required")
    void noTextAtAllIsAnEmptyObjectWhenNothingIsRequired() throws ToolException {
        assertEquals(
                new Nothing(null),
                new ArgumentBinder<>(spec(Nothing.class), Nothing.class).bind(""));
        assertTrue(refusal("").contains("empty text"), refusal(""));
    }

    @Tag("scenario-27")
    @Tag("A51")
    @DisplayName("broken arguments are refused with the problem and what is expected")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{\"file_name\": \"a\"| not valid JSON",
                "{\"file_name\": 'a'}| line 1, column 15",
                "[1]| expected a JSON object, not an array",
                "{\"file_name\":\"a\",\"file_name\":\"b\"}| Duplicate",
                "{\"file_name\":\"a\"} {}| more text after the JSON value",
                "{\"fileName\":\"a\"}| unknown parameter \"fileName\", did you mean \"file_name\"?",
                "{\"count\":1}| missing \"file_name\"",
                "{\"file_name\":5}| \"file_name\" must be a string, not the number 5",
                "{\"file_name\":\"a\",\"count\":1.5}| \"count\" must be an integer, not the number"
                        + " 1.5",
                "{\"file_name\":\"a\",\"count\":\"many\"}| \"count\" must be an integer, not a"
                        + " string",
                "{\"file_name\":\"a\",\"count\":1e1000000000}| the number is too large",
                "{\"file_name\":\"a\",\"count\":3000000000}| \"count\" must be an integer",
                "{\"file_name\":\"a\",\"count\":true}| \"count\" must be an integer, not a boolean",
                "{\"file_name\":\"a\",\"deep_too\":1}| \"deep_too\" must be a boolean",
                "{\"file_name\":\"a\",\"mode\":\"warp\"}| \"mode\" must be one of fast, slow",
                "{\"file_name\":\"a\",\"tags\":\"x\"}| \"tags\" must be an array, not a string",
                "{\"file_name\":\"a\",\"tags\":[1]}| \"tags[0]\" must be a string",
                "{\"file_name\":\"a\",\"points\":[{}]}| missing \"points[0].x\"",
                "{\"file_name\":\"a\",\"points\":[{\"x\":1,\"z\":1}]}| unknown parameter"
                        + " \"points[0].z\"",
                "{\"file_name\":\" \"}| file_name is blank",
            })
    void brokenArgumentsAreRefused(String json, String problem) {
        String text = refusal(json);
        assertTrue(text.startsWith("Invalid arguments for all: "), text);
        assertTrue(text.contains(problem.strip()), text);
        assertTrue(
                text.contains(
                        "Expected: file_name (string), count? (integer), deep_too? (boolean),"
                                + " mode? (fast|slow), tags? (array), points? (array)."),
                text);
    }

    @Test
    void allProblemsAreToldAtOnce() {
        String text = refusal("{\"name\":\"a\",\"count\":\"x\"}");
        assertTrue(text.contains("unknown parameter \"name\""), text);
        assertTrue(text.contains("missing \"file_name\""), text);
        assertTrue(text.contains("\"count\" must be an integer"), text);
    }

    @Test
    @Tag("A51")
    @DisplayName("arguments that are too deep or too long are refused, the process lives on")
    void argumentsThatAreTooDeepOrTooLongAreRefused() {
        String deep = "{\"file_name\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}";
        assertTrue(refusal(deep).contains("not valid JSON"), refusal(deep));
        String wide = "{\"file_name\":\"" + "é".repeat(500_001) + "\"}";
        assertTrue(refusal(wide).contains("longer than 1000000 bytes"), refusal(wide));
    }

    private static All bind(String json) throws ToolException {
        return new ArgumentBinder<>(spec(All.class), All.class).bind(json);
    }

    private static String refusal(String json) {
        return String.valueOf(assertThrows(ToolException.class, () -> bind(json)).getMessage());
    }

    private static ToolSpec spec(Class<? extends Record> type) {
        return new ToolSpec("all", "", SchemaWriter.schemaOf(type), Effect.PURE);
    }
}
