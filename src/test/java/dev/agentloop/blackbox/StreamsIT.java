package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Standard input, output and error in all the states a script can leave them in. */
@Tag("side-by-side")
class StreamsIT {
    @Test
    @Tag("C13")
    @DisplayName("a reader that goes away after one line ends the run with 141, nothing is spent")
    void readerGoesAway() {
        try (var model = ScriptedServer.chat().thenForEver(calls("list_files"));
                var world = World.with(model)) {
            Ended ended =
                    world.launch()
                            .shell("| head -1; exit ${PIPESTATUS[0]}")
                            .run("--output-format=stream-json", "go");
            assertEquals(141, ended.exitCode(), ended::toString);
            assertEquals(1, ended.out().lines().count());
            assertTrue(model.requests().size() <= 3, model::toString);
        }
        try (var model = ScriptedServer.chat(says("Nobody reads this."));
                var world = World.with(model)) {
            Ended text = world.launch().shell("| true; exit ${PIPESTATUS[0]}").run("go");
            assertEquals(141, text.exitCode(), text::toString);
        }
    }

    @Test
    @Tag("C14")
    @DisplayName("an output that cannot be written is exit code 1 and said on stderr")
    void fullDisk() {
        try (var model = ScriptedServer.chat(says("ok"), says("ok"), says("ok"));
                var world = World.with(model)) {
            Ended text = world.launch().shell("> /dev/full").run("go");
            assertEquals(1, text.exitCode(), text::toString);
            assertTrue(text.err().contains("cannot write output"), text::toString);
            Ended json = world.launch().shell("> /dev/full").run("--json", "go");
            assertEquals(1, json.exitCode(), json::toString);
            Ended closed = world.launch().shell(">&-").run("go");
            assertEquals(1, closed.exitCode(), closed::toString);
        }
    }

    @Test
    @Tag("row-86")
    @DisplayName("-v adds what happens inside to stderr, -vv every detail")
    void technicalLog() {
        try (var model = ScriptedServer.chat(says("one"), says("two"), says("three"));
                var world = World.with(model)) {
            String plain = world.run("go").err();
            String inside = world.run("-v", "go").err();
            String detailed = world.run("-vv", "go").err();
            assertTrue(!plain.contains("step.started"), plain);
            assertTrue(inside.contains("INFO  step.started step=1"), inside);
            assertTrue(!inside.contains("text.delta"), inside);
            assertTrue(detailed.contains("DEBUG text.delta"), detailed);
        }
    }

    @Test
    @Tag("C14")
    @DisplayName("closed stdin is an empty one, closed stderr is nobody's loss")
    void closedStreams() {
        try (var model = ScriptedServer.chat(says("one"), says("two"), says("three"));
                var world = World.with(model)) {
            Ended in = world.launch().shell("<&-").run("go");
            assertEquals("one\n", in.out(), in::toString);
            assertEquals(0, in.exitCode());
            Ended err = world.launch().shell("2>&-").run("go");
            assertEquals(0, err.exitCode(), err::toString);
            Ended all = world.launch().shell("<&- >&- 2>&-").run("go");
            assertEquals(1, all.exitCode(), all::toString);
        }
    }

    @Test
    @Tag("C16")
    @DisplayName("an open silent pipe as stdin does not hang a run that has its task")
    void idleInput() {
        try (var model = ScriptedServer.chat(says("ok"));
                var world = World.with(model)) {
            Ended ended = world.launch().idleStdin().run("--json", "the task");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("the task", model.lastRequest().lastTask());
            assertTrue(ended.err().contains("--stdin"), ended::toString);
        }
    }

    @Test
    @DisplayName("piped input is the task, or stands below it in a marked block")
    void pipedInput() {
        try (var model = ScriptedServer.chat(says("1"), says("2"), says("3"));
                var world = World.with(model)) {
            world.launch().stdin("from the pipe ñ\n").run();
            assertEquals("from the pipe ñ", model.request(0).lastTask().strip());
            world.launch().stdin("from the dash\n").run("-");
            assertEquals("from the dash", model.request(1).lastTask().strip());
            world.launch().stdin("line 1\nline 2\n").run("explain", "this");
            assertEquals(
                    "explain this\n\n<stdin>\nline 1\nline 2\n</stdin>",
                    model.request(2).lastTask());
        }
    }

    @Test
    @Tag("B14")
    @DisplayName("20 MB on stdin are refused by their size, exit code 3")
    void longInput() {
        try (var world = World.withoutModel()) {
            Ended ended = world.launch().stdin("x".repeat(20_000_000)).run("--json", "-");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("10 MB"), ended::toString);
        }
    }

    @Test
    @Tag("C41")
    @DisplayName("where no session can be kept a run goes on without one and says so")
    void noHome() {
        try (var model = ScriptedServer.chat(says("ok"));
                var world =
                        World.with(model)
                                .env("XDG_STATE_HOME", "/dev/null/state")
                                .env("HOME", "/dev/null/home")) {
            Ended ended = world.run("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("no session is kept"), ended::toString);
        }
    }
}
