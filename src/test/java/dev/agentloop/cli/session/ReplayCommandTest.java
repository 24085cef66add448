package dev.agentloop.cli.session;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import dev.agentloop.cli.Tapes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@code agent replay}. */
class ReplayCommandTest {
    private static final Reply WRITE =
            calls("write_file", "file_path", "a.txt", "content", "x\n").saying("I write.");

    private static List<JsonNode> steps(Ended ended) throws IOException {
        List<JsonNode> steps = new ArrayList<>();
        for (String line : ended.out().lines().toList()) {
            steps.add(new ObjectMapper().readTree(line));
        }
        return steps;
    }

    @Test
    @DisplayName("A cassette step by step: words, calls, decisions, results, hooks, cost so far")
    void cassette() throws IOException {
        try (var model = ScriptedServer.chat(WRITE, says("All \u001b[31mred"));
                var world =
                        World.with(model)
                                .config("hooks: {post_edit: [{name: fmt, command: 'true'}]}")) {
            Tapes.record(world, "write a");
            Ended text = world.inside("replay", Tapes.FILE);
            Ended second = world.inside("replay", Tapes.FILE, "--step=2");
            Ended json = world.inside("replay", Tapes.FILE, "--json", "--from=1");

            assertEquals(0, text.exitCode(), text::toString);
            assertTrue(text.out().startsWith("Cassette of session "), text::out);
            assertTrue(
                    text.out()
                            .contains(
                                    """
                                    Step 1
                                      I write.
                                      - write_file {"file_path":"a.txt","content":"x\\n"}
                                        allow (P4, policy)
                                        added a.txt +1 -0
                                        ok:
                                          Created a.txt: 2 bytes, +1 -0 lines.

                                          [Hook fmt: OK]
                                      - hook fmt (post_edit): exit code 0
                                      So far: 110 tokens, $0.0013
                                    """),
                    text::out);
            assertTrue(text.out().contains("success (llm_done), exit code 0"), text::out);
            assertEquals(
                    "\nStep 2\n  All \\u{1b}[31mred\n  So far: 220 tokens, $0.0026\n",
                    second.out(),
                    second::toString);
            assertFalse(text.out().contains("\u001b"));
            assertEquals(2, steps(json).size(), json::toString);
            assertEquals("ok", steps(json).get(0).path("calls").get(0).path("kind").asText());
        }
    }

    @Test
    @DisplayName("A session is shown from its journal; a step that is not there is named")
    void session() throws IOException {
        try (var model = ScriptedServer.chat(WRITE, says("done"));
                var world = World.with(model)) {
            Ended run = world.runInside("--json", "--yolo", "--sandbox=off", "write a");
            String id = run.result("session_id");
            Ended text = world.inside("replay", id);
            Ended json = world.inside("replay", id, "--json", "--step=2");
            Ended none = world.inside("replay", id, "--step=9");
            Ended unknown = world.inside("replay", "01ABCDEFGH");
            Ended missing = world.inside("replay", "missing.cassette");

            assertTrue(text.out().contains("first step\n> write a"), text::out);
            assertTrue(text.out().contains("220 tokens, $0.0026"), text::out);
            assertEquals("done", steps(json).getFirst().path("text").asText());
            assertTrue(steps(json).getFirst().path("tokens").isNull(), json::out);
            assertEquals(3, none.exitCode(), none::toString);
            assertTrue(none.err().contains("no step 9; the last is 2"), none::err);
            assertEquals(1, unknown.exitCode(), unknown::toString);
            assertEquals(3, missing.exitCode(), missing::toString);
            assertEquals(
                    "agent: There is neither a file missing.cassette in "
                            + world.workspace()
                            + " nor a session of that name in "
                            + world.root().resolve("state/agent/sessions")
                            + ". agent sessions list --all shows the ids of sessions.\n",
                    missing.err());
        }
    }
}
