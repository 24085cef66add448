package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.Asked;
import dev.agentloop.blackbox.BusyScript;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Protocol;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.Script;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Long histories in a small window, seen by the model's server. */
class CompactionScenarioTest {
    private static final String MARK = ",\"cache_control\":{\"type\":\"ephemeral\"}";
    private static final String TITLE = "[Summary of previous steps]";
    private static final int STEPS = 60;

    @ParameterizedTest(
            name = "Scenario 56, E17: {0}: between compactions 95 % of each request begin the next")
    @EnumSource
    void requestsOnlyGrow(Protocol protocol) {
        try (var model = readsFiles(protocol, STEPS, "They read files.");
                var world = window(18_000, model, "")) {
            Ended ended =
                    world.runInside(
                            "--output-format=stream-json", "--max-steps=100", "Mind the sign.");
            assertEquals(0, ended.exitCode(), ended::toString);

            List<Asked> steps = new ArrayList<>();
            int summaries = 0;
            for (Asked asked : model.requests()) {
                if (BusyScript.isForSummary(asked)) {
                    assertBehind(steps.getLast(), asked);
                    summaries++;
                } else {
                    steps.add(asked);
                }
            }
            int begunAnew = 0;
            for (int i = 1; i < steps.size(); i++) {
                begunAnew += repeated(steps.get(i - 1), steps.get(i)) < 0.95 ? 1 : 0;
            }
            for (Asked asked : steps) {
                assertTrue(asked.raw().contains("Mind the sign."), asked::raw);
                assertTrue(asked.raw().length() / 4 < 16_000, () -> asked.raw().length() + "");
            }
            assertEquals(compactions(ended), begunAnew, ended::toString);
            assertTrue(summaries > 1 && summaries < STEPS / 5, summaries + " summaries");
            assertTrue(steps.getLast().raw().contains(TITLE + "\\nThey read files."));
        }
    }

    /** The question for a summary comes behind all that the step before has sent, tools as well. */
    private static void assertBehind(Asked step, Asked asking) {
        assertEquals(step.tools(), asking.tools());
        List<String> before = withoutMarks(step);
        List<String> now = withoutMarks(asking);
        int whole = before.size() - 1; // the last message may have grown
        assertEquals(before.subList(0, whole), now.subList(0, whole));
    }

    private static List<String> withoutMarks(Asked asked) {
        return withoutMarks(asked.messages());
    }

    private static List<String> withoutMarks(List<JsonNode> messages) {
        return messages.stream().map(it -> it.toString().replace(MARK, "")).toList();
    }

    /** How much of a request is the beginning of the next one, its cache marks left out. */
    private static double repeated(Asked before, Asked now) {
        String was = before.raw().replace(MARK, "");
        String is = now.raw().replace(MARK, "");
        int same = 0;
        while (same < Math.min(was.length(), is.length()) && was.charAt(same) == is.charAt(same)) {
            same++;
        }
        return (double) same / was.length();
    }

    /** Steps before which the history was made shorter, once or more. */
    private static int compactions(Ended ended) {
        int steps = 0;
        boolean shorter = false;
        for (JsonNode event : ended.events()) {
            String type = event.path("type").asText();
            steps += shorter && type.equals("step.started") ? 1 : 0;
            shorter = type.equals("context.compacted") || shorter && !type.equals("step.started");
        }
        return steps;
    }

