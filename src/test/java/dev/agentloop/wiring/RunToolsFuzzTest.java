package dev.agentloop.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

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
import java.util.List;
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
