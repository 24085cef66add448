package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Submitted tasks, real workers, and workers that are killed. */
class DurableIT {
    private static final int TASKS = 6;
    private static final int STEPS = 2;

    /** Appends a line with the step's number to the task's file; told of doubts it says so. */
    private static final Script MODEL =
            exchange -> {
                Asked asked = exchange.asked();
                String task = asked.raw().replaceAll("(?s)^.*?TASK=(\\d+).*$", "$1");
                int step = asked.toolResults().size();
                Script reply =
                        step < STEPS
                                ? calls(
                                        "run_command",
                                        "command",
                                        "sleep 0.2; echo " + step + " >> effects-" + task)
                                : says("told " + doubts(asked) + "\n" + asked.toolResults());
                reply.play(exchange);
            };

    private static long doubts(Asked asked) {
        return asked.toolResults().stream().filter(DurableIT::isDoubt).count();
    }

    /** Killed between the model's reply and its call, a worker has not run the call. */
    private static boolean isDoubt(String result) {
        return result.contains("may have run")
                || result.contains("killed by signal")
                || result.contains("Not run: the session was interrupted");
    }

    private static AgentProcess worker(World world, String name) {
        String root = world.workspace().toString();
        return world.launch()
                .start("worker", "--root", root, "--name", name, "--yolo", "--sandbox=off")
                .awaitErr("is ready");
    }

    private static String result(World world, int task) {
        Ended ended = world.launch().start("result", "task-" + task, "--wait").ending();
        assertEquals(0, ended.exitCode(), ended::toString);
        return ended.out().strip();
    }

    @Test
    @Tag("row-63")
    @Tag("row-73")
    @DisplayName("kill -9 of a worker: all tasks end, each effect once or told")
    void killedWorker() {
        try (var model = ScriptedServer.chat().thenForEver(MODEL).allowingCompaction();
                var world = World.with(model).ordinary()) {
            for (int task = 0; task < TASKS; task++) {
                String words = "TASK=" + task;
                Ended submitted =
                        world.launch().start("submit", "--id", "task-" + task, words).ending();
                assertEquals("task-" + task + "\n", submitted.out(), submitted::toString);
            }
            List<AgentProcess> workers = new ArrayList<>();
            workers.add(worker(world, "first"));
            workers.add(worker(world, "second"));
            model.awaitRequests(3);
            workers.getFirst().signal("KILL").ending();

            for (int task = 0; task < TASKS; task++) {
                String said = result(world, task);
                List<String> effects = world.read("effects-" + task).lines().toList();
                assertEquals(effects.stream().distinct().toList(), effects, "an effect twice");
                int told = Integer.parseInt(said.lines().findFirst().get().substring(5));
                assertTrue(effects.size() + told >= STEPS, effects + ", " + said);
            }
            Ended stopped = workers.getLast().signal("TERM").ending();
            assertEquals(0, stopped.exitCode(), stopped::toString);
        }
    }

    @Test
    @Tag("S2-20")
    @DisplayName("a task waits for a signal without a process, also when its worker is killed")
    void waits() {
        Script script =
                exchange -> {
                    boolean told = !exchange.asked().toolResults().isEmpty();
                    Reply reply =
                            told
                                    ? says(exchange.asked().lastToolResult())
                                    : calls("wait", "seconds", 3_000, "signal", "approved");
                    reply.play(exchange);
                };
        try (var model = ScriptedServer.chat().thenForEver(script);
                var world = World.with(model).ordinary()) {
            world.launch().start("submit", "--id", "w", "TASK=0").ending();
            AgentProcess first = worker(world, "first").awaitErr("waits for the signal approved");
            Ended status = world.launch().start("status", "w").ending();
            assertTrue(
                    status.out().startsWith("w: waiting for the signal approved, "),
                    status::toString);
            first.signal("KILL").ending();

            Ended signal = world.launch().start("signal", "w", "approved", "by Ann").ending();
            assertEquals(0, signal.exitCode(), signal::toString);
            AgentProcess second = worker(world, "second");
            Ended result = world.launch().start("result", "w", "--wait").ending();
            assertEquals(
                    "The signal approved is there. It says:\nby Ann\n",
                    result.out(),
                    result::toString);
            assertEquals(2, model.requests().size());
            assertEquals(0, second.signal("TERM").ending().exitCode());
            Ended late = world.launch().start("signal", "w", "approved").ending();
            assertEquals(1, late.exitCode(), late::toString);
            assertTrue(late.err().contains("is done"), late::toString);
        }
    }

