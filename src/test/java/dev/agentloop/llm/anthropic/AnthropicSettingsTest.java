package dev.agentloop.llm.anthropic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.SystemTime;
import dev.agentloop.llm.AdapterFixture;
import dev.agentloop.llm.Capabilities;
import dev.agentloop.llm.Effort;
import dev.agentloop.llm.Generation;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.ToolNames;
import dev.agentloop.llm.http.HttpLimits;
import dev.agentloop.llm.http.HttpTransport;
import dev.agentloop.llm.provider.ProviderEndpoint;
import dev.agentloop.testing.RawServer;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request says about how the model is to answer. */
final class AnthropicSettingsTest extends AdapterFixture {
    private static final String SCHEMA =
            "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},"
                    + "\"additionalProperties\":false}";

    AnthropicSettingsTest() {
        super(new AnthropicSubject());
    }

    @ParameterizedTest(name = "{0} of {1} at temperature {2}: {3}")
    @CsvSource(
            delimiter = '|',
            value = {
                "||null|",
                "||0.2|'\"temperature\":0.2,'",
                "|LOW HIGH|1.7|'\"temperature\":1.0,'",
                "OFF|LOW HIGH|0|'\"temperature\":0.0,'",
                "HIGH||0.2|'\"temperature\":0.2,'",
                "HIGH|LOW HIGH|0.2|'THINK{\"effort\":\"high\"},'",
                "MAX|LOW HIGH MAX|null|'THINK{\"effort\":\"max\"},'",
                "MAX|LOW HIGH|null|'THINK{\"effort\":\"high\"},'",
                "MEDIUM|OFF LOW HIGH|null|'THINK{\"effort\":\"low\"},'",
                "LOW|OFF MEDIUM|null|'THINK{\"effort\":\"medium\"},'",
            })
    void effortAndTemperature(
            @Nullable Effort effort,
            @Nullable String known,
            String temperature,
            @Nullable String expected) {
        Set<Effort> efforts = EnumSet.noneOf(Effort.class);
        for (String word : known == null ? new String[0] : known.split(" ")) {
            efforts.add(Effort.valueOf(word));
        }
        Double degrees = temperature.equals("null") ? null : Double.valueOf(temperature);
        String wanted = expected == null ? "" : expected;

        assertEquals(
                wanted.replace("THINK", "\"thinking\":{\"type\":\"adaptive\"},\"output_config\":"),
                said(can(efforts, true, false), new Generation(effort, degrees, null, "")));
    }

    @Test
    @DisplayName("a model that takes no temperature is sent none")
    void noTemperature() {
        Capabilities cool =
                new Capabilities(
                        true,
                        true,
                        Set.of(),
                        true,
                        true,
                        false,
                        false,
                        false,
                        false,
                        ToolNames.OWN);

        assertEquals("", said(cool, new Generation(null, 0.5, null, "")));
    }

    @Test
    @DisplayName("a schema of the answer is passed on to a model that heeds one")
    void answerSchema() {
        Generation wanted = new Generation(Effort.LOW, null, SCHEMA, "key");
        Set<Effort> low = Set.of(Effort.LOW);
        String format = "\"format\":{\"type\":\"json_schema\",\"schema\":" + SCHEMA + "}}";

        assertEquals("\"output_config\":{" + format + ",", said(can(Set.of(), true, true), wanted));
        assertEquals(
                "\"thinking\":{\"type\":\"adaptive\"},\"output_config\":{\"effort\":\"low\","
                        + format
                        + ",",
                said(can(low, true, true), wanted));
        assertEquals("", said(can(Set.of(), true, false), wanted));
    }

    @ParameterizedTest(name = "{0} is not passed on: the API refuses objects that take any member")
    @ValueSource(
            strings = {
                "{\"type\":\"object\"}",
                "{\"type\":[\"object\",\"null\"],\"additionalProperties\":true}",
                "{\"type\":\"array\",\"items\":{\"properties\":{}}}",
                "{\"anyOf\":[{\"type\":\"object\"}]}",
            })
    void openSchema(String schema) {
        assertEquals(
                "", said(can(Set.of(), true, true), new Generation(null, null, schema, "key")));
    }

    @Test
    @DisplayName("a model that may call one tool at a time is told so, as long as it may call any")
    void oneToolAtATime() {
        Capabilities single = can(Set.of(), false, false);
        String choice = "],\"tool_choice\":{\"type\":\"%s}}";

        assertEquals(
                choice.formatted("auto\",\"disable_parallel_tool_use\":true"),
                end(sent(single, Generation.DEFAULT, true)));
        assertEquals(choice.formatted("none\""), end(sent(single, Generation.DEFAULT, false)));
    }

    private static Capabilities can(Set<Effort> efforts, boolean parallel, boolean schema) {
        return new Capabilities(true, true, efforts, parallel, schema, false);
    }

    /** What stands between the fields that are always there. */
    private String said(Capabilities can, Generation generation) {
        String text = sent(can, generation, true);
        String before = "\"stream\":true,";
        return text.substring(text.indexOf(before) + before.length(), text.indexOf("\"tools\":["));
    }

    private static String end(String text) {
        return text.substring(text.indexOf("],\"tool_choice\""));
    }

    private String sent(Capabilities can, Generation generation, boolean mayCall) {
        RawServer server = server(RawServer.events(said("x")));
        try (AnthropicAdapter adapter =
                new AnthropicAdapter(
                        new ProviderEndpoint("p", server.url(), KEY, "", Map.of()),
                        new ModelInfo("p", "c-1", 0, 0, can),
                        new HttpTransport(new SystemTime(), Map.of(), HttpLimits.DEFAULT))) {
            adapter.complete(
                    new LlmRequest(history(), List.of(READ), mayCall, 0, true, generation),
                    heard,
                    cancellation);
        }
        return server.lastRequest().text();
    }

    @Test
    @Tag("row-60")
    @DisplayName("the API sums up from 50,000 tokens on, not earlier")
    void leastCompaction() {
        Generation early = new Generation(null, null, null, "", 1_000);

        String said = said(can(Set.of(), true, true), early);
        assertTrue(said.contains("{\"type\":\"input_tokens\",\"value\":50000}"), said);
    }
}
