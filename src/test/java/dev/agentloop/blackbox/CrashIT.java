package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes that are killed, and processes that want the same session. */
@Tag("side-by-side")
class CrashIT {
    private static final BigDecimal USD_OF_TOKEN =
            new BigDecimal("0.00001"); // of canary/model, read
    private static final String[] WORDS = {"--json", "--yolo", "--sandbox=off", "the task"};

    @Test
    @Tag("D48")
    @DisplayName(
            "a hook that a killed command has written does not run, trusted or not, at the next"
                    + " start")
    void killedCommandsConfigureNothing() throws IOException {
        try (var world = World.withoutModel()) {
            world.file(
                    "inner/evil.sh",
                    "mkdir .agent; echo 'hooks: {pre_tool: [{name: x, command: touch pwned}]}'"
                            + " > .agent/config.yaml; echo x > \"$(readlink .envrc)\"; touch ready;"
                            + " sleep 100");
            Files.createSymbolicLink(
                    world.workspace().resolve("inner/.envrc"), Path.of("colour\u001b[31m"));
            String[] last = {"--workspace=inner", "--trust", "--sandbox=landlock"};
            String[] words = {"tools", "run", "run_command", "{\"command\":\"sh evil.sh\"}"};
            AgentProcess process = world.launch().start(joined(words, last));
            process.awaitFile("inner/ready").killed();
            assertTrue(world.exists("inner/.agent/config.yaml"), "nothing to sweep");

            String[] reads = {"tools", "run", "read_file", "{\"file_path\":\"evil.sh\"}"};
            Ended next = world.agent(joined(reads, last));

            assertEquals(0, next.exitCode(), next::toString);
            assertTrue(next.err().contains("a run was killed while a command ran"), next::err);
            assertTrue(next.err().contains("colour"), next::err);
            assertFalse(next.err().contains("\u001b"), "what a command wrote colours no terminal");
            assertFalse(world.exists("inner/pwned"), next::toString);
            assertFalse(world.exists("inner/.agent/config.yaml"), next::toString);
        }
    }

