package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.call;
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
import dev.agentloop.config.key.HookKeys;
import dev.agentloop.config.key.KeyPath;
import dev.agentloop.hook.HookPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Tags;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The user's hooks at moments other than an edit. */
class HooksScenarioTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static String hook(String event, String command) {
        return hook(event, command, "timeout: 2s");
    }

    private static String hook(String event, String command, String more) {
        return "hooks: {%s: [{name: guard, command: %s, %s}]}\n"
                .formatted(event, JSON.valueToTree(command), more);
    }

    private static Reply write(String file) {
        return calls("write_file", "file_path", file, "content", "x\n");
    }

    private static Ended run(World world, String... more) {
        String[] all = new String[more.length + 4];
        System.arraycopy(new String[] {"--json", "--yolo", "--sandbox=off"}, 0, all, 0, 3);
        System.arraycopy(more, 0, all, 3, more.length);
        all[all.length - 1] = "go";
        return world.runInside(all);
    }

    @Tags({@Tag("row-29"), @Tag("row-31"), @Tag("B41"), @Tag("C28")})
    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo '{\"decision\":'; echo not here >&2; exit 2",
                "echo '{\"decision\":\"allow\"}'; echo not here >&2; exit 2",
                "echo '{\"decision\":\"deny\",\"reason\":\"not here\"}'",
                "echo not here >&2; exit 1",
                "sleep 300 & sleep 300",
                "no_such_hook --check",
                "echo '{\"decision\":\"not here'",
            })
    void whatExitsWith2FailsHangsOrLiesBeforeACallDeniesIt(String command) {
        try (var model = ScriptedServer.chat(write("a"), says("I left it."));
                var world = World.with(model).config(hook("pre_tool", command))) {
            Ended ended = run(world, "--strict-denials");

            assertEquals(2, ended.exitCode(), ended::toString);
            assertFalse(world.exists("a"));
            assertEquals(1, model.lastRequest().toolResults().size());
            String told = model.lastRequest().lastToolResult();
            assertTrue(told.startsWith("Not allowed: "), told);
            assertTrue(told.contains("not here") || told.contains("the hook guard failed: "), told);
            JsonNode denial = ended.result().path("denials").path(0);
            assertEquals("hooks.pre_tool(guard)", denial.path("rule").asText());
            JsonNode ran = ended.result().path("hooks").path(0);
            assertEquals("pre_tool", ran.path("event").asText());
        }
    }

    @Tags({@Tag("row-30"), @Tag("B42")})
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "secret.txt | echo '{\"decision\":\"allow\"}' | write_file(secret.txt)",
                "a.txt | echo '{\"arguments\":{\"file_path\":\"secret.txt\",\"content\":\"x\"}}' |"
                        + " write_file(secret.txt)",
                "a.txt | echo '{\"arguments\":{\"file_path\":\"./d/../secret.txt\","
                        + "\"content\":\"x\"}}' | write_file(secret.txt)",
                "a.txt | echo '{\"arguments\":{\"file_path\":\".env\",\"content\":\"x\"}}' |"
                        + " guardrails.protected_files",
                "a.txt | echo '{\"arguments\":{\"file\":\"a\"}}' | hooks.pre_tool(guard)",
            })
    void aHookCanNeitherAllowWhatIsDeniedNorWriteItsWayAroundARule(
            String file, String command, String rule) {
        try (var model = ScriptedServer.chat(write(file), says("I left it."));
                var world =
                        World.with(model)
                                .config(hook("pre_tool", command))
                                .config("guardrails: {protected_files: [.env]}")
                                .config("permissions: {deny: ['write_file(secret.txt)']}")) {
            Ended ended = run(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(world.exists("a.txt"), ended::toString);
            assertFalse(world.exists("secret.txt"));
            assertFalse(world.exists(".env"));
            JsonNode denials = ended.result().path("denials");
            assertEquals(1, denials.size(), denials::toString);
            assertTrue(denials.path(0).path("rule").asText().contains(rule), denials::toString);
        }
    }

    @Test
    @Tag("B42")
    void argumentsThatAHookWritesAreWhatRunsAndTheModelIsTold() {
        String command =
                "sed 's/.*\"content\":\"\\([^\"]*\\)\".*/{}/' >/dev/null; echo"
                        + " '{\"arguments\":{\"file_path\":\"b.txt\",\"content\":\"y\"}}'";
        try (var model = ScriptedServer.chat(write("a.txt"), says("ok"));
                var world = World.with(model).config(hook("pre_tool", command))) {
            Ended ended = run(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(world.exists("a.txt"));
            assertEquals("y", world.read("b.txt"));
            String told = model.lastRequest().lastToolResult();
            assertTrue(told.contains("[Hook guard]\nIt changed the arguments"), told);
        }
    }

    @Test
    void pretooluseReadsTheCallAsJsonAHookOfTwoSpeaksAboutItsToolsOnly() throws IOException {
        String command = "cat >>seen; echo >>seen";
        try (var model =
                        ScriptedServer.chat(
                                calls(
                                        call("write_file", "file_path", "a", "content", "x"),
                                        call("read_file", "file_path", "a")),
                                says("ok"));
                var world =
                        World.with(model)
                                .config(hook("PreToolUse", command, "tools: ['write_*']"))) {
            Ended ended = run(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            List<String> lines = world.read("seen").lines().toList();
            assertEquals(1, lines.size(), lines::toString);
            JsonNode read = JSON.readTree(lines.getFirst());
            assertEquals("PreToolUse", read.path("hook_event_name").asText());
            assertEquals("write_file", read.path("tool_name").asText());
            assertEquals("a", read.path("tool_input").path("file_path").asText());
            assertEquals(
                    ended.result().path("session_id").asText(), read.path("session_id").asText());
        }
    }

    @Test
    @Tags({@Tag("row-33"), @Tag("C28")})
    void whatAHookSaysAfterACallIsToldItsFailureChangesNothing() {
        try (var model = ScriptedServer.chat(write("a"), says("ok"));
                var world =
                        World.with(model)
                                .config(hook("post_tool", "echo look again >&2; exit 2"))) {
            Ended ended = run(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(world.exists("a"));
            String told = model.lastRequest().lastToolResult();
            assertTrue(told.endsWith("[Hook guard]\nlook again"), told);
        }
    }

    @Test
    @Tag("B44")
    void aPostToolHookThatChangesTheFileTheNextEditIsNotStale() {
        try (var model =
                        ScriptedServer.chat(
                                write("a"),
                                calls(
                                        "edit_file",
                                        "file_path",
                                        "a",
                                        "old_string",
                                        "y",
                                        "new_string",
                                        "z"),
                                says("ok"));
                var world = World.with(model).config(hook("post_tool", "echo y >a"))) {
            Ended ended = run(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(
                    model.requests().get(1).lastToolResult().contains("[The hooks changed a;"),
                    model.requests().get(1).lastToolResult());
            assertTrue(model.requests().get(2).lastToolResult().contains("a"));
        }
    }

    @Test
    @Tags({@Tag("row-69"), @Tag("C30")})
    void aHookEndsTheRunHookTerminatedExit2NoFurtherRequest() {
        String command = "echo '{\"continue\":false,\"stopReason\":\"out of hours\"}'";
        try (var model = ScriptedServer.chat(write("a"));
                var world = World.with(model).config(hook("pre_tool", command))) {
            Ended ended = run(world);

            assertEquals(2, ended.exitCode(), ended::toString);
            assertFalse(world.exists("a"));
            assertEquals("hook_terminated", ended.result().path("stop_reason").asText());
            assertEquals("partial", ended.result().path("status").asText());
            assertEquals(
                    "Stopped by the hook guard: out of hours",
                    ended.result().path("result").asText());
            assertEquals(1, model.requests().size());
        }
    }

    @Test
    @Tags({@Tag("S3-2"), @Tag("C44")})
    void sessionHooksRunOnceWhatTheFirstSaysIsInTheFirstRequest() {
        try (var model = ScriptedServer.chat(write("a"), says("ok"));
                var world =
                        World.with(model)
                                .config(
                                        """
                                        hooks:
                                          session_start: [{name: s, command: "echo branch: main"}]
                                          prompt_build: [{name: p, command: "echo Speak Spanish."}]
                                          session_end: [{name: e, command: "cat >ended"}]
                                          error: [{name: x, command: "touch never"}]
                                        """)) {
            Ended ended = run(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            String first = model.requests().getFirst().body().toString();
            assertTrue(first.contains("[Hook s] branch: main"), first);
            assertTrue(first.contains("Speak Spanish."), first);
            assertTrue(world.read("ended").contains("\"stop_reason\":\"llm_done\""));
            assertFalse(world.exists("never"));
            assertEquals(3, ended.result().path("hooks").size(), ended::toString);
        }
    }

    @Test
    void secretsThatTheModelDoesNotSeeReachNoHookAndHooksTellItNone() {
        try (var model = ScriptedServer.chat(calls("read_file", "file_path", "conf"), says("ok"));
                var world =
                        World.with(model)
                                .file("conf", "token = ghp_0123456789abcdefghijABCDEFGHIJ456789\n")
                                .config(hook("post_tool", "cat >seen; sed s/x/x/ conf"))) {
            Ended ended = run(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(world.read("seen").contains("tool_response"));
            assertFalse(world.read("seen").contains("ghp_0123"), world.read("seen"));
            String told = model.lastRequest().lastToolResult();
            assertTrue(told.contains("[Hook guard]\ntoken = "), told);
            assertFalse(told.contains("ghp_0123"), told);
        }
    }

    @Test
    @Tag("P15")
    void hooksRunInTheSandboxOfCommandsAndAreToldThereToo() {
        String large = "x".repeat(200_000);
        var first = calls("write_file", "file_path", "a", "content", large);
        var second = calls("write_file", "file_path", "b", "content", large);
        String command = "test -e seen && exit 0; cat >seen; touch ../out; true";
        try (var model = ScriptedServer.chat(first, second, says("ok"));
                var world = World.with(model).config(hook("pre_tool", command))) {
            Ended ended = world.runInside("--json", "--yolo", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(world.exists("b"), "not to read is no failure");
            assertTrue(world.read("seen").contains("\"tool_name\":\"write_file\""));
            assertTrue(world.read("seen").length() > large.length());
            boolean confined = !ended.result().path("sandbox").asText().equals("none");
            assertEquals(!confined, Files.exists(world.workspace().resolve("../out").normalize()));
        }
    }

    @Test
    void stopExitCode2SendsTheModelBackToWorkWithWhatIsStillWrong() {
        String command = "test -e fixed && exit 0; touch fixed; echo 2 tests fail >&2; exit 2";
        try (var model = ScriptedServer.chat(says("Done."), says("Really done."));
                var world = World.with(model).config(hook("Stop", command))) {
            Ended ended = run(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("Really done.", ended.result().path("result").asText());
            String second = model.lastRequest().body().toString();
            assertTrue(second.contains("[Hook guard] 2 tests fail"), second);
        }
    }

    @Test
    @Tag("C26")
    void everyMomentHasItsKey() {
        for (HookPoint point : HookPoint.values()) {
            boolean edit = point == HookPoint.POST_EDIT;
            assertEquals(!edit, HookKeys.EVENTS.contains(point.wireName()), point::wireName);
            if (!point.alias().isEmpty()) {
                assertEquals(
                        KeyPath.of("hooks." + point.wireName()),
                        HookKeys.meant(KeyPath.of("hooks." + point.alias())));
            }
        }
        assertEquals(HookPoint.values().length - 1, HookKeys.EVENTS.size());
    }

    @Test
    @Tag("B45")
    void whatAHookStartsHasNoHooksOfItsOwn() {
        try (var model = ScriptedServer.chat(write("a"), says("ok"));
                var world =
                        World.with(model)
                                .env("AGENT_HOOK", "outer")
                                .config(hook("pre_tool", "exit 2; true"))) {
            Ended ended = run(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(world.exists("a"));
            assertTrue(
                    ended.result().path("warnings").toString().contains("AGENT_HOOK"),
                    ended::toString);
        }
    }

    @Test
    @Tags({@Tag("row-81"), @Tag("D40")})
    void hooksOfAnUntrustedRepositoryAreIgnoredWithAWarning() {
        String evil =
                """
                hooks:
                  session_start: [{name: a, command: touch hooked}]
                  pre_tool: [{name: b, command: touch hooked}]
                  session_end: [{name: c, command: touch hooked}]
                """;
        try (var model = ScriptedServer.chat(write("a"), says("ok"));
                var world = World.with(model).file(".agent/config.yaml", evil)) {
            Ended ended = run(world);

            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(world.exists("a"));
            assertFalse(world.exists("hooked"));
            assertTrue(
                    ended.result().path("warnings").toString().contains(".agent/config.yaml"),
                    ended::toString);
        }
    }

    @Test
    void aTrustedProjectAddsHooksThoseOfTheUserStay() {
        try (var model = ScriptedServer.chat(write("a"), says("ok"));
                var world =
                        World.with(model)
                                .config(hook("pre_tool", "true; exit 2"))
                                .file(
                                        ".agent/config.yaml",
                                        "hooks: {pre_tool: [{name: own, command: touch own}]}")) {
            assertEquals(0, world.inside("config", "trust").exitCode());
            Ended ended = run(world);

            assertFalse(world.exists("a"), ended::toString);
            JsonNode hooks = ended.result().path("hooks");
            assertTrue(hooks.toString().contains("\"guard\""), hooks::toString);
        }
    }

    @Test
    void aHooksCommandThatCannotBeUsedOrAnEventGivenTwiceIsToldBefore() {
        try (var world = World.withoutModel().config(hook("pre_tool", "lint {file}"))) {
            Ended ended = run(world);
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("known to post_edit only"), ended::toString);
        }
        try (var world =
                World.withoutModel()
                        .config(
                                """
                                hooks:
                                  pre_tool: [{name: a, command: "true"}]
                                  PreToolUse: [{name: b, command: "true"}]
                                """)) {
            Ended ended = run(world);
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("is given twice"), ended::toString);
        }
    }
}
