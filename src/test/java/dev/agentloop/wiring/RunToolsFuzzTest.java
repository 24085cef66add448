package dev.agentloop.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.Asked;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Exchange;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.Script;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import dev.agentloop.testing.FakeMcp;
import dev.agentloop.testing.HostileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No argument ends a run, of those tools either that only a whole run has: sub-agents, a switch of
 * agents, memory, skills and MCP. {@link ToolArgumentsFuzzTest} tries the others.
 */
class RunToolsFuzzTest {
    private static final String TASK = "Try the tool.";
    private static final int BATCH = 32; // calls of one reply that are run
    private static final List<String> PATHS =
            List.of(
                    "n".repeat(256), // bytes; file systems allow 255
                    "n".repeat(250) + "/" + "m".repeat(300),
                    "a/".repeat(1_900) + "b", // bytes; Linux allows 4096 of a path
                    "locked/in.txt",
                    "locked/new.txt",
                    "locked/sub/new.txt",
                    "there.txt/below.txt");
    private static final String CONFIG =
            """
            memory: {enabled: true}
            agents:
              scout:
                prompt: You scout.
                switch_to: [worker]
              worker:
                prompt: You work.
                switch_to: [scout]
            """;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dispatch_subagent",
                "switch_agent",
                "remember",
                "skill",
                "mcp__fake__echo",
                "mcp__fake__structured"
            })
    @DisplayName("Whatever stands in a call, it has one result and the run ends as its model says")
    void hostileArguments(String tool) throws Exception {
        try (var model = ScriptedServer.chat();
                var world = World.with(model)) {
            model.allowingCompaction().thenForEver(callsOf(tool));
            world.config(CONFIG + FakeMcp.yaml("fake")).contextWindow(10_000_000);
            Path skill = world.root().resolve("config/agent/skills/release/SKILL.md");
            Files.createDirectories(skill.getParent());
            Files.writeString(skill, "---\ndescription: How to release.\n---\nTag first.");
            Ended ended =
                    world.runInside(
                            "--json",
                            "--trust",
                            "--yolo",
                            "--sandbox=off",
                            "--max-steps=40",
                            "--allow=mcp__fake__*",
                            "--agent=scout",
                            TASK);

            assertEquals(0, ended.exitCode(), () -> shortened(ended.toString()));
            assertEquals("llm_done", ended.result().path("stop_reason").asText());
            List<String> calls = new HostileCalls(schema(model.request(0), tool)).inTurn();
            List<String> results =
                    model.requests().stream()
                            .filter(RunToolsFuzzTest::isMain)
                            .toList()
                            .getLast()
                            .toolResults();
            assertEquals(calls.size(), results.size());
            for (int i = 0; i < calls.size(); i++) {
                String call = calls.get(i);
                String result = results.get(i);
                assertFalse(
                        result.contains("Internal error"), () -> shortened(call) + "\n" + result);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "write_file",
                "edit_file",
                "delete_file",
                "move_file",
                "move_file to",
                "apply_patch",
                "run_command"
            })
    @DisplayName("A path that cannot be looked at is an error of its call, and the run goes on")
    void hostilePaths(String tool) throws Exception {
        List<Reply.Call> calls = PATHS.stream().map(path -> callAbout(tool, path)).toList();
        try (var model = ScriptedServer.chat();
                var world = World.with(model)) {
            world.file("there.txt", "a\n").file("locked/in.txt", "a\n");
            Path locked = world.workspace().resolve("locked"); // root may look all the same
            model.then(exchange -> {
                Files.setPosixFilePermissions(locked, Set.of());
                Reply.calls(calls.toArray(Reply.Call[]::new)).play(exchange);
            });
            model.then(exchange -> {
                Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("rwx------"));
                Reply.says("done").play(exchange);
            });
            Ended ended = world.runInside("--json", "--trust", "--yolo", "--sandbox=off", TASK);

            assertEquals(0, ended.exitCode(), () -> shortened(ended.toString()));
            assertEquals("llm_done", ended.result().path("stop_reason").asText());
            List<String> results = model.request(1).toolResults();
            assertEquals(PATHS.size(), results.size());
            if (tool.equals("write_file")) {
                String why = ": File name too long. Nothing was changed.";
                assertTrue(results.getFirst().contains(PATHS.getFirst() + why), results::getFirst);
            }
            for (String result : results) { // the session is saved all the same
                assertFalse(result.contains("Not allowed"), result);
            }
        }
    }

    private static Reply.Call callAbout(String tool, String path) {
        return switch (tool) {
            case "write_file" -> Reply.call(tool, "file_path", path, "content", "x");
            case "edit_file" ->
                    Reply.call(tool, "file_path", path, "old_string", "a", "new_string", "b");
            case "move_file" ->
                    Reply.call(tool, "source_path", path, "destination_path", "new.txt");
            case "move_file to" ->
                    Reply.call("move_file", "source_path", "there.txt", "destination_path", path);
            case "apply_patch" ->
                    Reply.call(
                            tool,
                            "patch",
                            "*** Begin Patch\n*** Add File: " + path + "\n+x\n*** End Patch");
            case "run_command" -> Reply.call(tool, "command", "echo x > " + path);
            default -> Reply.call(tool, "file_path", path);
        };
    }

    /** One batch of calls after the other, then words; a sub-agent has nothing to do. */
    private static Script callsOf(String tool) {
        return new Script() {
            private List<String> calls = List.of();
            private int next;

            @Override
            public synchronized void play(Exchange exchange) throws IOException {
                Asked asked = exchange.asked();
                if (!isMain(asked)) {
                    Reply.says("Nothing to do.").play(exchange);
                    return;
                }
                if (calls.isEmpty()) {
                    calls = new HostileCalls(schema(asked, tool)).inTurn();
                }
                List<String> batch = calls.subList(next, Math.min(calls.size(), next + BATCH));
                next += batch.size();
                Reply reply =
                        batch.isEmpty()
                                ? Reply.says("Done.")
                                : Reply.calls(
                                        batch.stream()
                                                .map(call -> new Reply.Call(tool, call))
                                                .toArray(Reply.Call[]::new));
                reply.play(exchange);
            }
        };
    }

    private static boolean isMain(Asked asked) {
        return asked.messages().stream()
                .anyMatch(message -> message.path("content").toString().startsWith("\"" + TASK));
    }

    private static JsonNode schema(Asked asked, String tool) {
        for (JsonNode offered : asked.body().path("tools")) {
            if (offered.at("/function/name").asText().equals(tool)) {
                return offered.at("/function/parameters");
            }
        }
        throw new AssertionError(tool + " is not offered, but " + asked.tools());
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(600, text.length()));
    }
}
