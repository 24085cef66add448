package dev.agentloop.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.durable.engine.DurableException;
import dev.agentloop.durable.engine.ObjectLogic;
import dev.agentloop.durable.gate.WaitRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerTest {
    private static final int STEPS = 3;
    private static final int MORE_THAN_ALL = 60;

    private final MemoryObjects objects = new MemoryObjects();
    private final Tasks tasks = new Tasks(objects);
    private final PretendedRuns runs = new PretendedRuns(STEPS);

    private static DurableTask task(String id, String usd, String group) {
        return new DurableTask(id, "do it", "/ws", List.of(), usd, group);
    }

    private Worker worker(String name) {
        return new Worker(name, tasks, runs, line -> {});
    }

    private boolean attend(String worker) throws DurableException {
        Optional<Tasks.Claim> claim = tasks.claim(worker, worker + System.nanoTime());
        if (claim.isPresent()) {
            worker(worker).attend(claim.get());
        }
        return claim.isPresent();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("row-73")
    @DisplayName(
            "a worker dies before or after the n-th operation: each effect once, or it is told")
    void diesAnywhere(boolean before) throws DurableException {
        for (int n = 0; n < MORE_THAN_ALL; n++) {
            WorkerTest fresh = new WorkerTest();
            fresh.tasks.submit(task("t", "", ""));
            fresh.objects.killAt(n, before);
            boolean died = false;
            try {
                fresh.attend("first");
            } catch (MemoryObjects.Death e) {
                died = true;
            }
            fresh.objects.killAt(-1, false);
            fresh.objects.passes(ObjectLogic.LEASE_MILLIS);
            fresh.attend("second");

            assertEquals("done", fresh.tasks.view("t").state(), "n = " + n);
            fresh.assertOnceOrTold("n = " + n);
            assertFalse(fresh.attend("third"), "the queue is empty");
            if (!died) {
                return;
            }
        }
        throw new AssertionError("more operations than " + MORE_THAN_ALL);
    }

    private void assertOnceOrTold(String message) {
        for (int step = 0; step < STEPS; step++) {
            String effect = "effect " + step;
            int times = runs.effects.getOrDefault(effect, 0);
            assertTrue(times <= 1, message + ": twice " + effect);
            assertTrue(times == 1 || runs.told.contains(effect), message + ": lost " + effect);
        }
    }

    @Test
    void aWorkerThatWasTakenForDeadCannotStoreAnything() throws DurableException {
        tasks.submit(task("t", "", ""));
        Tasks.Claim slow = tasks.claim("slow", "1").orElseThrow();
        tasks.open(slow, "slow");
        objects.passes(ObjectLogic.LEASE_MILLIS);
        Tasks.Claim next = tasks.claim("next", "2").orElseThrow();
        tasks.open(next, "next");

        SessionPart piece = new SessionPart("f", "line\n", Map.of());
        assertThrows(
                DurableException.Stale.class,
                () -> tasks.store(slow, 0, piece, 0, Optional.empty()));
        assertThrows(DurableException.Stale.class, () -> tasks.beat(slow));
        tasks.store(next, 0, piece, 0, Optional.empty());
        assertEquals(1, tasks.view("t").pieces());
    }

    @Test
    void aWorkerThatIsStoppedHandsOverAndNothingIsLost() throws DurableException {
        tasks.submit(task("t", "", ""));
        Worker stopped = worker("stopped");
        stopped.stop();
        stopped.attend(tasks.claim("stopped", "1").orElseThrow());
        assertEquals("queued", tasks.view("t").state(), "no worker is at it");

        assertTrue(attend("next"), "it is free at once");
        assertEquals("done", tasks.view("t").state());
        assertEquals(List.of(), runs.told);
        assertEquals(STEPS, runs.asked);
    }

    @Test
    @Tag("S2-20")
    @DisplayName("a task that waits has no worker, and goes on when its signal comes")
    void waitsForASignal() throws DurableException {
        runs.waits = true;
        tasks.submit(task("t", "", ""));
        assertTrue(attend("first"));
        assertEquals("waiting", tasks.view("t").state());
        assertEquals("approved", tasks.view("t").waiting().orElseThrow().signal());
        assertFalse(attend("second"), "nobody is needed for it");
        objects.passes(Duration.ofMinutes(2).toMillis());
        assertTrue(attend("second"), "it is looked at now and then");
        assertEquals("waiting", tasks.view("t").state());
        assertEquals(List.of(), runs.told, "no run was started for that");

        tasks.signal("t", "approved", "by Ann");
        assertTrue(attend("third"));
        assertEquals("done", tasks.view("t").state());
        assertTrue(runs.told.getFirst().contains("\"signal\":\"by Ann\""), runs.told::toString);
        assertThrows(DurableException.class, () -> tasks.signal("t", "approved", "late"));
        assertThrows(DurableException.class, () -> tasks.signal("nobody", "approved", ""));
    }

    @Test
    @Tag("S2-20")
    @DisplayName("a wait ends with its time, counted from when it was first asked for")
    void waitsForATime() throws DurableException {
        runs.waits = true;
        tasks.submit(task("t", "", ""));
        assertTrue(attend("first"));
        objects.passes(Duration.ofMinutes(40).toMillis());
        assertTrue(attend("second"));
        long left = tasks.view("t").waiting().orElseThrow().millis();
        assertEquals(Duration.ofMinutes(20).toMillis(), left);
        objects.passes(left);
        assertTrue(attend("third"));
        assertEquals("done", tasks.view("t").state());
        assertFalse(runs.told.getFirst().contains("signal"), runs.told::toString);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("row-73")
    @DisplayName("a worker dies anywhere while its task waits: no signal and no effect is lost")
    void diesAnywhereWhileItWaits(boolean before) throws DurableException {
        for (int n = 0; n < MORE_THAN_ALL; n++) {
            WorkerTest fresh = new WorkerTest();
            fresh.runs.waits = true;
            fresh.tasks.submit(task("t", "", ""));
            fresh.attend("first");
            fresh.objects.killAt(n, before);
            boolean died = false;
            try {
                fresh.tasks.signal("t", "approved", "by Ann");
                fresh.attend("second");
            } catch (MemoryObjects.Death e) {
                died = true;
            }
            fresh.objects.killAt(-1, false);
            if (fresh.runs.told.isEmpty()) {
                fresh.tasks.signal("t", "approved", "by Ann"); // who sent it sends it again
            }
            fresh.objects.passes(Duration.ofMinutes(2).toMillis());
            fresh.attend("third");
            assertEquals("done", fresh.tasks.view("t").state(), "n = " + n);
            fresh.assertOnceOrTold("n = " + n);
            assertTrue(fresh.runs.told.getFirst().contains("by Ann"), fresh.runs.told::toString);
            if (!died) {
                return;
            }
        }
        throw new AssertionError("more operations than " + MORE_THAN_ALL);
    }

    @Test
    @DisplayName("A signal is good for one wait, however often that wait is asked for")
    void oneSignalOneWait() throws DurableException {
        tasks.submit(task("t", "", ""));
        Tasks.Claim claim = tasks.claim("w", "1").orElseThrow();
        tasks.open(claim, "w");
        tasks.signal("t", "approved", "for staging");
        WaitRequest staging =
                new WaitRequest("x/../../y", "approved", 60_000); // an id as a server made it up
        assertTrue(tasks.await(claim, staging).answer().contains("for staging"));
        assertTrue(tasks.await(claim, staging).answer().contains("for staging"), "asked again");
        assertTrue(
                tasks.await(claim, new WaitRequest("c2", "approved", 60_000)).left().isPresent());
    }

    @Test
    @DisplayName("A task whose workers die ends after ten of them, and says so")
    void tenDeaths() throws DurableException {
        tasks.submit(task("t", "", ""));
        for (int i = 0; i < 10; i++) {
            tasks.claim("w", "token " + i).orElseThrow(); // and is not heard of again
            objects.passes(ObjectLogic.LEASE_MILLIS);
        }
        assertTrue(attend("w"));
        Outcome outcome = tasks.view("t").outcome().orElseThrow();
        assertEquals(1, outcome.exitCode());
        assertTrue(outcome.error().contains("died 10 times"), outcome::toString);
    }

    @Test
    @DisplayName("A worker that can start no run gives its task back and ends; the queue stays")
    void sickWorker() throws DurableException {
        tasks.submit(task("t", "", ""));
        Worker sick =
                new Worker(
                        "sick",
                        tasks,
                        (task, pieces, usd) -> {
                            throw new IOException("No space left on device");
                        },
                        line -> {});
        Tasks.Claim claim = tasks.claim("sick", "1").orElseThrow();
        DurableException told = assertThrows(DurableException.class, () -> sick.attend(claim));
        assertTrue(String.valueOf(told.getMessage()).contains("No space left"), told::toString);
        objects.passes(2_000);
        assertTrue(attend("well"));
        assertEquals("done", tasks.view("t").state());
    }

    @Test
    void aTaskThatHadToWaitForOthersHasLostNoneOfItsLives() throws DurableException {
        tasks.submit(task("t", "", ""));
        for (int i = 0; i < 30; i++) {
            tasks.release(tasks.claim("w", "token " + i).orElseThrow(), 0);
        }
        assertEquals(0, tasks.claim("w", "a").orElseThrow().deaths());
        objects.passes(ObjectLogic.LEASE_MILLIS);
        Tasks.Claim afterADeath = tasks.claim("w", "b").orElseThrow();
        assertEquals(1, afterADeath.deaths());
        tasks.releaseDead(afterADeath, 0);
        tasks.releaseDead(afterADeath, 0); // its first answer was lost
        assertEquals(2, tasks.claim("w", "c").orElseThrow().deaths());
    }

    @Test
    void theSameIdTwiceIsOneTaskAndAnotherTaskIsRefused() throws DurableException {
        assertTrue(tasks.submit(task("t", "", "")));
        assertFalse(tasks.submit(task("t", "", "")));
        assertThrows(DurableException.class, () -> tasks.submit(task("t", "9", "")));
        attend("w");
        assertFalse(tasks.submit(task("t", "", "")));
        assertFalse(attend("w"), "a task that is done is not queued again");
    }

    @Test
    void aGroupNeverSetsAsideMoreThanItsBudget() throws DurableException {
        tasks.foundGroup("g", "1");
        DurableTask first = task("a", "0.6", "g");
        DurableTask second = task("b", "0.6", "g");
        DurableTask third = task("c", "0.6", "g");
        assertEquals("0.6", tasks.reserve(first).usd());
        assertEquals("0.6", tasks.reserve(first).usd(), "another attempt has the same share");
        assertEquals("0.4", tasks.reserve(second).usd());
        assertEquals(new Tasks.Grant("0", true), tasks.reserve(third));
        assertEquals(List.of("1", "1.0"), tasks.groupStatus("g"));
        tasks.settle(first, "0.25");
        assertEquals("0.35", tasks.reserve(third).usd());
        tasks.settle(second, "0.4");
        tasks.settle(third, "0.35");
        assertEquals(new Tasks.Grant("0", false), tasks.reserve(task("d", "", "g")));
        assertThrows(DurableException.class, () -> tasks.foundGroup("g", "2"));
    }

    @Test
    void aTaskOfASpentGroupEndsWithCode2() throws DurableException {
        tasks.foundGroup("g", "0.25");
        tasks.submit(task("a", "", "g"));
        tasks.submit(task("b", "", "g"));
        while (attend("w")) {
            objects.passes(ObjectLogic.LEASE_MILLIS);
        }
        assertEquals(0, tasks.view("a").outcome().orElseThrow().exitCode());
        assertEquals(2, tasks.view("b").outcome().orElseThrow().exitCode());
        assertEquals(List.of("0.25", "0.25"), tasks.groupStatus("g"));
    }

    @Test
    void aTaskMayNotBringWhatIsTheWorkersToDecide() {
        assertThrows(DurableException.class, () -> TaskOptions.check(List.of("--yolo")));
        assertThrows(DurableException.class, () -> TaskOptions.check(List.of("--sandbox=off")));
        assertThrows(DurableException.class, () -> TaskOptions.check(List.of("--model", "a/b")));
    }
}
