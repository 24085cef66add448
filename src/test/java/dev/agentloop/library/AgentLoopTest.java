package dev.agentloop.library;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.counting;
import static dev.agentloop.testing.ScriptedLlm.ends;
import static dev.agentloop.testing.ScriptedLlm.fails;
import static dev.agentloop.testing.ScriptedLlm.says;
import static dev.agentloop.testing.ScriptedLlm.stalls;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.cost.Price;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmException;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.ModelRetry;
import dev.agentloop.tool.Tool;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Tags;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AgentLoopTest {
    enum Unit {
        CELSIUS,
        FAHRENHEIT
    }

    record Place(@Doc("Name of the city") String city, Optional<Unit> unit) {}

    static final Tool<?> WEATHER =
            TypedTool.of(
                    "get_weather",
                    "Tells the weather of a city.",
                    Place.class,
                    (place, _) -> {
                        if (place.city().length() == 2) {
                            throw new ModelRetry("Write the whole name, not " + place.city());
                        }
                        return "21 degrees " + place.unit().orElse(Unit.CELSIUS);
                    });

    static AgentLoopBuilder agent(ScriptedLlm llm) {
        return AgentLoop.builder(llm, Contexts.compacting(100_000)).systemPrompt("You are a test.");
    }

    static List<ToolResult> results(List<Message> history) {
        return history.stream()
                .filter(Message.Tool.class::isInstance)
                .map(it -> ((Message.Tool) it).result())
                .toList();
    }

    @Test
    @Tags({@Tag("S2-1"), @Tag("S2-5"), @Tag("scenario-1")})
    void aModelAContextAndAToolMakeALoop() {
        var llm =
                ScriptedLlm.of(
                        calls("get_weather", "{\"city\":\"Paris\",\"unit\":\"fahrenheit\"}"),
                        says("No coat."));
        try (AgentLoop agent = agent(llm).tool(WEATHER).build()) {
            AgentResult result = agent.runText("Do I need a coat in Paris?");

            assertEquals("No coat.", result.text());
            assertEquals(2, result.turns());
            assertEquals(220, result.usage().total());
            assertTrue(result.isDone());
            assertEquals(5, result.messages().size());
            assertEquals(
                    List.of(ToolResult.ok("21 degrees FAHRENHEIT")), results(result.messages()));
            assertEquals(result.messages(), agent.messages());
        }
    }

    @Test
    @Tag("S2-2")
    void modelAndContextAreEnough() {
        var llm = ScriptedLlm.of(says("Hello."));

        assertEquals(LoopConfig.DEFAULT, new LoopConfig("", null, false));
        assertThrows( // the scripted model is strict: without instructions there is no first word
                AssertionError.class,
                () -> AgentLoop.builder(llm, Contexts.slidingWindow(20, 0)).build().runText("Hi"));
        try (AgentLoop agent =
                AgentLoop.of(
                        ScriptedLlm.of(says("Hello.")),
                        List.of(WEATHER),
                        Contexts.slidingWindow(20, 100_000),
                        new LoopConfig("Be brief.", 3, true))) {
            assertEquals("Hello.", agent.runText("Hi").text());
            assertEquals(List.of("get_weather"), agent.tools().names());
        }
    }

    @Test
    void whatWasSaidBeforeIsKnownToTheNextRun() {
        var llm = ScriptedLlm.of(says("Hello Ann."), says("Ann."));
        try (AgentLoop agent = agent(llm).build()) {
            agent.runText("I am Ann.");
            AgentResult second = agent.runText("Who am I?");

            assertEquals(5, second.messages().size());
            assertEquals(110, second.usage().total());
            assertEquals(4, llm.messagesOf(1).size());
        }
    }

    @Test
    @Tags({@Tag("S2-16"), @Tag("scenario-28")})
    void aModelRetryIsAResultWithItsHint() {
        var llm =
                ScriptedLlm.of(
                        calls("get_weather", "{\"city\":\"FR\"}"),
                        calls("get_weather", "{\"city\":\"France\"}"),
                        says("Warm."));
        try (AgentLoop agent = agent(llm).tool(WEATHER).build()) {
            List<ToolResult> results = results(agent.runText("Weather?").messages());

            assertEquals(
                    ToolResult.of(ToolResult.Kind.RETRY_HINT, "Write the whole name, not FR"),
                    results.getFirst());
            assertTrue(results.getFirst().isError());
            assertEquals(ToolResult.ok("21 degrees CELSIUS"), results.getLast());
        }
    }

    @Test
    @Tag("C14")
    void aToolThatThrowsAnswersWithAnError() {
        Tool<?> broken =
                TypedTool.of(
                        "broken",
                        "Breaks.",
                        Place.class,
                        (_, _) -> {
                            throw new InterruptedException("out of order");
                        });
        var llm = ScriptedLlm.of(calls("broken", "{\"city\":\"Bonn\"}"), says("Pity."));
        try (AgentLoop agent = agent(llm).tool(broken).build()) {
            String told = results(agent.runText("Go").messages()).getFirst().text();

            assertTrue(told.contains("broken failed: ") && told.contains("out of order"), told);
        }
    }

    @Test
    @Tag("S2-21")
    void afterItsTurnsARunEndsWithMaxTurns() {
        var llm =
                ScriptedLlm.of(
                        calls("get_weather", "{\"city\":\"Rome\"}"), says("I know of Rome."));
        try (AgentLoop agent = agent(llm).tool(WEATHER).maxTurns(1).build()) {
            var e = assertThrows(LoopException.MaxTurns.class, () -> agent.runText("Go"));

            assertEquals(1, e.limit());
            assertEquals("I know of Rome.", e.result().text());
            assertEquals(StopReason.MAX_STEPS, e.result().stopReason());
            assertFalse(llm.requests().getLast().mayCallTools());
        }
    }

    @Test
    @Tags({@Tag("S2-21"), @Tag("scenario-6")})
    void whatTheProviderSaysIsTheCause() {
        var failure = new LlmException.Unauthorized("no such key");
        var llm = ScriptedLlm.of(fails(failure), says("Here I am."));
        try (AgentLoop agent = agent(llm).build()) {
            var e = assertThrows(LoopException.Provider.class, () -> agent.runText("Go"));

            assertSame(failure, e.failure());
            assertEquals("auth_error", e.code());
            assertEquals("Here I am.", agent.runText("Again").text());
        }
    }

    @Test
    @Tag("S2-21")
    void aConversationThatFillsTheWindowEndsWithContext() {
        var llm = ScriptedLlm.of(says("never asked"));
        try (AgentLoop agent =
                AgentLoop.builder(llm, Contexts.compacting(50)).systemPrompt("Be.").build()) {
            assertThrows(LoopException.Context.class, () -> agent.runText("word ".repeat(400)));
        }
    }

    @Test
    @Tags({@Tag("S2-18"), @Tag("S2-21"), @Tag("scenario-69")})
    void aHookThatTerminatesIsNamed() {
        var llm = ScriptedLlm.of(counting(says("long"), 10, 5000));
        try (AgentLoop agent =
                agent(llm)
                        .hook(
                                "tokens",
                                Set.of(HookPoint.POST_LLM),
                                event ->
                                        event instanceof HookEvent.Replied reply
                                                        && reply.usage().output() > 1000
                                                ? new HookOutcome.Terminate("token budget exceeded")
                                                : HookOutcome.goOn())
                        .build()) {
            var e = assertThrows(LoopException.HookTerminated.class, () -> agent.runText("Go"));

            assertEquals("tokens", e.hook());
            assertEquals("token budget exceeded", e.reason());
        }
    }

    @Test
    @Tags({@Tag("scenario-29"), @Tag("scenario-70")})
    void aHookThatSkipsACallAnswersIt() {
        var llm = ScriptedLlm.of(calls("get_weather", "{\"city\":\"Rome\"}"), says("Fine."));
        try (AgentLoop agent =
                agent(llm)
                        .tool(WEATHER)
                        .hook(
                                "offline",
                                Set.of(HookPoint.PRE_TOOL),
                                _ -> new HookOutcome.Skip("no network"))
                        .build()) {
            ToolResult result = results(agent.runText("Go").messages()).getFirst();

            assertTrue(result.isError());
            assertTrue(result.text().contains("no network"), result.text());
            assertEquals(1, agent.stats().toolCallsRejected());
        }
    }

    @Test
    @Tags({@Tag("C14"), @Tag("C37")})
    void aRuleThatDeniesHolds() {
        var llm = ScriptedLlm.of(calls("get_weather", "{\"city\":\"Rome\"}"), says("Fine."));
        try (AgentLoop agent = agent(llm).tool(WEATHER).deny("get_weather").build()) {
            assertEquals(
                    ToolResult.Kind.DENIED,
                    results(agent.runText("Go").messages()).getFirst().kind());
        }
        assertThrows(IllegalArgumentException.class, () -> agent(llm).deny("((("));
    }

    @Test
    @Tag("S4-6")
    void middlewareEndsARunTellsTheModelSomethingMakesRoom() {
        Price price =
                new Price(
                        BigDecimal.TEN,
                        BigDecimal.TEN,
                        BigDecimal.TEN,
                        BigDecimal.TEN,
                        BigDecimal.TEN);
        var llm = ScriptedLlm.always(calls("get_weather", "{\"city\":\"Rome\"}"));
        try (AgentLoop agent =
                agent(llm)
                        .tool(WEATHER)
                        .price(price)
                        .maxPrice(new BigDecimal("0.002"))
                        .reminder("Only plan.")
                        .build()) {
            var e = assertThrows(LoopException.HookTerminated.class, () -> agent.runText("Go"));

            assertEquals("price limit", e.hook());
            assertEquals(2, e.result().turns());
            assertEquals(0, new BigDecimal("0.0022").compareTo(agent.stats().sessionCost()));
            assertTrue(
                    llm.messagesOf(0).getLast() instanceof Message.User said
                            && said.text().contains("Only plan."));
        }
    }

    @Test
    @Tag("S4-6")
    void aPriceLimitWithoutAPriceEndsTheRunInsteadOfLimitingNothing() {
        var llm = ScriptedLlm.always(calls("get_weather", "{\"city\":\"Rome\"}"));
        try (AgentLoop agent =
                agent(llm).tool(WEATHER).price(null).maxPrice(BigDecimal.ONE).build()) {
            var e = assertThrows(LoopException.HookTerminated.class, () -> agent.runText("Go"));
            assertEquals("price limit", e.hook());
            assertTrue(e.result().turns() <= 1, e::toString);
        }
    }

    @Test
    @Tags({@Tag("S2-12"), @Tag("C4")})
    void aCancelledRunEndsWithinASecond() throws Exception {
        var sleeping = new CountDownLatch(1);
        Tool<?> sleep =
                TypedTool.of(
                        "sleep",
                        "Sleeps.",
                        Place.class,
                        (_, _) -> {
                            sleeping.countDown();
                            Thread.sleep(60_000);
                            return "awake";
                        });
        var llm = ScriptedLlm.of(calls("sleep", "{\"city\":\"Bonn\"}"), says("Good morning."));
        var stop = new Cancellation();
        try (AgentLoop agent = agent(llm).tool(sleep).build()) {
            Thread.ofPlatform()
                    .start(() -> {
                        await(sleeping);
                        stop.cancel(new Cause.Interrupt("test"));
                    });
            long start = System.nanoTime();
            assertThrows(
                    LoopException.Cancelled.class, () -> agent.run(new Message.User("Go"), stop));

            assertTrue(Duration.ofNanos(System.nanoTime() - start).toMillis() < 1500);
            assertEquals(1, results(agent.messages()).size());
            assertEquals("Good morning.", agent.runText("And now?").text());
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Tag("C4")
    void cancelStopsAModelThatSaysNothing() {
        try (AgentLoop agent = agent(ScriptedLlm.of(stalls())).build()) {
            Thread.ofPlatform()
                    .start(() -> {
                        while (agent.stats().steps() == 0 && agent.messages().size() < 3) {
                            agent.cancel();
                            Thread.onSpinWait();
                        }
                    });
            assertThrows(LoopException.Cancelled.class, () -> agent.runText("Go"));
        }
    }

    @Test
    @Tag("C11")
    void aRefusalIsNoAnswer() {
        var llm = ScriptedLlm.of(ends(FinishReason.REFUSAL, "I will not."));
        try (AgentLoop agent = agent(llm).build()) {
            var e = assertThrows(LoopException.Unfinished.class, () -> agent.runText("Go"));

            assertEquals(StopReason.REFUSED, e.result().stopReason());
            assertEquals("I will not.", e.result().text());
        }
    }

    @Test
    void aSecondRunIsRefused() {
        List<String> refused = new ArrayList<>();
        var agents = new ArrayList<AgentLoop>();
        Tool<?> inner =
                TypedTool.of(
                        "inner",
                        "Runs the agent within itself.",
                        Place.class,
                        (_, _) -> {
                            refused.add(
                                    assertThrows(
                                                    IllegalStateException.class,
                                                    () -> agents.getFirst().runText("Inner"))
                                            .getMessage());
                            return "refused";
                        });
        var llm = ScriptedLlm.of(calls("inner", "{\"city\":\"x\"}"), says("Done."));
        try (AgentLoop agent = agent(llm).tool(inner).build()) {
            agents.add(agent);

            assertEquals("Done.", agent.runText("Outer").text());
            assertTrue(refused.getFirst().contains("under way"), refused::toString);
            assertInstanceOf(Message.System.class, agent.messages().getFirst());
        }
    }
}
