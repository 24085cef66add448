package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code agent mcp serve} of the packaged program, for our own client and for raw lines. */
@Tag("side-by-side")
class McpServeIT {
    private static final String HELLO =
            """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            """;

    private static String call(Object id, String tool, String arguments) {
        return """
        {"jsonrpc":"2.0","id":%s,"method":"tools/call","params":\
        {"name":"%s","arguments":%s,"_meta":{"progressToken":"p%s"}}}
        """
                .formatted(id, tool, arguments, id);
    }

    private static AgentProcess serving(World world, String... words) {
        List<String> all = new ArrayList<>(List.of("mcp", "serve"));
        all.addAll(List.of(words));
        AgentProcess server = world.launch().idleStdin().start(all.toArray(String[]::new));
        return server.type(HELLO).awaitOut("\"protocolVersion\":\"2025-06-18\"");
    }

    private static Ended closed(AgentProcess server) {
        server.feed("");
        return server.ended();
    }

    @Test
    @DisplayName("our own client agrees with it, lists its tools, calls one, and has it run a task")
    void probed() {
        try (var model =
                        ScriptedServer.chat(
                                calls("read_file", "file_path", "a.txt"), says("It says hello."));
                var world = World.with(model).file("a.txt", "hello there\n")) {
            String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
            String server =
                    """
                    mcp_servers:
                      us:
                        command: %s
                        args: [-cp, "%s", dev.agentloop.Main, mcp, serve, --tools, "read_file,run"]
                        env:
                          CANARY_API_KEY: "${CANARY_API_KEY}"
                          XDG_CONFIG_HOME: "${XDG_CONFIG_HOME}"
                          XDG_STATE_HOME: "${XDG_STATE_HOME}"
                          AGENT_TEST_RUN: "${AGENT_TEST_RUN}"
                    """
                            .formatted(java, System.getProperty("agent.jar", ""));
            Ended ended =
                    world.config(server)
                            .agent(
                                    "mcp",
                                    "probe",
                                    "us",
                                    "--call",
                                    "read_file={\"file_path\":\"a.txt\"}",
                                    "--call",
                                    "run={\"task\":\"read it\",\"max_steps\":5}");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(ended.out().contains("\"tools\":[\"read_file\",\"run\"]"), ended::toString);
            assertTrue(ended.out().contains("hello there"), ended::toString);
            assertTrue(ended.out().contains("It says hello."), ended::toString);
            assertFalse(ended.out().contains("\"is_error\":true"), ended::toString);
        }
    }

    @Test
    @DisplayName("answers come as the work is done; garbage is answered and ends nothing")
    void orderAndGarbage() {
        try (var world = World.withoutModel().file("a.txt", "hello there\n")) {
            AgentProcess server = serving(world, "--allow=run_command(*)", "--sandbox=off");
            server.type("{no json\n[]\n{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"what\"}\n");
            server.type(call(1, "run_command", "{\"command\":\"sleep 2; echo late\"}"));
            server.type(call("\"two\"", "read_file", "{\"file_path\":\"a.txt\"}"));
            server.type(call(3, "read_file", "{\"file_path\":\"../../../../etc/shadow\"}"));
            server.type(call(4, "no_tool", "{}"));
            server.awaitOut("late");
            Ended ended = closed(server);

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(ended.out().lines().allMatch(line -> line.startsWith("{\"jsonrpc\":")));
            assertTrue(ended.out().contains("-32700"), ended::toString);
            assertTrue(ended.out().contains("batches are not supported"), ended::toString);
            assertTrue(
                    ended.out().contains("\"id\":7,\"error\":{\"code\":-32601"), ended::toString);
            assertTrue(ended.out().contains("Unknown tool: no_tool"), ended::toString);
            assertTrue(ended.out().contains("Not allowed: "), ended::toString);
            assertTrue(
                    ended.out().indexOf("\"id\":\"two\"") < ended.out().indexOf("late"),
                    ended::toString);
        }
    }

