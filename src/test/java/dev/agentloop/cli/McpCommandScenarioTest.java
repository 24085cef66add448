package dev.agentloop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import dev.agentloop.testing.FakeMcp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code agent mcp}: servers added, listed, tried out, approved and removed. */
class McpCommandScenarioTest {
    private static Ended add(World world, String... faults) {
        List<String> words =
                new ArrayList<>(
                        List.of("mcp", "add", "fake", "--env", "FAKE_TOKEN=abc123xyz", "--"));
        words.addAll(FakeMcp.argv(faults));
        return world.inside(words.toArray(String[]::new));
    }

    @Test
    @DisplayName("a server that is added is listed without its secrets, runs, and can be removed")
    void addedAndRemoved() {
        try (var model = ScriptedServer.chat(Reply.says("Done."));
                var world = World.with(model)) {
            Ended added = add(world);
            assertEquals(0, added.exitCode(), added::toString);
            Ended listed = world.inside("mcp", "list");
            assertTrue(listed.out().startsWith("fake  [user]  python3 "), listed::toString);
            Ended json = world.inside("mcp", "list", "--json");
            assertTrue(json.out().contains("\"env\":[\"FAKE_TOKEN\"]"), json::toString);
            assertFalse(json.out().contains("abc123xyz"), json::toString);

            assertEquals(0, world.runInside("--allow=mcp__fake__*", "go").exitCode());
            assertTrue(model.lastRequest().tools().contains("mcp__fake__echo"));

            assertEquals(3, add(world).exitCode());
            assertEquals(0, world.inside("mcp", "remove", "fake").exitCode());
            assertTrue(world.inside("mcp", "list").out().startsWith("No MCP server"));
            assertEquals(3, world.inside("mcp", "remove", "fake").exitCode());
        }
    }

    @Test
    @DisplayName("a probe tells of each step in a line of JSON and calls what needs no argument")
    void probe() {
        try (var world = World.withoutModel().config(FakeMcp.yaml("fake", "short"))) {
            Ended probed = world.inside("mcp", "probe", "fake", "--call", "echo={\"text\":\"hi\"}");
            assertEquals(0, probed.exitCode(), probed::toString);
            List<String> lines = probed.out().lines().toList();
            assertTrue(lines.getFirst().startsWith("{\"step\":\"initialize\",\"ok\":true"));
            assertTrue(
                    probed.out().contains("\"tool\":\"echo\",\"is_error\":false,\"text\":\"hi\""));
            assertTrue(probed.out().contains("\"tool\":\"structured\""), probed::toString);
            assertFalse(probed.out().contains("\"tool\":\"needy\""), probed::toString);
            assertEquals("{\"step\":\"close\",\"ok\":true}", lines.getLast());
            Ended misspelt = world.inside("mcp", "probe", "fake", "--call", "eco={}");
            assertEquals(1, misspelt.exitCode(), misspelt::toString);
            assertTrue(misspelt.out().contains("\"tool\":\"eco\""), misspelt::toString);
        }
    }

    @Test
    @Tag("P14")
    @DisplayName("a probe does not call what a rule denies, and says so")
    void probeDenied() {
        String rules = "permissions: {deny: ['mcp__fake__fail', 'mcp__fake__echo(*secret*)']}\n";
        try (var world = World.withoutModel().config(FakeMcp.yaml("fake", "short") + rules)) {
            String call = "echo={\"text\":\"secret\"}";
            Ended probed = world.inside("mcp", "probe", "fake", "--call", call);
            assertEquals(0, probed.exitCode(), probed::toString);
            assertTrue(probed.out().contains("\"tool\":\"fail\",\"denied\":true"));
            assertTrue(probed.out().contains("\"tool\":\"echo\",\"denied\":true"));
            assertTrue(probed.out().contains("\"tool\":\"structured\",\"is_error\":false"));
        }
    }

    @Test
    @Tag("D78")
    @DisplayName("a probe of what cannot be reached says why and is exit code 1")
    void unreachable() {
        try (var world = World.withoutModel().config(FakeMcp.yaml("fake", "fatal"))) {
            Ended dead = world.inside("mcp", "probe", "fake");
            assertEquals(1, dead.exitCode(), dead::toString);
            assertTrue(dead.out().contains("cannot open the database"), dead::toString);
            Ended nobody = world.inside("mcp", "probe", "http://127.0.0.1:9/mcp");
            assertEquals(1, nobody.exitCode(), nobody::toString);
            assertEquals(3, world.inside("mcp", "probe", "unknown").exitCode());
        }
    }

    @Test
    @Tag("D57")
    @DisplayName("approve looks at a server anew, and the next run starts it again")
    void approve() throws IOException {
        try (var model = ScriptedServer.chat(Reply.says("1"), Reply.says("2"), Reply.says("3"));
                var world = World.with(model)) {
            Path script = world.root().resolve("server.py");
            Files.copy(FakeMcp.script(), script);
            world.config("mcp_servers: {fake: {command: python3, args: ['" + script + "']}}");
            assertEquals(0, world.runInside("--allow=mcp__fake__*", "go").exitCode());
            Files.writeString(script, Files.readString(script) + "\n");
            world.runInside("--allow=mcp__fake__*", "go");
            assertFalse(model.lastRequest().tools().contains("mcp__fake__echo"));

            Ended approved = world.inside("mcp", "approve", "fake");
            assertTrue(approved.out().contains("  " + script + "\n"), approved::toString);
            assertTrue(approved.out().contains("echo"), approved::toString);
            world.runInside("--allow=mcp__fake__*", "go");
            assertTrue(model.lastRequest().tools().contains("mcp__fake__echo"));
        }
    }

    @Test
    @Tag("D40")
    @DisplayName("nothing of an untrusted project is listed or started")
    void untrusted() {
        try (var world = World.withoutModel()) {
            world.file(".agent/config.yaml", FakeMcp.yaml("fake"));
            Ended listed = world.inside("mcp", "list");
            assertTrue(listed.out().startsWith("No MCP server"), listed::toString);
            assertEquals(3, world.inside("mcp", "probe", "fake").exitCode());
        }
    }

    @Test
    @DisplayName("words that mean nothing are exit code 3 with what could be written")
    void mistakes() {
        try (var world = World.withoutModel()) {
            Ended nothing = world.inside("mcp");
            assertEquals(3, nothing.exitCode(), nothing::toString);
            assertTrue(nothing.err().contains("agent mcp add NAME URL"), nothing::toString);
            assertEquals(3, world.inside("mcp", "add", "a b", "x").exitCode());
            Ended other = world.inside("mcp", "add", "files", "ftp://files.example");
            assertEquals(3, other.exitCode(), other::toString);
            assertTrue(other.err().contains("http:// or https://"), other::toString);
            assertEquals(3, world.inside("mcp", "probe", "x", "--call", "y").exitCode());
        }
    }
}
