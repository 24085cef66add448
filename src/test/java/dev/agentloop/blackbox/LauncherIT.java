package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.call;
import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The three ways to start the program. */
@Tag("side-by-side")
class LauncherIT {
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CLASS")
    @Tag("B12")
    @DisplayName("LC_ALL=C loses nothing of prompts, file names, commands and their output")
    void posixLocale(Launch.Starter starter) {
        var work =
                calls(
                        call("write_file", "file_path", "año/日本.txt", "content", "señal 漢字\n"),
                        call(
                                "run_command",
                                "command",
                                "cat año/*.txt; echo ñ中; echo \"<$LC_ALL>\""));
        try (var model = ScriptedServer.chat(work, says("¡Hecho! 完成"));
                var world = World.with(model).env("LC_ALL", "C")) {
            Ended ended =
                    world.launch()
                            .by(starter)
                            .run("--yolo", "--sandbox", "off", "crea", "el", "año", "日本 €");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("¡Hecho! 完成\n", ended.out());
            assertEquals("crea el año 日本 €", model.request(0).lastTask());
            assertEquals("señal 漢字\n", world.read("año/日本.txt"));
            String result = model.lastRequest().lastToolResult();
            assertTrue(result.contains("señal 漢字") && result.contains("ñ中"), result);
            assertTrue(result.contains("<C>"), "commands see the user's own locale: " + result);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CLASS")
    @Tag("C02")
    @Tag("row-17")
    @DisplayName("signals reach the run through whatever started it; exit codes come back")
    void signals(Launch.Starter starter) {
        try (var model = Phase.COMMAND.model();
                var world = World.with(model)) {
            AgentProcess process =
                    world.launch().by(starter).startRun("--json", "--yolo", "--sandbox=off", "go");
            Phase.COMMAND.await(process, model);
            Ended ended = process.signal("INT").ended();
            assertEquals(130, ended.exitCode(), ended::toString);
            assertEquals("user_interrupt", ended.result("stop_reason"));
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("--version and a bad option work however the program is started")
    void smallThings(Launch.Starter starter) {
        try (var world = World.withoutModel()) {
            Ended version = world.launch().by(starter).start("--version").ended();
            assertEquals(0, version.exitCode(), version::toString);
            assertTrue(version.out().startsWith("agent "), version::toString);
            Ended bad = world.launch().by(starter).run("--json", "--nonsense");
            assertEquals(3, bad.exitCode(), bad::toString);
        }
    }

    @Test
    @DisplayName(
            "the demo runs without key and network: a hook fails once, the test passes at last")
    void demo() throws Exception {
        try (var world =
                World.withoutModel()
                        .ordinary() // the first line tells where the demo works
                        .env("CANARY_API_KEY", "sk-canary-unused-0123456789")) {
            Ended ended = world.run("--model", "demo/scripted", "--json", "show me");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("✅"), ended::toString);
            var hooks = ended.result().path("hooks");
            assertEquals(2, hooks.size(), ended::toString);
            assertTrue(hooks.path(0).path("exit_code").asInt() != 0, ended::toString);
            assertEquals(0, hooks.path(1).path("exit_code").asInt());
            String path = ended.err().lines().findFirst().orElse("").replaceFirst(".* in /", "/");
            Path project = Path.of(path);
            Process test = new ProcessBuilder("sh", project.resolve("test.sh").toString()).start();
            assertEquals(0, test.waitFor());
            for (String file : new String[] {"README.md", "sum.sh", "test.sh"}) {
                Files.delete(project.resolve(file));
            }
            Files.delete(project);
            assertEquals(0, ended.result().path("usage").path("input_tokens").asInt());
        }
    }

    @Test
    @Tag("C43")
    @DisplayName("a current folder that is gone is exit code 3 and one line, no stack trace")
    void aFolderThatIsGone(@TempDir Path folder) throws Exception {
        String script = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" run hi";
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-c", script, System.getProperty("agent.launcher"));
        builder.environment().put("AGENT_NO_BUILD", "1");
        builder.environment().put("AGENT_NO_WARMUP", "1");
        Process started = builder.directory(folder.toFile()).redirectErrorStream(true).start();
        String said = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(3, started.waitFor(), said);
        assertTrue(said.contains("the current folder does not exist any more"), said);
        assertFalse(said.contains("\tat "), said);
    }
}
