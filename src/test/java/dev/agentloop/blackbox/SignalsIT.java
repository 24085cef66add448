package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signals, wherever the run is. */
class SignalsIT {
    private static final String[] WORDS = {
        "--output-format=stream-json", "--yolo", "--sandbox=off", "the task"
    };

    @ParameterizedTest(name = "SIG{0} while {1}")
    @CsvSource({
        "INT,HEADERS", "INT,STREAMING", "INT,COMMAND", "INT,HOOK",
        "TERM,HEADERS", "TERM,STREAMING", "TERM,COMMAND", "TERM,HOOK",
        "HUP,COMMAND"
    })
    @Tag("row-17")
    @Tag("row-20")
    @Tag("row-65")
    @Tag("row-67")
    @Tag("C01")
    @Tag("C02")
    @Tag("C03")
    @Tag("C09")
    @DisplayName("130, one result, no call after it, resumable")
    void interrupted(String signal, Phase phase) {
        try (var model = phase.model();
                var world = phase.world(model)) {
            AgentProcess process = world.launch().startRun(WORDS);
            phase.await(process, model);
            Ended ended = process.signal(signal).ended();
            assertEquals(130, ended.exitCode(), ended::toString);
            assertEquals("user_interrupt", ended.result("stop_reason"));
            assertEquals(signal, ended.result("signal"));
            assertEquals(1, model.requests().size(), "no call after the signal");
            assertEquals(
                    signal, world.records("signal").getLast().path("d").path("signal").asText());
            assertTrue(ended.err().contains("SIG" + signal), ended::toString);

            model.then(says("Resumed."));
            Ended resumed = world.inside("resume", "--last", "--json");
            assertEquals("Resumed.", resumed.result("result"), resumed::toString);
            boolean acted = phase == Phase.COMMAND || phase == Phase.HOOK;
            assertEquals(acted ? 1 : 0, model.lastRequest().toolResults().size());
        }
    }

    @RepeatedTest(value = 3, name = "{displayName}") // what it guards against was a race
    @Tag("row-67")
    @Tag("row-18")
    @Tag("C06")
    @DisplayName("a second SIGINT ends at once, with one JSON object and no child left")
    void secondSignal() {
        try (var model = Phase.COMMAND.model();
                var world = World.with(model)) {
            AgentProcess process =
                    world.launch().startRun("--json", "--yolo", "--sandbox=off", "go");
            Phase.COMMAND.await(process, model);
            process.signal("INT").awaitErr("once more to stop at once");
            long pressed = System.nanoTime();
            // the same key press may arrive twice within a quarter of a second
            Await.until(
                    "the next press",
                    () -> System.nanoTime() - pressed > Duration.ofMillis(400).toNanos());
            Ended ended = process.signal("INT").ended();
            assertEquals(130, ended.exitCode(), ended::toString);
            assertEquals("user_interrupt", ended.result("stop_reason"));
            assertEquals(1, model.requests().size());
        }
    }

    @Test
    @Tag("row-19")
    @Tag("C15")
    @DisplayName("a signal after the end changes nothing; 5 MB reach a slow reader whole")
    void afterTheEnd() {
        String answer = "0123456789abcde\n".repeat(330_000);
        try (var model = ScriptedServer.chat(says(answer));
                var world = World.with(model)) {
            AgentProcess process = world.launch().heldOutput().startRun("--json", "go");
            process.awaitErr("Agent completed").signal("INT").releaseOut();
            Ended ended = process.ended();
            assertEquals(0, ended.exitCode(), () -> "exit code " + ended.exitCode());
            assertEquals(answer, ended.result("result"));
            assertEquals("success", ended.result("status"));
        }
    }

    @Test
    @Tag("C09")
    @DisplayName("standard output stays empty where there is no answer")
    void noAnswerNoOutput() {
        try (var model = ScriptedServer.chat(Faults.silence());
                var world = World.with(model)) {
            AgentProcess process = world.launch().startRun("-q", "go");
            Await.until("the request", () -> !model.requests().isEmpty());
            Ended ended = process.signal("INT").ended();
            assertEquals(130, ended.exitCode(), ended::toString);
            assertEquals("", ended.out());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    @Tag("row-67")
    @Tag("C09")
    @DisplayName("a signal while the task is still read is 130 with one JSON object, too")
    void whileReading(String signal) {
        try (var world = World.withoutModel()) {
            AgentProcess process = world.launch().idleStdin().startRun("--json", "-");
            Ended ended = process.feedUntilItReads().signal(signal).ended();
            assertEquals(130, ended.exitCode(), ended::toString);
            assertEquals(signal, ended.result("signal"));
            assertEquals(List.of(), world.journals());
        }
    }

    @ParameterizedTest(name = "P20: a command of tools run ends with it after SIG{0}")
    @ValueSource(strings = {"INT", "TERM"})
    void toolsRun(String signal) {
        String command = "{\"command\":\"touch started; sleep 300 & sleep 300\"}";
        try (var world = World.withoutModel()) {
            AgentProcess process =
                    world.launch()
                            .start(
                                    "tools",
                                    "run",
                                    "run_command",
                                    command,
                                    "--allow",
                                    "run_command");
            process.awaitFile("started").signal(signal);
            assertEquals(130, process.ended().exitCode()); // the world looks for what is left
        }
    }

    @Test
    @Tag("C11")
    @Tag("D54")
    @DisplayName("SIGQUIT prints nothing on stdout; no socket listens")
    void threadDump() throws Exception {
        try (var model = Phase.HEADERS.model();
                var world = World.with(model)) {
            AgentProcess process = world.launch().startRun("--json", "go");
            model.awaitRequests(1);
            Process ss = new ProcessBuilder("ss", "-lntpxH").start();
            String listening =
                    new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertFalse(listening.contains("pid=" + process.pid() + ","), listening);
            process.signal("QUIT").awaitErr("Full thread dump");
            Ended ended = process.signal("TERM").ending();
            assertEquals(130, ended.exitCode());
            assertEquals("TERM", ended.result("signal"));
        }
    }
}
