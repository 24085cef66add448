package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentloop.testing.GitShell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several runs of the packaged program at once, and how they are stopped. */
class OrchestrationIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double MOST_RATIO = 1.3; // of the whole to its longest task
    private static final long THINKS_MILLIS = 6_000;

    /** A model that takes its time, writes a file and is done. */
    private static final Script SLOW =
            exchange -> {
                boolean first = exchange.asked().toolResults().isEmpty();
                if (first) {
                    pause(THINKS_MILLIS);
                }
                Script reply =
                        first
                                ? calls("write_file", "file_path", "made.txt", "content", "x\n")
                                : says("Done.");
                reply.play(exchange);
            };

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static World repository(ScriptedServer model) throws Exception {
        World world = World.with(model).ordinary().file("a.txt", "a\n");
        String script = "git init -q -b main; git add -A; git commit -q -m first; echo b > a.txt";
        GitShell.run(world.workspace(), script);
        return world;
    }

    /** The user's own git takes so many seconds for a commit. */
    private static void slowCommits(World world, int seconds) throws Exception {
        String git = GitShell.read(world.workspace(), "command -v git").strip();
        Path slow = Files.createDirectories(world.root().resolve("slow")).resolve("git");
        Files.writeString(
                slow,
                "#!/bin/sh\ncase \" $* \" in *\" commit-tree \"*) sleep %d ;; esac\nexec '%s' \"$@\"\n"
                        .formatted(seconds, git));
        Files.setPosixFilePermissions(slow, PosixFilePermissions.fromString("rwxr-xr-x"));
        world.env("PATH", slow.getParent() + ":" + System.getenv("PATH"));
    }

    private static String state(Path work) throws Exception {
        return GitShell.read(
                work,
                "git status --porcelain -b; git rev-parse HEAD; git stash list; git diff;"
                        + " git symbolic-ref HEAD");
    }

    @Test
    @DisplayName("parallel: four tasks that wait for the model take hardly longer than the longest")
    void sideBySide() throws Exception {
        try (var model = ScriptedServer.chat().thenForEver(SLOW).allowingCompaction();
                var world = repository(model)) {
            String before = state(world.workspace());
            Ended ended =
                    world.launch()
                            .start("parallel", "--json", "do one", "do two", "do three", "do four")
                            .ending();

            assertEquals(0, ended.exitCode(), ended::toString);
            JsonNode result = JSON.readTree(ended.out());
            long longest = 0;
            for (JsonNode task : result.path("tasks")) {
                longest = Math.max(longest, task.path("duration_ms").asLong());
                assertEquals(1, task.path("files").asInt(), ended::toString);
            }
            double ratio = (double) result.path("duration_ms").asLong() / longest;
            System.out.printf("parallel: 4 tasks, %.2f of the longest (%d ms)%n", ratio, longest);
            assertTrue(ratio <= MOST_RATIO, () -> "ratio " + ratio + "\n" + ended);
            assertEquals(before, state(world.workspace()));
            assertFalse(world.exists("made.txt"));
            String branches = GitShell.read(world.workspace(), "git branch --list 'agent/*'");
            assertEquals(4, branches.lines().count(), branches);
        }
    }

    @Test
    @DisplayName(
            "parallel: a signal ends all tasks, their work is on their branches, exit code 130")
    void interrupted() throws Exception {
        Script stuck =
                exchange -> {
                    boolean first = exchange.asked().toolResults().isEmpty();
                    if (first) {
                        calls("write_file", "file_path", "made.txt", "content", "x\n")
                                .play(exchange);
                    } else {
                        pause(60_000);
                    }
                };
        try (var model = ScriptedServer.chat().thenForEver(stuck).allowingCompaction();
                var world = repository(model)) {
            AgentProcess process = world.launch().start("parallel", "--json", "do one", "do two");
            model.awaitRequests(4);
            long begun = System.nanoTime();
            Ended ended = process.signal("TERM").ending();

            assertEquals(130, ended.exitCode(), ended::toString);
            assertTrue(Duration.ofNanos(System.nanoTime() - begun).toSeconds() < 30);
            JsonNode tasks = JSON.readTree(ended.out()).path("tasks");
            for (JsonNode task : tasks) {
                assertEquals("user_interrupt", task.path("stop_reason").asText(), ended::toString);
                assertEquals(1, task.path("files").asInt());
            }
        }
    }

    @Test
    @Tag("row-85")
    @DisplayName("loop --timeout cuts what hangs, and nobody is said to have done it")
    void loopTimeout() throws Exception {
        try (var model = ScriptedServer.chat().thenForEver(Exchange::stall);
                var world = repository(model)) {
            String[] words = {"loop", "--json", "--check", "true", "--timeout", "5", "do it"};
            Ended ended = world.launch().start(words).ending();
            assertEquals(5, ended.exitCode(), ended::toString);
            assertEquals("timeout", ended.result("stop_reason"), ended::toString);
            JsonNode run = ended.result().path("iterations").path(0);
            assertEquals("timeout", run.path("stop_reason").asText(), ended::toString);
            assertFalse(ended.out().contains("Interrupted"), ended::toString);
        }
    }

    @Test
    @Tag("row-85")
    @DisplayName("a signal ends loop --timeout at once, with 130 and without another run")
    void loopInterrupted() throws Exception {
        try (var model = ScriptedServer.chat().thenForEver(Exchange::stall);
                var world = repository(model)) {
            String[] words = {"loop", "--json", "--check", "true", "--timeout", "9m", "do it"};
            AgentProcess process = world.launch().start(words);
            model.awaitRequests(1);
            Ended ended = process.signal("INT").ending();
            assertEquals(130, ended.exitCode(), ended::toString);
            assertEquals(1, ended.result().path("iterations").size(), ended::toString);
            assertEquals(1, model.requests().size());
        }
    }

    @Test
    @DisplayName("eval: a signal ends it with a page of the runs that had ended, exit code 130")
    void evalInterrupted() throws Exception {
        String suite =
                "runs: 3\ntasks: [{name: make, prompt: Make it., checks: ['test -f made.txt']}]\n";
        try (var model =
                        ScriptedServer.chat(
                                        calls(
                                                "write_file",
                                                "file_path",
                                                "made.txt",
                                                "content",
                                                "x"),
                                        says("Made."))
                                .thenForEver(Exchange::stall);
                var world = repository(model).file("suite.yaml", suite)) {
            String[] words = {"eval", "--report-file=out.html", "suite.yaml"};
            AgentProcess process = world.launch().start(words);
            model.awaitRequests(3);
            Ended ended = process.signal("INT").ending();

            assertEquals(130, ended.exitCode(), ended::toString);
            String page = Files.readString(world.workspace().resolve("out.html"));
            assertTrue(page.contains("<dd>interrupted (exit code 130)</dd>"), page);
            assertTrue(page.contains("<td>1/1</td>"), page);
            assertTrue(page.contains("<code>made.txt</code> +1 −0"), page);
            assertEquals(3, page.split("#\\d <span class=\"bad\">not tried", -1).length, page);
        }
    }

    @Test
    @DisplayName("parallel: after a signal much work is committed however long that takes")
    void interruptedWithMuchWork() throws Exception {
        Script stuck =
                exchange -> {
                    if (exchange.asked().toolResults().isEmpty()) {
                        calls("write_file", "file_path", "made.txt", "content", "x\n")
                                .play(exchange);
                    } else {
                        pause(60_000);
                    }
                };
        try (var model = ScriptedServer.chat().thenForEver(stuck).allowingCompaction();
                var world = repository(model)) {
            slowCommits(world, 7);
            AgentProcess process = world.launch().start("parallel", "--json", "do one");
            model.awaitRequests(2);
            Ended ended = process.signal("INT").ending();

            assertEquals(130, ended.exitCode(), ended::toString);
            JsonNode task = JSON.readTree(ended.out()).path("tasks").get(0);
            assertEquals("agent/do-one", task.path("branch").asText(), ended::toString);
            assertEquals("x\n", GitShell.read(world.workspace(), "git show agent/do-one:made.txt"));
        }
    }

    @Test
    @DisplayName("parallel: a late signal of another kind ends it at once, and says where work is")
    void impatient() throws Exception {
        try (var model =
                        ScriptedServer.chat()
                                .thenForEver(exchange -> pause(60_000))
                                .allowingCompaction();
                var world = repository(model)) {
            slowCommits(world, 60);
            AgentProcess process = world.launch().start("parallel", "do one", "do two");
            model.awaitRequests(2);
            for (Path tree :
                    GitShell.read(world.workspace(), "git worktree list --porcelain")
                            .lines()
                            .filter(line -> line.startsWith("worktree ") && line.contains("/do-"))
                            .map(line -> Path.of(line.substring("worktree ".length())))
                            .toList()) {
                Files.writeString(tree.resolve("made.txt"), "x\n");
            }
            process.signal("INT");
            pause(1_500);
            long begun = System.nanoTime();
            Ended ended = process.signal("TERM").ending();

            assertEquals(130, ended.exitCode(), ended::toString);
            assertTrue(Duration.ofNanos(System.nanoTime() - begun).toSeconds() < 10);
            assertTrue(ended.err().contains("What the tasks did is in "), ended::toString);
        }
    }

    @Test
    @DisplayName("parallel: kill -9 of the program ends its runs")
    void killed() throws Exception {
        try (var model =
                        ScriptedServer.chat()
                                .thenForEver(exchange -> pause(60_000))
                                .allowingCompaction();
                var world = repository(model)) {
            AgentProcess process = world.launch().start("parallel", "--json", "do one", "do two");
            model.awaitRequests(2);
            String place = world.root().toString();
            assertTrue(runsIn(place) > 0);
            process.signal("KILL").ending();

            long end = System.nanoTime() + Duration.ofSeconds(15).toNanos();
            while (runsIn(place) > 0 && System.nanoTime() < end) {
                pause(100);
            }
            assertEquals(0, runsIn(place));
        }
    }

    /** Processes of this program that work in a folder below. */
    private static long runsIn(String place) {
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    String words = process.info().commandLine().orElse("");
                    return words.contains(" run --json") && words.contains("--workspace=" + place);
                })
                .count();
    }

    @Test
    @DisplayName("a signal ends a sub-agent first, and then the run")
    void subagentInterrupted() {
        try (var model =
                        ScriptedServer.chat(
                                calls("dispatch_subagent", "agent", "explore", "task", "Look."),
                                exchange -> pause(60_000));
                var world = World.with(model)) {
            AgentProcess process = world.launch().start("run", "--output-format=stream-json", "go");
            model.awaitRequests(2);
            Ended ended = process.signal("INT").ending();

            assertEquals(130, ended.exitCode(), ended::toString);
            JsonNode end = ended.events("subagent.finished").getFirst();
            assertEquals("user_interrupt", end.path("stop_reason").asText(), ended::toString);
        }
    }
}
