package dev.agentloop.cli;

import static dev.agentloop.cli.CompactionScenarioTest.readsFiles;
import static dev.agentloop.cli.CompactionScenarioTest.window;
import static dev.agentloop.cli.CompactionScenarioTest.withFiles;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.BusyScript;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Faults;
import dev.agentloop.blackbox.Protocol;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@code agent sessions compact}: old steps are summed up because somebody wants it. */
class SessionsCompactScenarioTest {
    @Test
    @DisplayName("old steps are summed up, and the session goes on so")
    void wanted() {
        try (var model = readsFiles(Protocol.CHAT, 6, "They read files.");
                var world = window(100_000, model, "")) {
            String id = world.runInside("--json", "go").result("session_id");
            Ended ended = world.inside("sessions", "compact", id, "--json");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(ended.result("result").startsWith("Old steps are summed up: about "));
            assertTrue(BusyScript.isForSummary(model.lastRequest()));
            assertEquals(8, model.requests().size());

            assertEquals(0, world.inside("resume", id, "--json", "go on").exitCode());
            List<JsonNode> sent = model.lastRequest().messages();
            assertEquals(3 + 4 * 2 + 2, sent.size());
            assertEquals(
                    "[Summary of previous steps]\nThey read files.",
                    sent.get(2).path("content").asText());
            assertEquals("go on", model.lastRequest().lastTask());

            ended = world.inside("sessions", "show", id);
            assertEquals(6, ended.out().split("read_file", -1).length - 1, ended::toString);
        }
    }

    @Test
    @DisplayName(
            "agent sessions compact --model: the other model sums up, and nothing else changes")
    void summedUpByAnother() {
        try (var model = readsFiles(Protocol.CHAT, 6, "unused");
                var other = readsFiles(Protocol.CHAT, 6, "They read files, says another.");
                var world =
                        window(100_000, model, "")
                                .provider("other", other)
                                .env("OTHER_API_KEY", "sk-other-51c")) {
            String id = world.runInside("--json", "go").result("session_id");
            String[] compact = {"sessions", "compact", id, "--json", "--model", "other/model"};
            Ended ended = world.inside(compact);
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(BusyScript.isForSummary(other.lastRequest()));
            assertEquals(7, model.requests().size());

            assertEquals(0, world.inside("resume", id, "--json", "go on").exitCode());
            assertEquals(1, other.requests().size());
            assertTrue(model.lastRequest().raw().contains("They read files, says another."));
        }
    }

    @Test
    @DisplayName("--model is refused while the model that the session is to have has not answered")
    void summedUpForNobody() {
        try (var model = readsFiles(Protocol.CHAT, 6, "They read files.");
                var gone = ScriptedServer.chat(Faults.status(404));
                var world =
                        window(100_000, model, "")
                                .provider("other", gone)
                                .env("OTHER_API_KEY", "sk-other-51c")) {
            String id = world.runInside("--json", "go").result("session_id");
            String[] mistyped = {"resume", id, "--json", "--model", "other/modl", "go on"};
            assertEquals(1, world.inside(mistyped).exitCode());
            String[] compact = {"sessions", "compact", id, "--model", "canary/model"};
            Ended ended = world.inside(compact);
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("other/modl, which has not answered yet"), ended::err);
            assertTrue(world.records("compact").isEmpty());
        }
    }

    @Test
    @DisplayName("a summary that is longer than what it stands for is not taken, and that is said")
    void longSummary() {
        String much = "They read files, and so on. ".repeat(4000);
        try (var model = readsFiles(Protocol.CHAT, 6, much);
                var world = window(100_000, model, "")) {
            String id = world.runInside("--json", "go").result("session_id");
            Ended ended = world.inside("sessions", "compact", id, "--json");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(ended.result("result").contains("shorter than their summary"));
            assertTrue(world.records("compact").isEmpty());
        }
    }

    @Test
    @DisplayName("a history that is too long for the other model is told, not called without steps")
    void tooLong() {
        try (var model = readsFiles(Protocol.CHAT, 6, "unused");
                var other = ScriptedServer.chat();
                var world =
                        window(100_000, model, "")
                                .provider("other", other)
                                .env("OTHER_API_KEY", "sk-other-51c")
                                .file("small.yaml", "context: {max_context_tokens: 3000}")) {
            String id = world.runInside("--json", "go").result("session_id");
            String[] compact = {"sessions", "compact", id, "-m", "other/model", "-c", "small.yaml"};
            Ended ended = world.inside(compact);
            assertEquals(1, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("too long for other/model"), ended::toString);
            assertTrue(world.records("compact").isEmpty());
        }
    }

    @Test
    @DisplayName("a session that was cut while it planned is summed up and still plans")
    void planned() {
        try (var model = readsFiles(Protocol.CHAT, 6, "They read files.");
                var world = window(100_000, model, "")) {
            String[] mixed = {"--json", "--mode=mixed", "--max-steps=5", "go"};
            String id = world.runInside(mixed).result("session_id");
            List<JsonNode> opened = world.records("session");
            assertEquals(0, world.inside("sessions", "compact", id, "--json").exitCode());
            assertEquals(1, world.records("compact").size());
            assertEquals(opened, world.records("session"));
        }
    }

    @Test
    @DisplayName("hooks hear that it was done; no run begins or ends for them")
    void wantedWithHooks() {
        String hooks =
                """
                hooks:
                  compaction: [{name: c, command: "echo x >>compacted"}]
                  session_start: [{name: s, command: "echo x >>started"}]
                  session_end: [{name: e, command: "echo x >>ended"}]
                """;
        try (var model = readsFiles(Protocol.CHAT, 6, "They read files.");
                var world = withFiles(World.with(model).config(hooks))) {
            String id = world.runInside("--json", "go").result("session_id");
            assertEquals(0, world.inside("sessions", "compact", id, "--json").exitCode());
            assertEquals("x\n", world.read("compacted"));
            assertEquals("x\n", world.read("started"));
            assertEquals("x\n", world.read("ended"));
        }
    }

    @Test
    @DisplayName("an unfinished session stays one")
    void unfinished() {
        try (var model = readsFiles(Protocol.CHAT, 6, "They read files.");
                var world = window(100_000, model, "")) {
            Ended ended = world.runInside("--json", "--max-steps=6", "go");
            assertEquals("partial", ended.result("status"));
            String id = ended.result("session_id");
            assertEquals(0, world.inside("sessions", "compact", id, "--json").exitCode());
            String list = world.inside("sessions", "list", "--json").out();
            assertTrue(list.contains("\"status\":\"partial\",\"steps\":6}"), list);
        }
    }

    @Test
    @DisplayName("without a model the session stays as it is")
    void wantedWithoutModel() {
        try (var model = readsFiles(Protocol.CHAT, 6, "They read files.");
                var world = window(100_000, model, "")) {
            String id = world.runInside("--json", "go").result("session_id");
            model.thenForEver(Faults.status(401));
            Ended ended = world.inside("sessions", "compact", id, "--json");
            assertEquals(4, ended.exitCode(), ended::toString);
            assertTrue(world.records("compact").isEmpty());
        }
    }

    @Test
    @DisplayName("a session without old steps is told, nobody is asked")
    void nothingToSumUp() {
        try (var model = readsFiles(Protocol.CHAT, 1, "They read files.");
                var world = window(100_000, model, "")) {
            String id = world.runInside("--json", "go").result("session_id");
            Ended ended = world.inside("sessions", "compact", id);
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(ended.out().contains("There are no old steps to sum up."), ended::toString);
            assertEquals(2, model.requests().size());
        }
    }
}
