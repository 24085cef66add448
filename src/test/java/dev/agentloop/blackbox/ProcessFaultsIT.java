package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operating systems do to processes: signals, stops, full memory, replaced programs. */
class ProcessFaultsIT {
    private static final String[] WORDS = {"--json", "--yolo", "--sandbox=off", "the task"};

    @Test
    @Tag("C04")
    @DisplayName("a signal while a file is put in its place: old or new, then 130")
    void duringARename() {
        var write = calls("write_file", "file_path", "a.txt", "content", "new\n");
        try (var model = ScriptedServer.chat(write);
                var world = World.with(model).file("a.txt", "old\n")) {
            String calls = "rename,renameat,renameat2";
            List<String> strace =
                    List.of(
                            "strace",
                            "-f",
                            "--seccomp-bpf",
                            "-qq",
                            "-o",
                            "/dev/null",
                            "-e",
                            "trace=" + calls,
                            "-e",
                            "inject=" + calls + ":delay_enter=700000");
            AgentProcess process = world.launch().under(strace).startRun(WORDS);
            Await.until("the staged file", () -> staged(world));
            process.signalChild("INT");
            Ended ended = process.ended();
            assertEquals(130, ended.exitCode(), ended::toString);
            String content = world.read("a.txt");
            boolean changed = content.equals("new\n");
            assertTrue(changed || content.equals("old\n"), content);
            assertFalse(staged(world));
        }
    }