    private static String[] joined(String[] words, String[] last) {
        return Stream.of(words, last).flatMap(Stream::of).toArray(String[]::new);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("row-63")
    @Tag("row-65")
    @Tag("C20")
    @DisplayName("kill -9, then resume: the whole history, nothing done twice")
    void killed(Phase phase) {
        var counted = calls("run_command", "command", "echo done >> counter");
        var model = ScriptedServer.chat(counted, counted);
        phase.addTo(model);
        try (model;
                var world = phase.world(model)) {
            AgentProcess process =
                    world.launch()
                            .startRun(
                                    "--output-format=stream-json",
                                    "--yolo",
                                    "--sandbox=off",
                                    "the task");
            model.awaitRequests(3);
            phase.await(process, model);
            process.killed();

            model.then(says("All done."));
            Ended resumed = world.agent("resume", "--last", "--json", "--yolo", "--sandbox=off");
            assertEquals(0, resumed.exitCode(), resumed::toString);
            assertEquals("All done.", resumed.result("result"));
            assertEquals("done\ndone\n", world.read("counter"));
            assertEquals(4, model.requests().size());
            boolean acted = phase == Phase.COMMAND || phase == Phase.HOOK;
            assertEquals(acted ? 3 : 2, model.lastRequest().toolResults().size());
            assertTrue(model.lastRequest().raw().contains("the task"));
            BigDecimal usd = new BigDecimal(resumed.result().path("cost").path("usd").asText());
            BigDecimal expected = new BigDecimal("0.0013").multiply(new BigDecimal(acted ? 4 : 3));
            if (!acted) { // the request that was cut off has probably cost what it read
                int sent = model.request(2).raw().length(); // some four characters a token
                long tokens = world.records("llm_req").get(2).at("/d/estimated_tokens").asLong();
                assertTrue(tokens > sent / 8 && tokens < sent, tokens + " tokens of " + sent);
                expected = expected.add(new BigDecimal(tokens).multiply(USD_OF_TOKEN));
            }
            assertEquals(0, expected.compareTo(usd), resumed::toString);
            assertEquals(!acted, resumed.result().at("/usage/estimated").asBoolean());
        }
    }

    @Test
    @Tag("C26")
    @DisplayName("kill -9 while a summary is made: the history is whole, and summed up again")
    void killedWhileSummingUp() {
        ScriptedServer model = ScriptedServer.chat();
        for (int i = 0; i < 6; i++) {
            model.then(calls("read_file", "file_path", "a.txt", "offset", i + 1));
        }
        model.then(Faults.tooLong());
        model.then(Script.shortening(Faults.silence()));
        try (model;
                var world = World.with(model).file("a.txt", "a line of text\n".repeat(400))) {
            AgentProcess process = world.launch().startRun(WORDS);
            model.awaitRequests(8);
            process.killed();

            model.then(Faults.tooLong());
            model.then(Script.shortening(says("A file was read.")));
            model.then(says("All done."));
            Ended resumed = world.agent("resume", "--last", "--json", "--yolo", "--sandbox=off");
            assertEquals("All done.", resumed.result("result"), resumed::toString);
            assertEquals(model.request(6).messages(), model.request(8).messages());
            assertTrue(BusyScript.isForSummary(model.request(7)));
            assertTrue(BusyScript.isForSummary(model.request(9)));
            assertTrue(model.lastRequest().raw().contains("A file was read."));
        }
    }

    @Test
    @Tag("E20")
    @DisplayName("what kill -9 cut under a budget counts as the most it can have cost")
    void killedUnderABudget() {
        try (var model = Phase.HEADERS.model(says("All done."));
                var world = World.with(model)) {
            AgentProcess process = world.launch().startRun("--json", "--budget=1", "the task");
            model.awaitRequests(1);
            process.killed();
            JsonNode most = world.records("llm_req").getFirst().at("/d/reserved/usd");

            Ended resumed = world.agent("resume", "--last", "--json", "--budget=1");
            assertEquals(0, resumed.exitCode(), resumed::toString);
            JsonNode earlier = resumed.result().at("/cost/breakdown/0");
            assertEquals("earlier", earlier.path("source").asText(), resumed::toString);
            assertEquals(
                    0,
                    new BigDecimal(most.asText()).compareTo(earlier.path("usd").decimalValue()),
                    resumed::toString);
            assertTrue(
                    resumed.result().at("/warnings").toString().contains("counts as used"),
                    resumed::toString);
        }
    }

    @Test
    @Tag("C18")
    @DisplayName("kill -9 takes the commands along, also without a sandbox")
    void killedWithItsCommands() {
        var stubborn =
                calls(
                        "run_command",
                        "command",
                        "trap '' TERM INT HUP; setsid nohup sleep 300 >/dev/null 2>&1 &"
                                + " (sleep 300 &); env -i sleep 300 & touch started; sleep 300");
        try (var model = ScriptedServer.chat(stubborn);
                var world = World.with(model)) {
            AgentProcess process = world.launch().startRun(WORDS);
            process.awaitFile("started");
            process.killed();
        }
    }

    @Test
    @Tag("C23")
    @DisplayName("what a killed command had printed by then is told; it is not run again")
    void outputSoFar() {
        var slow = calls("run_command", "command", "echo compiling; echo >> count; sleep 300");
        try (var model = ScriptedServer.chat(slow);
                var world = World.with(model)) {
            AgentProcess process = world.launch().startRun(WORDS);
            Await.until(
                    "the output in the journal",
                    () ->
                            !world.journals().isEmpty()
                                    && !JournalFile.records(world.journals().getLast(), "output")
                                            .isEmpty());
            process.killed();

            model.then(says("All done."));
            Ended resumed = world.agent("resume", "--last", "--json", "--yolo", "--sandbox=off");
            assertEquals("All done.", resumed.result("result"), resumed::toString);
            String told = model.lastRequest().toolResults().toString();
            assertTrue(told.contains("may have run") && told.contains("compiling"), told);
            assertEquals("\n", world.read("count"));
        }
    }

    @Test
    @Tag("row-66")
    @Tag("C33")
    @DisplayName("a second process on a session is refused; kill -9 frees the session")
    void twoProcesses() {
        try (var model = Phase.HEADERS.model(says("Now it is mine."));
                var world = World.with(model)) {
            AgentProcess first = world.launch().startRun(WORDS);
            model.awaitRequests(1);
            String id = world.journals().getFirst().getParent().getFileName().toString();
            Ended second = world.run("--json", "--session", id, "me too");
            assertEquals(1, second.exitCode(), second::toString);
            assertTrue(
                    second.errorMessage().contains(Long.toString(first.pid())), second::toString);
            assertEquals(1, model.requests().size());
            first.killed();
            Ended third = world.run("--json", "--session", id, "me too");
            assertEquals("Now it is mine.", third.result("result"), third::toString);
        }
    }

    @Test
    @Tag("C17")
    @Tag("B22")
    @DisplayName("a background command does not outlive the run")
    void backgroundCommand() {
        var start =
                calls(
                        "run_command",
                        "command",
                        "setsid nohup sleep 300 > /dev/null 2>&1 & (sleep 300 &) ; echo started");
        try (var model = ScriptedServer.chat(start, says("Started it."));
                var world = World.with(model)) {
            Ended ended = world.run(WORDS);
            assertEquals(0, ended.exitCode(), ended::toString);
        }
    }
}
