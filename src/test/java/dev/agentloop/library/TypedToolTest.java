package dev.agentloop.library;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Message;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class TypedToolTest {
    enum Class {
        ECONOMY,
        BUSINESS
    }

    record Leg(@Doc("IATA code") String from, String to, Class seat) {
        Leg {
            if (from.length() != 3) {
                throw new IllegalArgumentException("from must be an IATA code");
            }
        }
    }

    record Trip(
            @Doc("All flights") List<Leg> legs,
            Leg home,
            double maxPrice,
            BigDecimal tax,
            Optional<Leg> detour,
            Optional<List<String>> notes,
            @Nullable Integer bags) {}

    record Unsupported(Map<String, String> anything) {}

    @Test
    @DisplayName("The record is the schema: descriptions, enums, records in records, what may lack")
    void theRecordIsTheSchema() {
        String leg =
                """
                {"type":"object","properties":{"from":{"type":"string","description":"IATA code"},\
                "to":{"type":"string"},"seat":{"type":"string","enum":["economy","business"]}},\
                "required":["from","to","seat"]}\
                """;
        TypedTool<Trip> book = TypedTool.of("book", "Books.", Trip.class, (_, _) -> "");

        assertEquals(
                "{\"type\":\"object\",\"properties\":{\"legs\":{\"type\":\"array\",\"items\":"
                        + leg
                        + ",\"description\":\"All flights\"},\"home\":"
                        + leg
                        + ",\"max_price\":{\"type\":\"number\"},\"tax\":{\"type\":\"number\"},"
                        + "\"detour\":"
                        + leg
                        + ",\"notes\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
                        + "\"bags\":{\"type\":\"integer\"}},"
                        + "\"required\":[\"legs\",\"home\",\"max_price\",\"tax\"]}",
                book.spec().parameters());
        assertEquals(Effect.OPAQUE, book.spec().effect());
        assertEquals(Effect.PURE, book.readingOnly().spec().effect());
    }

    @Test
    void everyTypeReachesTheFunction() {
        List<Trip> booked = new ArrayList<>();
        answer(
                """
                {"legs":[{"from":"CDG","to":"FRA","seat":"Business"}],
                 "home":{"from":"FRA","to":"CDG","seat":"economy"},
                 "max_price":99.5,"tax":"0.10","notes":["window"]}
                """,
                booked);

        assertEquals(
                List.of(
                        new Trip(
                                List.of(new Leg("CDG", "FRA", Class.BUSINESS)),
                                new Leg("FRA", "CDG", Class.ECONOMY),
                                99.5,
                                new BigDecimal("0.10"),
                                Optional.empty(),
                                Optional.of(List.of("window")),
                                null)),
                booked);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{\"legs\":[{\"from\":\"CDG\",\"to\":\"FRA\",\"seat\":\"lap\"}]}"
                        + "| \"legs[0].seat\" must be one of economy, business",
                "{\"legs\":[{\"from\":\"CDG\",\"to\":\"FRA\"}]}| missing \"legs[0].seat\"",
                "{\"legs\":[{\"from\":\"Paris\",\"to\":\"FRA\",\"seat\":\"economy\"}]}"
                        + "| \"legs[0]\": from must be an IATA code",
                "{\"home\":\"CDG\"}| \"home\" must be an object, not a string",
                "{\"home\":{\"to\":7}}| \"home.to\" must be a string, not the number 7",
                "{\"max_price\":\"cheap\"}| \"max_price\" must be a number, not a string",
                "{\"detour\":{\"via\":1}}| unknown parameter \"detour.via\"",
                "{\"notes\":[1]}| \"notes[0]\" must be a string, not the number 1",
                "{\"legs\":[null]}| \"legs[0]\" must be an object, not null",
            })
    @Tag("C15")
    @DisplayName("what does not fit never reaches the function; the model reads which and why")
    void whatDoesNotFitNeverReachesTheFunction(String arguments, String problem) {
        List<Trip> booked = new ArrayList<>();
        String told = answer(arguments, booked);

        assertEquals(List.of(), booked);
        assertTrue(told.contains(problem), told);
    }

    private static String answer(String arguments, List<Trip> booked) {
        TypedTool<Trip> book =
                TypedTool.of(
                        "book",
                        "Books.",
                        Trip.class,
                        (trip, _) -> {
                            booked.add(trip);
                            return "booked";
                        });
        var llm = ScriptedLlm.of(calls("book", arguments), says("Done."));
        try (AgentLoop agent =
                AgentLoop.builder(llm, Contexts.compacting(100_000))
                        .systemPrompt("You are a test.")
                        .tool(book)
                        .build()) {
            return agent.runText("Go").messages().stream()
                    .filter(Message.Tool.class::isInstance)
                    .map(it -> ((Message.Tool) it).result().text())
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void whatCannotBeAParameterIsRefusedAtOnce() {
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> TypedTool.of("x", "X.", Unsupported.class, (_, _) -> ""));

        assertTrue(String.valueOf(e.getMessage()).contains("Unsupported.anything"), e::toString);
        assertThrows(
                IllegalArgumentException.class,
                () -> TypedTool.of("Get Weather", "X.", Leg.class, (_, _) -> ""));
    }
}