    private static boolean staged(World world) {
        try (Stream<Path> files = Files.list(world.workspace())) {
            return files.anyMatch(file -> file.getFileName().toString().startsWith(".agent-"));
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    @Tag("C08")
    @DisplayName("where the parent ignores SIGINT the run still ends by SIGTERM")
    void ignoredInterrupt() {
        try (var model = Phase.HEADERS.model();
                var world = World.with(model)) {
            AgentProcess process =
                    world.launch()
                            .shell("</dev/null 2>err & wait $! # | bash resets signals before exec")
                            .startRun(WORDS);
            model.awaitRequests(1);
            process.signalChild("INT");
            assertFalse(
                    Await.holdsWithin(Duration.ofMillis(500), () -> process.hasEnded()),
                    () -> process.ending() + world.read("err"));
            process.signalChild("TERM");
            assertEquals(130, process.ended().exitCode());
        }
    }

    @Test
    @Tag("C10")
    @DisplayName("the terminal goes away: the command's tree dies, the session is whole")
    void terminalGone() {
        try (var model = Phase.COMMAND.model(says("Resumed."));
                var world = World.with(model).ordinary()) {
            AgentProcess process =
                    world.launch()
                            .terminal()
                            .startRun("--yolo", "--sandbox=off", "the task")
                            .awaitOut("[n]o:")
                            .type("y\n")
                            .awaitFile("started");
            process.killed(); // the program that made the terminal; what was in it hears SIGHUP
            Await.until("the end on record", () -> !world.records("end").isEmpty());
            assertEquals("HUP", world.records("signal").getLast().at("/d/signal").asText());
            Ended resumed = world.inside("resume", "--last", "--json");
            assertEquals("Resumed.", resumed.result("result"), resumed::toString);
        }
    }

    @Test
    @Tag("C12")
    @DisplayName("stopped and continued, the run goes on as if nothing had been")
    void stopped() {
        var slow = calls("run_command", "command", "touch started; sleep 1; echo slept");
        try (var model = ScriptedServer.chat(slow, says("Done."));
                var world = World.with(model)) {
            AgentProcess process = world.launch().startRun(WORDS).awaitFile("started");
            process.signal("TSTP");
            Await.holdsWithin(Duration.ofSeconds(2), () -> false);
            Ended ended = process.signal("CONT").ended();
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("Done.", ended.result("result"));
            assertTrue(model.lastRequest().lastToolResult().contains("slept"));
        }
    }

    @Test
    @Tag("C35")
    @DisplayName("two runs in one folder: both may, the second is warned; a conflict is refused")
    void twoInOneFolder() {
        var read = calls("read_file", "file_path", "a.txt");
        var edit =
                calls("edit_file", "file_path", "a.txt", "old_string", "one", "new_string", "mine");
        try (var slow = ScriptedServer.chat(read, Faults.silence());
                var quick = ScriptedServer.chat(read, edit, says("Done."));
                var world =
                        World.with(slow)
                                .provider("quick", quick)
                                .env("QUICK_API_KEY", "k")
                                .file("a.txt", "one\n")) {
            AgentProcess first = world.launch().startRun(WORDS);
            slow.awaitRequests(2);
            Ended second =
                    world.launch()
                            .startRun(
                                    "-m",
                                    "quick/model",
                                    "--json",
                                    "--yolo",
                                    "--sandbox=off",
                                    "me too")
                            .ending(); // the server's account is of both runs
            world.newlyServedUsd();
            assertEquals(0, second.exitCode(), second::toString);
            String told = second.result().path("warnings").toString();
            assertTrue(told.contains("another run works in this workspace (process "), told);
            assertEquals("mine\n", world.read("a.txt"));
            first.signal("INT").ended();
        }
    }

    @Test
    @Tag("C36")
    @DisplayName(
            "a journal that finds no room: the run reads on, refuses changes and does not end 0")
    void noRoom() {
        var read = calls("read_file", "file_path", "big.txt");
        var write = calls("write_file", "file_path", "b.txt", "content", "new");
        try (var model = ScriptedServer.chat(read, write, says("Done."));
                var world = World.with(model).ordinary().file("big.txt", "word\n".repeat(1_500))) {
            Ended ended =
                    world.launch()
                            .under(List.of("prlimit", "--fsize=9000")) // of each file it writes
                            .start("run", "--json", "--yolo", "--sandbox=off", "go")
                            .ending();
            assertEquals(1, ended.exitCode(), ended::toString);
            assertEquals("session_error", ended.result("stop_reason"), ended::toString);
            assertFalse(
                    ended.result().path("session").path("durable").asBoolean(true),
                    ended::toString);
            assertFalse(world.exists("b.txt"), "what cannot be recorded must not happen");
            assertTrue(ended.result().path("warnings").toString().contains("was not saved"));
        }
    }

    @Test
    @Tag("C38")
    @DisplayName("a heap that is full ends in exit code 1 or an error, never in a hang")
    void fullHeap() {
        String huge = "x".repeat(60_000_000);
        try (var model = ScriptedServer.chat().thenForEver(exchange -> exchange.reply(says(huge)));
                var world = World.with(model)) {
            Ended ended = world.launch().jvm("-Xmx64m").startRun(WORDS).ending();
            world.newlyServedUsd();
            assertEquals(1, ended.exitCode(), () -> "exit code " + ended.exitCode());
            assertFalse(ended.err().contains("\tat "), ended::toString);
            assertEquals(List.of(), JournalFile.violations(world.journals().getFirst()));
        }
    }

    @Test
    @Tag("C39")
    @DisplayName("arguments that are nested a hundred thousand deep are an error for the model")
    void deepJson() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        try (var model =
                        ScriptedServer.chat(
                                calls(new Reply.Call("read_file", "{\"file_path\":" + deep + "}")),
                                calls("grep", "pattern", "(x+x+)+y".repeat(50), "path", "a.txt"),
                                says("Done."));
                var world = World.with(model).file("a.txt", "x".repeat(20_000) + "\n")) {
            Ended ended = world.run(WORDS);
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("Done.", ended.result("result"));
            assertEquals(2, model.lastRequest().toolResults().size());
        }
    }

    @Test
    @Tag("C46")
    @DisplayName("what a crashed JVM leaves is not in the workspace")
    void crash() throws Exception {
        try (var model = Phase.HEADERS.model();
                var world = World.with(model).ordinary()) {
            AgentProcess process = world.launch().by(Launch.Starter.SCRIPT).startRun(WORDS);
            model.awaitRequests(1);
            process.signal("SEGV");
            Ended ended = process.ending();
            world.newlyServedUsd();
            assertTrue(ended.exitCode() >= 128, ended::toString);
            try (Stream<Path> files = Files.walk(world.workspace())) {
                List<Path> left =
                        files.filter(file ->
                                        file.getFileName().toString().matches("(hs_err|core).*"))
                                .toList();
                assertEquals(List.of(), left);
            }
            Ended shown = world.inside("sessions", "list");
            assertTrue(shown.out().contains("open"), shown::toString);
        }
    }

    @Test
    @Tag("C47")
    @DisplayName("the jar is replaced while a run waits; the run ends in order all the same")
    void replacedJar() throws Exception {
        try (var model = Phase.HEADERS.model();
                var world = World.with(model)) {
            Path jar = world.root().resolve("copy.jar");
            Files.copy(Path.of(System.getProperty("agent.jar", "")), jar);
            AgentProcess process = world.launch().jar(jar).startRun(WORDS);
            model.awaitRequests(1);
            Path other = Files.writeString(world.root().resolve("other.jar"), "another version");
            Files.move(other, jar, StandardCopyOption.ATOMIC_MOVE);
            Ended ended = process.signal("INT").ended();
            assertEquals(130, ended.exitCode(), ended::toString);
            assertEquals("user_interrupt", ended.result("stop_reason"));
            Files.delete(jar);
        }
    }

    @Test
    @Tag("C48")
    @DisplayName("twenty runs at once on one machine all succeed")
    void twenty() {
        try (var model =
                        ScriptedServer.chat(says("Hello."))
                                .thenForEver(exchange -> exchange.reply(says("Hello.")));
                var world = World.with(model)) {
            List<AgentProcess> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                all.add(world.launch().startRun("--json", "task " + i));
            }
            for (AgentProcess one : all) {
                Ended ended = one.ending();
                assertEquals(0, ended.exitCode(), ended::toString);
                assertEquals("Hello.", ended.result("result"), ended::toString);
            }
            world.newlyServedUsd();
            assertEquals(20, world.journals().size());
            for (Path journal : world.journals()) {
                assertEquals(List.of(), JournalFile.violations(journal));
            }
        }
    }
}