    @Test
    @DisplayName("a call that is cancelled ends with its processes and is not answered")
    void cancelled() {
        try (var world = World.withoutModel()) {
            AgentProcess server = serving(world, "--allow=run_command(*)", "--sandbox=off");
            String nap = "30" + ProcessHandle.current().pid(); // nobody else sleeps as long
            server.type(call(1, "run_command", "{\"command\":\"touch begun; sleep " + nap + "\"}"));
            server.awaitFile("begun");
            server.type(
                    """
                    {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
                    """);
            String look = "sleep 3; echo left: $(pgrep -fc 'sleep ''" + nap + "')";
            server.type(call(2, "run_command", "{\"command\":\"" + look + "\"}"));
            server.awaitOut("\"id\":2,");
            Ended ended = closed(server);

            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(ended.out().contains("\"id\":1,"), ended::toString);
            assertTrue(ended.out().contains("left: 0"), ended::toString);
        }
    }

    @Test
    @DisplayName("the end of standard input, or SIGTERM, kills what is under way, also a whole run")
    void endsWithAll() {
        for (boolean signalled : List.of(false, true)) {
            try (var model =
                            ScriptedServer.chat(
                                    calls("run_command", "command", "touch begun; sleep 300"));
                    var world = World.with(model)) {
                AgentProcess server = serving(world, "--allow=run_command(*)", "--sandbox=off");
                server.type(call(1, "run", "{\"task\":\"go\"}"));
                server.awaitFile("begun");
                Ended ended = signalled ? server.signal("TERM").ended() : closed(server);

                assertEquals(signalled ? 130 : 0, ended.exitCode(), ended::toString);
                assertTrue(ended.out().contains("notifications/progress"), ended::toString);
                assertTrue(ended.took().toSeconds() < 40, ended::toString);
            }
        }
    }

    @Test
    @DisplayName("a client gets no more than the command line gave: agent, limits, approvals")
    void noMoreThanGiven() {
        try (var world = World.withoutModel()) {
            AgentProcess server = serving(world, "--agent=plan", "--budget=1", "--max-steps=3");
            server.type(call(1, "write_file", "{\"file_path\":\"x\",\"content\":\"x\"}"));
            server.type(call(2, "run", "{\"task\":\"go\",\"agent\":\"build\"}"));
            server.type(call(3, "run", "{\"task\":\"go\",\"budget\":2}"));
            server.type(call(4, "run", "{\"task\":\"go\",\"max_steps\":4}"));
            server.awaitOut("max_steps 4 is more"); // of a fifth at once it would say too many
            server.type(call(5, "run", "{\"task\":\"go\",\"model\":\"nobody/x\"}"));
            server.type(call(6, "run", "{\"task\":\"go\",\"yolo\":true}"));
            server.awaitOut("unknown provider");
            Ended ended = closed(server);

            assertTrue(ended.out().contains("Unknown tool: write_file"), ended::toString);
            assertTrue(ended.out().contains("build could do more"), ended::toString);
            assertTrue(ended.out().contains("budget 2 is more than this server"), ended::toString);
            assertTrue(ended.out().contains("max_steps 4 is more"), ended::toString);
            assertTrue(ended.out().contains("no argument \\\"yolo\\\""), ended::toString);
            assertFalse(world.exists("x"));
        }
    }

    @Test
    @DisplayName("who names the model of the server has said who gets the code, and at what price")
    void ownModel() {
        try (var model = ScriptedServer.chat();
                var dear = ScriptedServer.chat();
                var world = World.with(model).provider("dear", dear)) {
            AgentProcess server = serving(world, "--model=canary/model");
            server.type(call(1, "run", "{\"task\":\"go\",\"model\":\"dear/model\"}"));
            server.awaitOut("started with --model canary/model; leave model out");
            assertEquals(0, closed(server).exitCode());
            assertEquals(List.of(), dear.requests());
        }
    }

    @Test
    @DisplayName("the model that only demonstrates is no model of a task: nothing is left behind")
    void scriptedModel() {
        try (var world = World.withoutModel()) {
            AgentProcess server = serving(world);
            server.type(call(1, "run", "{\"task\":\"go\",\"model\":\"demo/scripted\"}"));
            server.awaitOut("name a real model");
            assertEquals(0, closed(server).exitCode());
        }
    }

