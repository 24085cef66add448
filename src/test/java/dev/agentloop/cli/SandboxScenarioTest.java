package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which sandbox a run gets, and what is said about it. */
class SandboxScenarioTest {
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");

    private static Reply command(String text) {
        return calls("run_command", "command", text);
    }

    @Test
    @Tag("P21")
    @DisplayName("yolo with a working sandbox needs no further word, and stays inside")
    void yoloInTheSandbox() {
        assumeTrue(Files.isExecutable(BWRAP), "bubblewrap is not installed");
        try (var model =
                        ScriptedServer.chat(
                                command("echo in > in; echo out > /var/agent-out"), says("done"));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--yolo", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("bwrap", ended.result("sandbox"));
            assertEquals(0, ended.result().path("warnings").size(), ended::toString);
            assertTrue(world.exists("in"));
            assertFalse(Files.exists(Path.of("/var/agent-out")));
        }
    }

    @Test
    @Tag("D46")
    @Tag("P21")
    @DisplayName("off in a file is not the word that yolo needs")
    void offInAFileIsNotEnough() {
        try (var world = World.withoutModel().config("sandbox: {mode: off}")) {
            for (List<String> words :
                    List.of(List.of("--yolo", "x"), List.of("--confirm=yolo", "x"))) {
                Ended ended = world.runInside(words.toArray(String[]::new));

                assertEquals(3, ended.exitCode(), ended::toString);
                assertTrue(ended.err().contains("--sandbox off"), ended::err);
            }
        }
    }

    @Test
    @Tag("D70")
    @DisplayName("a sandbox that is asked for and not there is exit code 3 with the remedy")
    void theNamedSandboxOrNone() {
        try (var world = World.withoutModel().env("PATH", "/nowhere")) {
            Ended ended = world.runInside("--json", "--sandbox=bwrap", "x");

            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("sandbox is required"), ended::toString);
            assertTrue(ended.errorMessage().contains("apt-get install bubblewrap"));
            assertEquals("none", ended.result("sandbox"));
            assertEquals(List.of(), world.journals());
        }
    }

    @Test
    @Tag("D70")
    @DisplayName("a weaker sandbox is told on standard error and in warnings")
    void degradationIsLoud() {
        try (var model = ScriptedServer.chat(says("ok"), says("ok"));
                var world = World.with(model).env("PATH", "/nowhere")) {
            Ended json = world.runInside("--json", "x");
            Ended text = world.runInside("x");

            String expected = "commands run ";
            assertFalse(json.result("sandbox").equals("bwrap"), json::toString);
            assertTrue(json.result().path("warnings").toString().contains(expected));
            assertTrue(text.err().contains(expected), text::err);
            assertEquals(0, text.exitCode());
        }
    }

    @Test
    @Tag("D70")
    @DisplayName("off is shown as none, without a warning: it was asked for")
    void offIsNone() {
        try (var model =
                        ScriptedServer.chat(
                                command("echo out > /tmp/$$.x; rm /tmp/$$.x"), says("ok"));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", "x");

            assertEquals("none", ended.result("sandbox"));
            assertEquals(0, ended.result().path("warnings").size(), ended::toString);
        }
    }

    @Test
    @Tag("D73")
    @Tag("P8")
    @DisplayName("a command that fails for want of the network is told how to ask for it")
    void theModelIsToldAboutTheNetwork() {
        assumeTrue(Files.isExecutable(BWRAP), "bubblewrap is not installed");
        String lookup =
                "getent hosts example.com || { echo 'Could not resolve host' >&2; exit 6; }";
        try (var model = ScriptedServer.chat(command(lookup), says("ok"));
                var world = World.with(model)) {
            world.runInside("--yolo", "x");

            String told = model.lastRequest().lastToolResult();
            assertTrue(told.contains("network: true"), told);
        }
    }

    @Test
    @Tag("D73")
    @DisplayName("a server that stands behind --allow-net by itself is no task")
    void serverAsATask() {
        try (var world = World.withoutModel()) {
            Ended ended = world.runInside("--allow-net", "example.com", "the task");

            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.toString().contains("--allow-net=example.com"), ended::toString);
        }
    }

    @Test
    @Tag("D73")
    @DisplayName("--allow-net gives commands the network, with a value only web_fetch")
    void theNetworkForAll() {
        assumeTrue(Files.isExecutable(BWRAP), "bubblewrap is not installed");
        Reply interfaces = command("tail -n +3 /proc/net/dev | cut -d: -f1 | xargs");
        try (var model =
                        ScriptedServer.chat(
                                interfaces,
                                says("ok"),
                                interfaces,
                                says("ok"),
                                interfaces,
                                says("ok"));
                var world = World.with(model)) {
            world.runInside("--yolo", "--allow-net", "x");
            String all = model.lastRequest().lastToolResult();
            world.runInside("--yolo", "--allow-net=example.com", "x");
            String one = model.lastRequest().lastToolResult();
            world.runInside("-p", "--allow-net", "--yolo");
            String prompt = model.lastRequest().lastToolResult();

            assertTrue(one.contains("stdout:\nlo\n"), one);
            assertTrue(prompt.contains("stdout:\nlo\n"), prompt);
            assertFalse(all.contains("stdout:\nlo\n"), all);
        }
    }
}
