package dev.agentloop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.World;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A script that asks for JSON gets one object also where nothing came of its words. */
class RefusalsScenarioTest {
    private static final List<String> RUNS = List.of("run", "chat", "resume");
    private static final List<String> OF_RUNS = List.of("loop", "pipeline", "parallel", "eval");

    /** Of the commands that take --json. */
    private static Stream<String> names() {
        return Commands.visible().entrySet().stream()
                .filter(it -> it.getValue().get().spec().findOption("--json") != null)
                .map(it -> it.getKey());
    }

    @ParameterizedTest
    @MethodSource("names")
    @DisplayName("A mistyped option is told in the command's own JSON")
    void mistypedOption(String name) {
        try (var world = World.withoutModel()) {
            Ended ended = world.inside(name, "--json", "--no-such-option");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("--no-such-option"), ended::toString);
            JsonNode told = ended.result();
            if (RUNS.contains(name)) {
                assertEquals("result", told.path("type").asText(), ended::toString);
                return;
            }
            String type = OF_RUNS.contains(name) ? name : "";
            assertEquals(type, told.path("type").asText(), ended::toString);
            String code = told.at("/error/code").asText();
            assertEquals("config_error", code, ended::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sessions fork 01ZZZZZZ, 1, session_error",
        "sessions fork 01ZZZZZZ --to-step x, 3, config_error",
        "sessions list extra, 3, config_error",
        "sessions prune --older-than yesterday, 3, config_error",
        "sessions dance, 3, config_error",
        "sessions rewind 01ZZZZZZ --to-step x, 3, config_error",
        "replay, 3, config_error",
        "replay nothing.jsonl, 3, config_error",
        "replay 01ZZZZZZ, 1, session_error",
        "replay 01ZZZZZZ --step x, 3, config_error",
        "undo 01ZZZZZZ, 1, session_error",
        "undo --to x, 3, config_error",
        "loop, 3, config_error",
        "eval nothing.yaml, 3, config_error",
        "sessions rm 01ZZZZZZ, 1, session_error",
        "memory show, 3, config_error",
        "skills new x, 3, config_error",
        "agents new x, 3, config_error",
        "mcp add x y, 3, config_error",
        "policy dance, 3, config_error",
        "runn hi, 3, config_error",
    })
    @DisplayName("So are words that mean nothing")
    void wordsThatMeanNothing(String words, int code, String error) {
        try (var world = World.withoutModel()) {
            Ended ended = world.inside((words + " --json").split(" "));
            assertEquals(code, ended.exitCode(), ended::toString);
            assertFalse(ended.err().isBlank(), ended::toString);
            JsonNode told = ended.result().path("error");
            assertEquals(error, told.path("code").asText(), ended::toString);
            assertFalse(told.path("message").asText().isBlank(), ended::toString);
        }
    }

    @Test
    @DisplayName("JSON is wanted by the option, however it is written, and by nothing else")
    void wantedByTheOption() {
        try (var world = World.withoutModel()) {
            for (String words : List.of("loop hi", "memory nope", "status", "agents show nope")) {
                String[] all = (words + " --json=true").split(" ");
                assertFalse(world.inside(all).result().path("error").isMissingNode(), words);
            }
            Ended value = world.inside("loop", "--check", "--json");
            assertEquals(3, value.exitCode(), value::toString);
            assertEquals("", value.out(), value::toString);
            Ended both = world.inside("run", "--json", "--output-format", "text", "hi");
            assertEquals(3, both.exitCode(), both::toString);
            assertTrue(both.errorMessage().contains("contradict"), both::toString);
        }
    }

    @Test
    @DisplayName("A mistyped command is told the one that was meant")
    void mistypedCommand() {
        try (var world = World.withoutModel()) {
            Ended ended = world.inside("resme", "--last");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("did you mean agent resume?"), ended::toString);
            assertEquals("", ended.out());
        }
    }
}
