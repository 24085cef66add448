package dev.agentloop.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("S4-6")
@Tag("S4-7")
@DisplayName("ready-made hooks for the beginning of a step")
class StepHooksTest {
    @Test
    void aStepLimitEndsTheRunWhenItIsReached() throws Exception {
        Hook hook = StepHooks.stepLimit(3);

        assertEquals(HookOutcome.goOn(), hook.on(after(2, 0, null)));
        assertEquals(
                new HookOutcome.Terminate("step limit of 3 reached"), hook.on(after(3, 0, null)));
    }

    @Test
    void aPriceLimitEndsTheRunWhenMoreIsSpentOrNobodyKnows() throws Exception {
        Hook hook = StepHooks.priceLimit(new BigDecimal("0.5"));

        assertEquals(HookOutcome.goOn(), hook.on(after(1, 0, "0.50")));
        assertEquals(
                new HookOutcome.Terminate("price limit exceeded: $0.51 of $0.5"),
                hook.on(after(1, 0, "0.51")));
        assertEquals(
                new HookOutcome.Terminate(
                        "the cost is not known, so a price limit cannot hold: give the model's"
                                + " price"),
                hook.on(after(1, 0, null)));
    }

    @Test
    void theHistoryIsMadeShorterWheneverItHasGrown() throws Exception {
        Hook hook = StepHooks.autoCompact(1_000);

        assertEquals(HookOutcome.goOn(), hook.on(after(1, 999, null)));
        assertEquals(new HookOutcome.Compact(), hook.on(after(2, 1_000, null)));
        assertEquals(new HookOutcome.Compact(), hook.on(after(3, 1_000, null)));
    }

    @Test
    void aFullContextIsToldOnce() throws Exception {
        Hook hook = StepHooks.contextWarning(1_000, 0.75);

        assertEquals(HookOutcome.goOn(), hook.on(after(1, 749, null)));
        assertEquals(
                new HookOutcome.Inject("The context is 75 % full (750 of 1000 tokens)."),
                hook.on(after(2, 750, null)));
        assertEquals(HookOutcome.goOn(), hook.on(after(3, 900, null)));
    }

    @Test
    void aReminderIsGivenOnce() throws Exception {
        Hook hook = StepHooks.reminder("Only plan.");

        assertEquals(HookOutcome.goOn(), hook.on(new HookEvent.SessionStarted("go")));
        assertEquals(new HookOutcome.Inject("Only plan."), hook.on(after(0, 0, null)));
        assertEquals(HookOutcome.goOn(), hook.on(after(1, 0, null)));
    }

    private static HookEvent after(int steps, long tokens, @Nullable String usd) {
        BigDecimal spent = usd == null ? null : new BigDecimal(usd);
        return new HookEvent.StepBegins(new HookEvent.Progress(steps, tokens, spent));
    }
}
