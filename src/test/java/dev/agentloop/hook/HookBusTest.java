package dev.agentloop.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.process.ProcessRunner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HookBusTest {
    private static final HookEvent START = new HookEvent.SessionStarted("go");
    private static final HookEvent END = new HookEvent.SessionEnded("llm_done", "Done.", 2);
    private static final List<HookPoint> AT_START = List.of(HookPoint.SESSION_START);
    private static final List<HookPoint> AT_END = List.of(HookPoint.SESSION_END);

    @TempDir Path root;
    private final Cancellation cancellation = new Cancellation();
    private final List<HookEvent> heard = Collections.synchronizedList(new ArrayList<>());

    @Test
    @Tag("C27")
    @DisplayName("hooks are asked in their order, each about its own moments")
    void hooksAreAskedInTheirOrder() {
        HookBus bus =
                new HookBus()
                        .deciding("first", AT_START, _ -> new HookOutcome.Inject("one"))
                        .deciding("elsewhere", AT_END, _ -> new HookOutcome.Inject("two"))
                        .deciding("last", AT_START, _ -> HookOutcome.goOn());

        assertTrue(bus.hears(HookPoint.SESSION_START));
        assertFalse(bus.hears(HookPoint.PRE_TOOL), "nobody listens there");
        assertEquals(
                List.of(
                        new HookAnswer("first", new HookOutcome.Inject("one"), "", null),
                        new HookAnswer("last", HookOutcome.goOn(), "", null)),
                decisions(bus, START));
        assertEquals(List.of(), bus.observe(START, cancellation), "none of them observes");
    }

    @Test
    @Tag("C28")
    @DisplayName("what a hook throws is an answer, and before a call a denial")
    void whatAHookThrowsIsAnAnswer() {
        HookBus bus =
                new HookBus()
                        .deciding(
                                "broken",
                                List.of(HookPoint.PRE_TOOL, HookPoint.SESSION_START),
                                _ -> {
                                    throw new IllegalStateException("no");
                                });
        HookEvent call =
                new HookEvent.ToolReady(new dev.agentloop.message.ToolCall("c", "edit", "{}"));
        String why = "java.lang.IllegalStateException: no";

        assertEquals(
                List.of(new HookAnswer("broken", HookOutcome.goOn(), why, null)),
                decisions(bus, START));
        assertEquals(
                List.of(
                        new HookAnswer(
                                "broken",
                                new HookOutcome.Deny("the hook broken failed: " + why),
                                why,
                                null)),
                decisions(bus, call));
        assertFalse(cancellation.isCancelled());
    }

    @Test
    void anInterruptDuringAHookIsTheRuns() {
        HookBus bus =
                new HookBus()
                        .deciding(
                                "slow",
                                AT_START,
                                _ -> {
                                    throw new InterruptedException();
                                });

        assertEquals(
                List.of(new HookAnswer("slow", HookOutcome.goOn(), "interrupted", null)),
                decisions(bus, START));
        assertTrue(Thread.interrupted(), "whoever called can see it");
        assertEquals(Optional.of(new Cause.Interrupt("interrupt")), cancellation.cause());
    }

    @Test
    @Tag("S3-5")
    @DisplayName("observers run side by side and are told in their order; a failure is said")
    void observersRunSideBySide() {
        CyclicBarrier both = new CyclicBarrier(2);
        HookBus bus =
                new HookBus()
                        .observing(
                                "a",
                                AT_END,
                                event -> {
                                    both.await();
                                    heard.add(event);
                                })
                        .observing("elsewhere", AT_START, heard::add)
                        .observing(
                                "b",
                                AT_END,
                                _ -> {
                                    both.await();
                                    throw new IllegalStateException("no");
                                });

        assertEquals(
                List.of(
                        new HookAnswer("a", HookOutcome.goOn(), "", null),
                        new HookAnswer(
                                "b",
                                HookOutcome.goOn(),
                                "java.lang.IllegalStateException: no",
                                null)),
                bus.observe(END, cancellation));
        assertEquals(List.of(END), heard);
        assertEquals(List.of(), bus.deciders(END));
    }

    @Test
    void whoWaitsForObserversCanBeInterrupted() {
        HookBus bus = new HookBus().observing("slow", AT_END, _ -> Thread.sleep(60_000));
        Thread.currentThread().interrupt();

        assertEquals(
                List.of(new HookAnswer("slow", HookOutcome.goOn(), "interrupted", null)),
                bus.observe(END, cancellation));
        assertTrue(Thread.interrupted());
    }

    @Test
    void aCommandDecidesWhereSomethingCanBeDecided() {
        ProcessRunner runner = new ProcessRunner(Map.of("PATH", System.getenv("PATH")), List.of());
        HookBus bus =
                new HookBus()
                        .command(command(HookPoint.SESSION_START, "echo branch: main", runner))
                        .command(command(HookPoint.SESSION_END, "echo bye", runner));

        assertEquals(List.of("session_start"), names(bus.deciders(START)));
        assertEquals(List.of(), names(bus.deciders(END)));
        assertEquals(List.of(), bus.observe(START, cancellation));
        HookAnswer told = bus.observe(END, cancellation).getFirst();
        HookReport report = told.reportOr(Duration.ZERO);
        assertEquals(new HookAnswer("session_end", HookOutcome.goOn(), "", report), told);
        assertEquals(new HookReport("session_end", "", 0, report.took(), "bye"), report);
        assertEquals(
                Duration.ofSeconds(25), bus.deciders(START).getFirst().patience(), "5 s to end");
    }

    @Test
    @DisplayName("a tape keeps what hooks answer, and may answer in their place")
    void aTapeAnswersInTheirPlace() {
        HookAnswer recorded = new HookAnswer("h", new HookOutcome.Inject("then"), "", null);
        List<String> asked = new ArrayList<>();
        HookTape tape =
                new HookTape() {
                    @Override
                    public HookAnswer ask(String hook, HookEvent event, Supplier<HookAnswer> real) {
                        asked.add(hook + " " + event.point().wireName());
                        return hook.equals("live") ? real.get() : recorded;
                    }

                    @Override
                    public List<HookAnswer> observe(Supplier<List<HookAnswer>> real) {
                        return List.of(recorded);
                    }
                };
        HookBus bus =
                new HookBus(tape)
                        .deciding("taped", AT_START, _ -> HookOutcome.goOn())
                        .deciding("live", AT_START, _ -> new HookOutcome.Inject("now"))
                        .observing("o", AT_END, heard::add);

        assertEquals(
                List.of(recorded, new HookAnswer("live", new HookOutcome.Inject("now"), "", null)),
                decisions(bus, START));
        assertEquals(List.of("taped session_start", "live session_start"), asked);
        HookBus.Listener taped = bus.deciders(START).getFirst();
        assertEquals(
                List.of("taped", true, false, Duration.ofSeconds(10)),
                List.of(taped.name(), taped.hears(START), taped.hears(END), taped.patience()));
        assertEquals(List.of(recorded), bus.observe(END, cancellation));
        assertEquals(List.of(), heard);
    }

    @Test
    void aHookOfTheProcessIsReportedByHowItEnded() {
        Duration took = Duration.ofMillis(3);
        assertEquals(
                new HookReport("h", "", 0, took, ""),
                new HookAnswer("h", HookOutcome.goOn(), "", null).reportOr(took));
        HookReport broken = new HookReport("h", "", -1, took, "it broke");
        assertEquals(
                broken, new HookAnswer("h", HookOutcome.goOn(), "it broke", null).reportOr(took));
        assertFalse(broken.succeeded());
        assertTrue(new HookReport("h", "", 0, took, "").succeeded());
    }

    private List<HookAnswer> decisions(HookBus bus, HookEvent event) {
        return bus.deciders(event).stream().map(hook -> hook.ask(event, cancellation)).toList();
    }

    private static List<String> names(List<HookBus.Listener> hooks) {
        return hooks.stream().map(HookBus.Listener::name).toList();
    }

    private ShellHook command(HookPoint point, String command, ProcessRunner runner) {
        Duration timeout = Duration.ofSeconds(20);
        return new ShellHook(
                new ShellHook.Spec(point, point.wireName(), command, List.of(), timeout, false),
                new ShellHook.Place(root, "s1"),
                runner);
    }
}
