package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of providers that only the real process can show: its memory, its clock, its waits. */
@Tag("side-by-side")
class ProviderFaultsIT {
    @Test
    @Tag("A01")
    @DisplayName("nobody listens: five attempts, exit code 1, address and reason are told")
    void nobodyListens() {
        try (var world = World.withoutModel().llm("max_retries: 4")) {
            Ended ended = world.run("--json", "hello");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertTrue(
                    ended.errorMessage().contains("127.0.0.1:9: connection refused"),
                    ended::toString);
            assertEquals(5, world.records("llm_fail").size());
        }
    }

    @Test
    @Tag("A02")
    @DisplayName("a server that comes up after two refusals: two retries, one request to pay")
    void comesUpLate() {
        try (var model = ScriptedServer.closed(says("Here I am."));
                var world = World.with(model).llm("max_retries: 4")) {
            AgentProcess running = world.launch().startRun("--json", "hello");
            running.awaitErr("retry 2 in");
            model.open();
            Ended ended = running.ended();
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(2, ended.result().path("retries").asInt());
            assertTrue(ended.err().contains("retry 1 in"), ended::err);
            assertEquals(1, model.requests().size());
        }
    }

    @Test
    @Tag("A03")
    @DisplayName("a host that does not resolve: exit code 1 within 5 s, two attempts at most")
    void noSuchHost() {
        try (var world = World.withoutModel().llm("max_retries: 4")) {
            Ended ended = world.run("--json", "--base-url", "http://nowhere.invalid/v1", "hello");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertTrue(
                    ended.errorMessage().contains("cannot resolve nowhere.invalid"),
                    ended::toString);
            assertTrue(world.records("llm_fail").size() <= 2, ended::toString);
            assertTrue(ended.took().compareTo(Duration.ofSeconds(30)) < 0, ended::toString);
        }
    }

    @Test
    @Tag("A38")
    @DisplayName("a process that was stopped goes on with the reply it was reading")
    void stoppedAndContinued() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch awake = new CountDownLatch(1);
        Runnable pause =
                () -> {
                    begun.countDown();
                    Await.latch(awake);
                };
        Script slow = Faults.pausing(says("Slept well."), pause);
        try (var model = ScriptedServer.chat(slow);
                var world = World.with(model).llm("max_retries: 4\nidle_timeout: 1500ms")) {
            AgentProcess running = world.launch().startRun("--json", "hello");
            Await.latch(begun);
            running.signal("STOP");
            Thread.sleep(7_000); // an alarm that is more than 5 s late was a sleep, not a silence
            running.signal("CONT");
            awake.countDown();
            Ended ended = running.ended();
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("Slept well.", ended.result("result"));
            assertEquals(0, ended.result().path("retries").asInt(), ended::toString);
        }
    }

    @Test
    @Tag("A39")
    @DisplayName("an event of 400 MB is refused, once more, and then exit code 1")
    void endlessEvent() {
        try (var model = ScriptedServer.chat(Faults.endlessEvent(), Faults.endlessEvent());
                var world = World.with(model).llm("max_retries: 4")) {
            Ended ended = world.run("--json", "hello"); // G11 looks at its memory
            assertEquals(1, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("larger than"), ended::toString);
            assertTrue(ended.peakKb() > 0, "nobody looked at the memory");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("A17")
    @Tag("A33")
    @Tag("A46")
    @DisplayName("a cut, an error in the stream and a 429 pass; only the end counts")
    void passingFaults(Protocol protocol) {
        Reply write = calls("write_file", "file_path", "x", "content", "y");
        Script later = Faults.status(429, "Retry-After: 2", Faults.error("slow down"));
        try (var model =
                        ScriptedServer.start(
                                protocol,
                                Faults.cutAfter(write),
                                Faults.overloadedAfter(write),
                                later,
                                says("Here I am."));
                var world = World.with(model).llm("max_retries: 4")) {
            Ended ended = world.run("--json", "--yolo", "--sandbox=off", "hello");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("Here I am.", ended.result("result"));
            assertFalse(world.exists("x"), "a call of a reply that broke off was run");
            assertEquals(3, ended.result().path("retries").asInt());
            List<String> why =
                    world.records("llm_fail").stream()
                            .map(fail -> fail.path("d").toString())
                            .toList();
            assertTrue(why.get(1).contains("scripted overload"), why::toString);
            Duration wait = Duration.between(model.request(2).at(), model.request(3).at());
            assertTrue(wait.compareTo(Duration.ofMillis(1_950)) >= 0, wait::toString);
        }
    }
}
