package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import dev.agentloop.testing.FakeMcp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** MCP servers in a run: who may start, what their tools may do, and what becomes of failures. */
class McpScenarioTest {
    private static final String ALLOWED = "--allow=mcp__fake__*";

    private static ScriptedServer echoing() {
        return ScriptedServer.chat(
                calls("mcp__fake__echo", "text", "hello there"), says("It said it."));
    }

    private static boolean isOffered(ScriptedServer model) {
        return model.lastRequest().tools().stream().anyMatch(tool -> tool.startsWith("mcp__"));
    }

    private static String warnings(Ended ended) {
        return ended.result().path("warnings").toString();
    }

    @Test
    @Tag("P14")
    @DisplayName("a server of the user, named on the command line, offers its tools to a run")
    void allowed() {
        try (var model = echoing();
                var world = World.with(model).config(FakeMcp.yaml("fake"))) {
            Ended ended = world.runInside("--json", ALLOWED, "say it");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("hello there", model.lastRequest().lastToolResult());
            String used = ended.result().path("tools_used").toString();
            assertTrue(used.contains("mcp__fake__echo"), used);
            assertEquals("[]", warnings(ended));
            assertTrue(model.requests().getFirst().tools().contains("mcp__fake__echo"));
        }
    }

    @Test
    @Tag("P14")
    @DisplayName("without a terminal and unnamed a server is not started; --no-mcp says nothing")
    void unnamed() {
        try (var model = ScriptedServer.chat(says("Done."), says("Done."));
                var world = World.with(model).config(FakeMcp.yaml("fake"))) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(warnings(ended).contains("this command line does not name it"));
            assertFalse(isOffered(model));

            Ended without = world.runInside("--json", "--no-mcp", "go");
            assertEquals("[]", warnings(without));
        }
    }

    @Test
    @Tag("P14")
    @DisplayName("a tool that no rule allows is denied without a terminal, by yolo as well")
    void deniedByDefault() throws IOException {
        try (var model = echoing();
                var world = World.with(model)) {
            Path file = world.root().resolve("servers.json");
            Files.writeString(file, FakeMcp.file("fake"));
            Ended ended =
                    world.runInside(
                            "--json", "--yolo", "--sandbox=off", "--mcp-config=" + file, "say it");

            assertEquals(0, ended.exitCode(), ended::toString);
            String told = model.lastRequest().lastToolResult();
            assertTrue(told.contains("--allow mcp__fake__echo"), told);
            assertEquals("P14", ended.result().path("denials").path(0).path("rule").asText());
        }
    }

    @Test
    @Tag("D78")
    @Tag("B46")
    @DisplayName("servers that fail leave a warning each, the others work, exit code 0")
    void oneFails() {
        String servers =
                FakeMcp.yaml("fake")
                        + FakeMcp.yaml("broken", "fatal").replace("mcp_servers:\n", "")
                        + "  absent: {command: no-such-program-anywhere}\n"
                        + FakeMcp.yaml("mute", "silent")
                                .replace("mcp_servers:\n", "")
                                .replace("}", ", \"start_timeout\": 1}");
        try (var model = echoing();
                var world = World.with(model).config(servers)) {
            Ended ended =
                    world.runInside(
                            "--json",
                            ALLOWED,
                            "--allow=mcp__broken__*",
                            "--allow=mcp__absent__*",
                            "--allow=mcp__mute__*",
                            "say it");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("hello there", model.lastRequest().lastToolResult());
            String warnings = warnings(ended);
            assertTrue(warnings.contains("cannot open the database"), warnings);
            assertTrue(warnings.contains("no program no-such-program-anywhere"), warnings);
            assertTrue(warnings.contains("did not answer initialize within 1 s"), warnings);
            assertEquals(3, ended.result().path("warnings").size());
        }
    }

    @Test
    @Tag("D78")
    @DisplayName("tools that no request has room for, or that are nonsense, end no run")
    void fatTools() {
        try (var model = echoing();
                var world = World.with(model).config(FakeMcp.yaml("fake", "fat"))) {
            Ended ended = world.runInside("--json", ALLOWED, "say it");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("hello there", model.lastRequest().lastToolResult());
            String warnings = warnings(ended);
            assertTrue(warnings.contains("fake: left out 78 of its tools"), warnings);
            assertTrue(warnings.contains("answers (its schema is not one of"), warnings);
        }
    }

    @Test
    @Tag("B46")
    @DisplayName("a call that fails and a server that dies are results, and the run goes on")
    void diesInTheRun() {
        try (var model =
                        ScriptedServer.chat(
                                calls("mcp__fake__fail"),
                                calls("mcp__fake__crash"),
                                says("Done."));
                var world = World.with(model).config(FakeMcp.yaml("fake"))) {
            Ended ended = world.runInside("--json", ALLOWED, "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            String told = model.lastRequest().lastToolResult();
            assertTrue(told.contains("exit code 7"), told);
            assertTrue(ended.err().contains("(MCP: fake)"), ended::toString);
        }
    }

    @Test
    @Tag("D57")
    @DisplayName("a server whose files are not those approved does not start without a person")
    void changedProgram() throws IOException {
        try (var model = ScriptedServer.chat(says("Done."), says("Done."), says("Done."));
                var world = World.with(model)) {
            Path script = world.root().resolve("server.py");
            Files.copy(FakeMcp.script(), script);
            world.config("mcp_servers: {fake: {command: python3, args: ['" + script + "']}}");
            assertEquals("[]", warnings(world.runInside("--json", ALLOWED, "go")));
            assertEquals("[]", warnings(world.runInside("--json", ALLOWED, "go")));

            Files.writeString(script, Files.readString(script) + "\n# harmless\n");
            String warnings = warnings(world.runInside("--json", ALLOWED, "go"));
            assertTrue(warnings.contains("not those that were approved"), warnings);
            assertFalse(isOffered(model));
        }
    }

    @Test
    @Tag("D55")
    @DisplayName("other tools than those approved fail the server without a person")
    void changedTools() throws IOException {
        try (var model = ScriptedServer.chat(says("Done."), says("Done."));
                var world = World.with(model)) {
            world.config(FakeMcp.yaml("fake", "from-file"));
            assertEquals("[]", warnings(world.runInside("--json", ALLOWED, "go")));

            world.file("evil", "");
            Ended ended = world.runInside("--json", ALLOWED, "go");
            assertTrue(warnings(ended).contains("changed: echo"), ended::toString);
            assertTrue(warnings(ended).contains("new: newcomer"), ended::toString);
            assertFalse(isOffered(model));
            assertEquals(0, ended.exitCode());
        }
    }

    @Test
    @Tag("P15")
    @DisplayName("a project's server starts only where the project is trusted")
    void projectServer() {
        try (var model = ScriptedServer.chat(says("Done."), says("Done."));
                var world = World.with(model)) {
            world.file(".agent/config.yaml", FakeMcp.yaml("fake"));
            Ended untrusted = world.runInside("--json", ALLOWED, "go");
            assertTrue(warnings(untrusted).contains("not trusted"), untrusted::toString);
            assertFalse(isOffered(model));

            Ended trusted = world.runInside("--json", "--trust", "go");
            assertTrue(model.lastRequest().tools().contains("mcp__fake__echo"), trusted::toString);
        }
    }

    @Test
    @Tag("D57")
    @DisplayName("a project that later wants another variable of the user's is not started")
    void otherVariable() {
        try (var model = ScriptedServer.chat(says("Done."), says("Done."));
                var world = World.with(model).env("CLOUD_SECRET", "canary-0123456789")) {
            world.file(".agent/config.yaml", withEnv("LEVEL: info"));
            assertEquals("[]", warnings(world.runInside("--json", "--trust", "go")));

            world.file(".agent/config.yaml", withEnv("LEVEL: '${CLOUD_SECRET}'"));
            String warnings = warnings(world.runInside("--json", "--trust", "go"));
            assertTrue(warnings.contains("not those that were approved"), warnings);
            assertFalse(isOffered(model));
        }
    }

    @Test
    @Tag("D59")
    @DisplayName("a project's server gets no variable that holds the key of a provider")
    void keyOfAProvider() {
        try (var model = ScriptedServer.chat(says("Done."));
                var world = World.with(model)) {
            String variable = "ANTHROPIC_API_KEY";
            world.env(variable, "sk-canary-0123456789");
            world.file(".agent/config.yaml", withEnv("LEVEL: '${" + variable + "}'"));
            String warnings = warnings(world.runInside("--json", "--trust", "go"));
            assertTrue(warnings.contains("holds the key of a provider"), warnings);
            assertFalse(isOffered(model));
        }
    }

    private static String withEnv(String env) {
        String whole = FakeMcp.yaml("fake").strip();
        return whole.substring(0, whole.length() - 1) + ", env: {" + env + "}}\n";
    }

    @Test
    @Tag("P15")
    @DisplayName("a project may not change a server of the user's")
    void projectMayNotChange() {
        try (var model = echoing();
                var world = World.with(model).config(FakeMcp.yaml("fake"))) {
            world.file(".agent/config.yaml", "mcp_servers: {fake: {env: {EVIL: 'yes'}}}");
            Ended ended = world.runInside("--json", "--trust", ALLOWED, "say it");
            assertTrue(warnings(ended).contains("mcp_servers.fake.env.EVIL"), ended::toString);
            assertEquals("hello there", model.lastRequest().lastToolResult());
        }
    }

    @Test
    @Tag("D58")
    @DisplayName("shell lines, relative paths and packages without a version are warned about")
    void doubtful() throws IOException {
        try (var model = ScriptedServer.chat(says("Done."));
                var world = World.with(model)) {
            Path runner = Files.createDirectory(world.root().resolve("bin")).resolve("npx");
            Files.writeString(runner, "#!/bin/sh\nexit 1\n");
            assertTrue(runner.toFile().setExecutable(true));
            world.env("PATH", runner.getParent() + ":" + System.getenv("PATH"));
            Path file = world.root().resolve("servers.json");
            Files.writeString(
                    file,
                    """
                    {"mcpServers": {
                      "a": {"command": "sh", "args": ["-c", "exit 1"]},
                      "b": {"command": "./server"},
                      "c": {"command": "npx", "args": ["-y", "@scope/thing"]},
                      "d": {"command": "npx", "args": ["-y", "@scope/thing@1.2.3"]}}}
                    """);
            Ended ended = world.runInside("--json", "--mcp-config=" + file, "go");
            String npx = "npx runs whatever version of @scope/thing is the newest";
            assertTrue(warnings(ended).contains("c: " + npx), ended::toString);
            assertFalse(warnings(ended).contains("d: " + npx), ended::toString);
            assertTrue(warnings(ended).contains("it is a shell line"), ended::toString);
            assertTrue(warnings(ended).contains("write an absolute path"), ended::toString);
            assertEquals(0, ended.exitCode());
        }
    }

    @Test
    @DisplayName(
            "a server without a program and an address, and a file that is none, are exit code 3")
    void mistakes() throws IOException {
        try (var world = World.withoutModel().config("mcp_servers: {a: {args: [x]}}")) {
            Ended ended = world.inside("run", "x");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("neither a command nor a url"), ended::toString);
        }
        try (var world = World.withoutModel()) {
            Path file = world.root().resolve("servers.json");
            Files.writeString(file, "{\"servers\": {}}");
            Ended ended = world.inside("run", "--mcp-config=" + file, "x");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("has no \"mcpServers\""), ended::toString);
        }
    }

    @Test
    @DisplayName("agent tools run calls a tool of a server under the same policy")
    void toolsRun() {
        try (var world = World.withoutModel().config(FakeMcp.yaml("fake"))) {
            Ended listed = world.inside("tools", "list", ALLOWED);
            assertTrue(listed.out().contains("mcp__fake__echo"), listed::toString);
            Ended ran =
                    world.inside("tools", "run", "mcp__fake__echo", "{\"text\":\"hi\"}", ALLOWED);
            assertEquals("hi\n", ran.out(), ran::toString);
        }
    }
}
