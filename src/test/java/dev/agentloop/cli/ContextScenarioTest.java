package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The next request, explained without being sent. */
class ContextScenarioTest {
    @Test
    @DisplayName("an empty project's first request is below 8 kB, without what nobody could use")
    void smallest() {
        try (var model = ScriptedServer.chat(says("Done."));
                var world = World.with(model)) {
            String task = "Write a function that adds two numbers, and run a test for it.";
            assertEquals(0, world.runInside("--yolo", "--sandbox=off", task).exitCode());

            String folder = "/home/somebody/projects/shop";
            String sent = model.request(0).raw().replace(world.workspace().toString(), folder);
            int bytes = sent.getBytes(StandardCharsets.UTF_8).length;
            assertTrue(bytes < 7_800, bytes + " bytes");
            assertEquals(17, model.request(0).tools().size(), model.request(0).tools()::toString);
        }
    }

    @Test
    @DisplayName(
            "the parts of a new session are those that its first request then has, to the byte")
    void newSession() throws IOException {
        try (var model = ScriptedServer.chat(says("Done."));
                var world = World.with(model).file("AGENTS.md", "Use tabs, é.")) {
            JsonNode report = explain(world, "--trust", "go");

            assertEquals(0, world.runInside("--trust", "go").exitCode());
            String system = model.request(0).system();
            long cached = 0;
            int systemParts = 0;
            List<String> names = new ArrayList<>();
            List<String> tools = new ArrayList<>();
            for (JsonNode part : report.path("parts")) {
                String name = part.path("name").asText();
                names.add(name.startsWith("tool ") ? "tool" : name);
                if (name.startsWith("tool ")) {
                    tools.add(name.substring("tool ".length()));
                }
                if (part.path("cached").asBoolean() && !name.startsWith("tool ")) {
                    cached += part.path("bytes").asLong();
                    systemParts++;
                }
            }
            assertEquals(
                    List.of(
                            "instructions",
                            "environment",
                            "project structure",
                            "guidance",
                            "tool",
                            "task",
                            "surroundings"),
                    names.stream().distinct().toList());
            assertEquals(model.request(0).tools(), tools);
            long seams = 2L * (systemParts - 1);
            assertEquals(system.getBytes(StandardCharsets.UTF_8).length, cached + seams);
            assertEquals(report.path("tokens").asLong(), sum(report, "tokens"), "of its parts");
        }
    }

    private static long sum(JsonNode report, String field) {
        long sum = 0;
        for (JsonNode part : report.path("parts")) {
            sum += part.path(field).asLong();
        }
        return sum;
    }

    @Test
    @DisplayName(
            "of a session, what the request before had is cached, and what has changed is told")
    void session() throws IOException {
        try (var model = ScriptedServer.chat(calls("read_file", "file_path", "a"), says("Done."));
                var world = World.with(model).file("a", "x").file("AGENTS.md", "Use tabs.")) {
            Ended ended = world.runInside("--json", "--trust", "go");
            String id = ended.result("session_id");
            world.file("AGENTS.md", "Use blanks.");

            JsonNode report = explain(world, "--trust", "--session", id);

            List<String> rows = new ArrayList<>();
            for (JsonNode part : report.path("parts")) {
                if (!part.path("name").asText().startsWith("tool ")) {
                    rows.add(part.path("source").asText() + " " + part.path("cached").asBoolean());
                }
            }
            assertEquals(
                    List.of(
                            "as the session began true",
                            "user true",
                            "assistant true",
                            "tool true",
                            "assistant false",
                            "clock false"),
                    rows);
            String notes = report.path("notes").toString();
            assertTrue(notes.contains("the first 4 messages are the same"), notes);
            assertTrue(notes.contains("otherwise in: guidance (AGENTS.md)"), notes);

            JsonNode other = explain(world, "--trust", "--session", id, "--agent", "plan");
            assertEquals(0, other.path("cached_tokens").asLong());
            assertTrue(other.path("notes").toString().contains("another one"), other::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "trusted-terminal,   true,  true",
        "terminal,           true,  false",
        "unattended,         false, false",
        "trusted-unattended, true,  true"
    })
    @Tag("P18")
    @DisplayName("AGENTS.md is guidance, quoted data, or not there, in each use")
    void uses(String use, boolean there, boolean believed) throws IOException {
        try (var world = World.withoutModel().file("AGENTS.md", "Use tabs.")) {
            JsonNode report = explain(world, "--as", use);

            List<JsonNode> guidance = new ArrayList<>();
            report.path("parts")
                    .forEach(part -> {
                        if (part.path("name").asText().equals("guidance")) {
                            guidance.add(part);
                        }
                    });
            assertEquals(there ? 1 : 0, guidance.size(), report::toString);
            if (there) {
                assertEquals(believed, guidance.getFirst().path("cached").asBoolean());
                boolean said = report.path("notes").toString().contains("only quoted");
                assertEquals(!believed, said, report::toString);
            }
        }
    }

    @Test
    void theTableIsForPeople() {
        try (var world = World.withoutModel()) {
            Ended ended = world.inside("context", "--explain", "say", "hello");

            assertEquals(0, ended.exitCode(), ended::toString);
            List<String> lines = ended.out().lines().toList();
            assertTrue(lines.getFirst().matches("part +source +bytes +tokens +cached"), ended::out);
            assertTrue(ended.out().contains("\ntask "), ended::out);
            assertTrue(lines.stream().anyMatch(line -> line.matches("total +\\d+ +\\d+")));
        }
    }

    @Test
    @DisplayName("mistakes are exit code 3 and say what to write")
    void mistakes() {
        try (var model = ScriptedServer.chat(says("Done."));
                var world = World.with(model)) {
            assertRefused(world, "agent context --explain", "context");
            assertRefused(world, "no session", "context", "--explain", "--session", "nonsense");
            assertRefused(world, "trusted-terminal", "context", "--explain", "--as", "nobody");
            String id = world.runInside("--json", "go").result("session_id");
            String elsewhere = world.root().resolve("home").toString();
            world.file("../home/x", "");
            assertRefused(
                    world,
                    "add -C " + world.workspace(),
                    "context",
                    "--explain",
                    "-C",
                    elsewhere,
                    "--session",
                    id);
        }
    }

    private static void assertRefused(World world, String why, String... words) {
        Ended ended = world.inside(words);
        assertEquals(3, ended.exitCode(), ended::toString);
        assertTrue(ended.err().contains(why), ended::toString);
        assertFalse(ended.err().contains("\tat "), ended::toString);
    }

    private static JsonNode explain(World world, String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of("context", "--explain", "--json"));
        all.addAll(List.of(words));
        Ended ended = world.inside(all.toArray(String[]::new));
        assertEquals(0, ended.exitCode(), ended::toString);
        return new ObjectMapper().readTree(ended.out());
    }
}