    @Test
    @DisplayName("context.summarize_after_steps and keep_recent_steps say when, and what stays")
    void settings() {
        try (var model = readsFiles(Protocol.CHAT, 12, "They read files.");
                var world =
                        window(13_000, model, ", summarize_after_steps: 2, keep_recent_steps: 3")) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            List<Asked> all = model.requests();
            int first = 0;
            while (!BusyScript.isForSummary(all.get(first))) {
                first++;
            }
            assertEquals(3 + 3 * 2, all.get(first + 1).messages().size());
        }
    }

    @Test
    @DisplayName("A summary has no schema, and no secret of it reaches the journal or the output")
    void noSchemaNoSecret() {
        String schema = "{\"type\":\"object\"}";
        try (var model = ScriptedServer.chat().allowingCompaction();
                var world = window(16_500, model, "")) {
            model.thenForEver(
                    new BusyScript(
                            14,
                            CompactionScenarioTest::read,
                            "The key is " + world.key() + ", they read."));
            Ended ended = world.runInside("--json", "--json-schema", schema, "go");
            Asked asking =
                    model.requests().stream()
                            .filter(BusyScript::isForSummary)
                            .findFirst()
                            .orElseThrow();
            assertFalse(asking.raw().contains("json_schema"), ended::toString);
            assertTrue(model.request(0).raw().contains("json_schema"));
            List<JsonNode> records = world.records("compact");
            assertFalse(records.isEmpty());
            assertFalse(records.toString().contains(world.key()), records::toString);
        }
    }

    @Test
    @Tag("E13")
    @DisplayName("a resumed session knows what the model has counted before")
    void resumedMeasure() {
        BusyScript dense =
                new BusyScript(6, CompactionScenarioTest::read, "unused").bytesPerToken(2);
        try (var model = ScriptedServer.chat().allowingCompaction().thenForEver(dense);
                var world = window(100_000, model, "")) {
            assertEquals(0, world.runInside("--json", "go").exitCode());
            assertTrue(world.records("compact").isEmpty());
            int counted = model.lastRequest().raw().length() / 2;
            world.file(
                    "small.yaml",
                    "context: {keep_recent_steps: 1, max_context_tokens: %d}\n"
                            .formatted(counted * 10 / 8)); // by four bytes a token it is half empty
            Ended ended = world.inside("resume", "--last", "--json", "-c", "small.yaml", "go on");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(1, world.records("compact").size(), ended::toString);
        }
    }

    private static final String BY_ANTHROPIC =
            """
            {"type":"message","role":"assistant","content":[\
            {"type":"compaction","content":"They read."},\
            {"type":"tool_use","id":"t9","name":"read_file","input":{"file_path":"9.txt"}}],\
            "stop_reason":"tool_use","usage":{"input_tokens":100,"output_tokens":10,"iterations":[\
            {"type":"compaction","input_tokens":900,"output_tokens":50},\
            {"type":"message","input_tokens":100,"output_tokens":10}]}}\
            """;

    private static final String BY_OPENAI =
            """
            {"object":"response","status":"completed","output":[\
            {"type":"compaction","id":"cmp_1","encrypted_content":"gAAA"},\
            {"type":"function_call","id":"fc_1","call_id":"t9","name":"read_file",\
            "arguments":"{\\"file_path\\":\\"9.txt\\"}"}],\
            "usage":{"input_tokens":1000,"output_tokens":60}}\
            """;

    @ParameterizedTest(
            name = "Scenario 60: {0}: the server sums up; its summary stands for all before it")
    @EnumSource(names = {"MESSAGES", "RESPONSES"})
    void byServer(Protocol protocol) {
        boolean anthropic = protocol == Protocol.MESSAGES;
        String asked =
                anthropic
                        ? "\"context_management\":{\"edits\":[{\"type\":\"compact_20260112\","
                                + "\"trigger\":{\"type\":\"input_tokens\",\"value\":133333}}]}"
                        : "\"context_management\":[{\"type\":\"compaction\","
                                + "\"compact_threshold\":133333}]";
        String kept =
                anthropic
                        ? "{\"type\":\"compaction\",\"content\":\"They read.\"}"
                        : "{\"type\":\"compaction\",\"id\":\"cmp_1\",\"encrypted_content\":\"gAAA\"}";
        try (var model = ScriptedServer.start(protocol, read(1), read(2)).allowingCompaction();
                var world = window(200_000, model, ", server_compaction: true")) {
            model.then(Script.whole(anthropic ? BY_ANTHROPIC : BY_OPENAI, 1000, 60));
            model.then(read(3));
            model.then(says("done"));
            Ended ended = world.runInside("--output-format=stream-json", "Mind the sign.");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(model.request(0).raw().contains(asked), model.request(0).raw());
            assertEquals(
                    anthropic ? "compact-2026-01-12" : "",
                    model.request(0).headers().getOrDefault("anthropic-beta", ""));
            for (int i = 3; i < 5; i++) {
                String sent = model.request(i).raw();
                assertTrue(sent.contains(kept) && sent.contains("Mind the sign."), sent);
                assertTrue(sent.contains("file 9, a line") && !sent.contains("file 1, a"), sent);
            }
            JsonNode event = ended.events("context.compacted").getFirst();
            assertEquals("server", event.path("by").asText());

            assertResumes(world, model, kept);
        }
    }

    @Test
    @Tag("E01")
    @DisplayName("under a budget the server is not asked to sum up, and the run says so")
    void notByServer() {
        try (var model = ScriptedServer.start(Protocol.MESSAGES, says("done"));
                var world = window(200_000, model, ", server_compaction: true")) {
            Ended ended = world.runInside("--json", "--budget=5", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(model.lastRequest().raw().contains("context_management"));
            assertTrue(
                    ended.result().path("warnings").toString().contains("server_compaction"),
                    ended::toString);
        }
    }

    private static String id(World world) {
        return world.journals().getFirst().getParent().getFileName().toString();
    }

    /** With the same model as it was; with another one, which cannot read the summary, whole. */
    private static void assertResumes(World world, ScriptedServer model, String summary) {
        model.then(says("done again"));
        assertEquals(0, world.inside("resume", "--last", "--json", "go on").exitCode());
        List<JsonNode> before = model.request(4).messages();
        List<JsonNode> now = model.lastRequest().messages();
        assertEquals(withoutMarks(before.subList(0, 2)), withoutMarks(now.subList(0, 2)));
        assertFalse(model.lastRequest().raw().contains("file 1, a"));

        int asked = model.requests().size();
        String[] sealed = {"sessions", "compact", id(world), "--model", "canary/other"};
        Ended refused = world.inside(sealed);
        assertEquals(3, refused.exitCode(), refused::toString);
        assertTrue(refused.err().contains("nobody else can read that"), refused::toString);
        assertEquals(asked, model.requests().size());

        model.then(says("done by another"));
        String[] other = {"resume", "--last", "--json", "--model", "canary/other", "go on"};
        assertEquals(0, world.inside(other).exitCode());
        assertTrue(model.lastRequest().raw().contains("file 1, a"));
        assertFalse(model.lastRequest().raw().contains(summary));
    }

    static ScriptedServer readsFiles(Protocol protocol, int steps, String summary) {
        return ScriptedServer.start(protocol)
                .allowingCompaction()
                .thenForEver(new BusyScript(steps, CompactionScenarioTest::read, summary));
    }

    private static Reply read(int step) {
        return calls("read_file", "file_path", step % 10 + ".txt");
    }

    @Test
    @Tag("A61")
    @DisplayName("questions and answers over many runs never fill the window")
    void wordsAlone() {
        String answer =
                IntStream.range(0, 300).mapToObj(i -> "Point " + i * i + ".").collect(joining(" "));
        Script talks = new BusyScript(100, _ -> says(answer), "They talked.");
        try (var model = ScriptedServer.chat().allowingCompaction().thenForEver(talks);
                var world = window(12_000, model, "")) {
            assertEquals(0, world.runInside("--json", "question 0").exitCode());
            for (int i = 1; i <= 14; i++) {
                Ended ended = world.inside("resume", "--last", "--json", "question " + i);
                assertEquals("llm_done", ended.result("stop_reason"), ended::toString);
            }
            String sent = model.lastRequest().raw();
            assertTrue(sent.contains("question 0") && sent.contains(TITLE), sent);
        }
    }

    static World window(int tokens, ScriptedServer model, String more) {
        return withFiles(
                World.with(model)
                        .config("context: {max_context_tokens: %d%s}".formatted(tokens, more)));
    }

    static World withFiles(World world) {
        for (int i = 0; i < 10; i++) {
            world.file(i + ".txt", ("file " + i + ", a line of some length\n").repeat(200));
        }
        return world;
    }
}
