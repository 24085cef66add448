package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
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
                                : says("told " + doubts(asked));
                reply.play(exchange);
            };

    private static long doubts(Asked asked) {
        return asked.toolResults().stream().filter(text -> text.contains("may have run")).count();
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
    @DisplayName("63, 73: kill -9 of a worker: all tasks end, each effect once or told")
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
                int told = Integer.parseInt(said.replace("told ", ""));
                assertTrue(effects.size() + told >= STEPS, effects + ", " + said);
            }
            Ended stopped = workers.getLast().signal("TERM").ending();
            assertEquals(0, stopped.exitCode(), stopped::toString);
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