    @Test
    @DisplayName("no agent has higher limits than that of the server, whatever it has of its own")
    void limitsOfAgents() {
        try (var model = ScriptedServer.chat(calls("list_files"), says("I had to stop."));
                var world =
                        World.with(model)
                                .config(
                                        """
                                        limits:
                                          max_steps: 1
                                        agents:
                                          eager:
                                            description: "Goes on"
                                            max_steps: 9
                                        """)) {
            AgentProcess server = serving(world);
            server.type(call(1, "run", "{\"task\":\"go\",\"agent\":\"eager\"}"));
            server.type(call(2, "run", "{\"task\":\"go\",\"agent\":\"eager\",\"max_steps\":2}"));
            server.awaitOut("\"id\":1,").awaitOut("\"id\":2,");
            Ended ended = closed(server);

            assertTrue(ended.out().contains("\"stop_reason\":\"max_steps\""), ended::toString);
            assertTrue(ended.out().contains("max_steps 2 is more than this"), ended::toString);
        }
    }

    @Test
    @DisplayName("what a run may do counts for each call; tools that need a run are not offered")
    void eachCallByItself() {
        try (var world = World.withoutModel().config("guardrails:\n  max_commands_executed: 1\n")) {
            AgentProcess server = serving(world, "--allow=run_command(*)", "--sandbox=off");
            server.type(call(1, "run_command", "{\"command\":\"echo on''e\"}"));
            server.type(call(2, "run_command", "{\"command\":\"echo tw''o\"}"));
            server.type("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}\n");
            server.awaitOut("one").awaitOut("two").awaitOut("\"id\":3,");
            Ended ended = closed(server);

            assertTrue(ended.out().contains("\"name\":\"run_command\""), ended::toString);
            assertFalse(ended.out().contains("\"name\":\"dispatch_subagent\""), ended::toString);
        }
    }

    @Test
    @DisplayName("a key or an address of the command line is for its own model, whatever is asked")
    void ownAddress() {
        try (var world = World.withoutModel()) {
            AgentProcess server =
                    serving(world, "--model=canary/model", "--base-url=http://127.0.0.1:9/v1");
            server.type(call(1, "run", "{\"task\":\"go\",\"model\":\"openai/gpt-5.5\"}"));
            server.awaitOut("leave model out");
            assertEquals(0, closed(server).exitCode());
        }
    }

    @Test
    @DisplayName("a key in a file, the output of a command or an answer never reaches the client")
    void masked() {
        try (var model = ScriptedServer.chat();
                var world = World.with(model)) {
            model.then(says("It is " + world.key()));
            world.file("key.txt", "key: " + world.key() + "\n");
            AgentProcess server = serving(world, "--allow=run_command(*)", "--sandbox=off");
            server.type(call(1, "read_file", "{\"file_path\":\"key.txt\"}"));
            server.type(call(2, "run_command", "{\"command\":\"cat key.txt\"}"));
            server.type(call(3, "run", "{\"task\":\"which key?\"}"));
            server.awaitOut("\"id\":1,").awaitOut("\"id\":2,").awaitOut("\"id\":3,");
            world.file("key.txt", ""); // after the end no key may lie anywhere
            Ended ended = closed(server);

            assertFalse(ended.out().contains(world.key()), ended::toString);
            String placeholder = "key: \\[\\[secret:CANARY_API_KEY:";
            assertEquals(2, ended.out().split(placeholder, -1).length - 1, ended::toString);
            assertTrue(ended.out().contains("It is [redacted:CANARY_API_KEY]"), ended::toString);
        }
    }

    @Test
    @DisplayName("words that are not for serve, or only for it, are refused with exit code 3")
    void wrongWords() {
        try (var world = World.withoutModel()) {
            assertEquals(3, world.agent("mcp", "serve", "--tools=nothing").exitCode());
            assertEquals(3, world.agent("mcp", "serve", "--call", "a={}").exitCode());
            Ended listed = world.agent("mcp", "list", "--yolo");
            assertEquals(3, listed.exitCode());
            assertTrue(listed.err().contains("--yolo goes with agent mcp serve"));
        }
    }
}