    @Test
    @Tag("row-73")
    @DisplayName(
            "a command that runs when its worker is killed may have run; it was not out of memory")
    void killedWithItsCommand() {
        Script script =
                exchange -> {
                    boolean told = !exchange.asked().toolResults().isEmpty();
                    String command = "echo begun > begun; sleep 60; echo done > done";
                    Reply reply =
                            told
                                    ? says(exchange.asked().lastToolResult())
                                    : calls("run_command", "command", command);
                    reply.play(exchange);
                };
        try (var model = ScriptedServer.chat().thenForEver(script);
                var world = World.with(model).ordinary()) {
            world.launch().start("submit", "--id", "c", "TASK=0").ending();
            AgentProcess first = worker(world, "first");
            Await.until("the command runs", () -> world.exists("begun"));
            first.signal("KILL").ending();

            AgentProcess second = worker(world, "second");
            Ended result = world.launch().start("result", "c", "--wait").ending();
            assertTrue(result.out().contains("may have run"), result::toString);
            assertFalse(result.out().contains("killed by signal"), result::toString);
            assertFalse(world.exists("done"));
            assertEquals(0, second.signal("TERM").ending().exitCode());
        }
    }

    private static void submitShares(World world) {
        for (int task = 0; task < TASKS; task++) {
            world.file("ws-" + task + "/a.txt", "a\n");
            String folder = world.workspace().resolve("ws-" + task).toString();
            List<String> words = new ArrayList<>(List.of("submit", "--id", "task-" + task));
            words.addAll(List.of("-C", folder, "--budget-group", "g", "--budget", "1.2"));
            words.addAll(List.of("--share", "0.6", "TASK=" + task));
            Ended submitted = world.launch().start(words.toArray(String[]::new)).ending();
            assertEquals(0, submitted.exitCode(), submitted::toString);
        }
    }

    @Test
    @DisplayName("Three workers stay within the budget that their tasks share; the rest end with 2")
    void sharedBudget() {
        Script costly =
                exchange -> {
                    int step = exchange.asked().toolResults().size();
                    Reply cheap = calls("list_files", "path", ".");
                    Reply reply = step < STEPS ? cheap : says("Done.");
                    int output = Math.min(4_000, exchange.asked().mostOutput());
                    new Reply(reply.text(), reply.calls(), reply.finish(), 4_000, output)
                            .play(exchange); // 0.16 USD
                };
        try (var model = ScriptedServer.chat().thenForEver(costly).allowingCompaction();
                var world = World.with(model).ordinary()) {
            submitShares(world);
            List<AgentProcess> workers = new ArrayList<>();
            for (String name : List.of("first", "second", "third")) {
                workers.add(worker(world, name));
            }
            List<Integer> codes = new ArrayList<>();
            for (int task = 0; task < TASKS; task++) {
                String[] words = {"result", "task-" + task, "--wait"};
                codes.add(world.launch().start(words).ending().exitCode());
            }
            assertTrue(codes.contains(0) && codes.contains(2), codes::toString);
            assertTrue(world.newlyServedUsd().doubleValue() <= 1.2, codes::toString);
            Ended status = world.launch().start("status", "--budget-group", "g").ending();
            double held = Double.parseDouble(status.out().replaceAll("g: ([0-9.]+) of.*\\s", "$1"));
            assertTrue(held <= 1.2, status::toString);
            workers.forEach(worker -> worker.signal("TERM").ending());
        }
    }

    @Test
    @DisplayName(
            "A task outside of the worker's roots is refused with code 3, and nothing is asked")
    void outside() {
        try (var model = ScriptedServer.chat();
                var world = World.with(model).ordinary().file("inside/a.txt", "a\n")) {
            world.launch().start("submit", "--id", "out", "TASK=0").ending();
            String inside = world.workspace().resolve("inside").toString();
            AgentProcess worker =
                    world.launch().start("worker", "--root", inside).awaitErr("exit code 3");
            Ended result = world.launch().start("result", "out").ending();
            assertEquals(3, result.exitCode(), result::toString);
            assertTrue(result.err().contains("--root"), result::toString);
            assertEquals(0, worker.signal("TERM").ending().exitCode());
            assertEquals(List.of(), model.requests());
        }
    }
}
