package dev.agentloop.hook;

import dev.agentloop.hook.HookEvent.Progress;
import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Ready-made hooks for {@link HookPoint#ITERATION}: limits, warnings and reminders of whoever
 * builds a run of their own. Those that act once remember it, so each belongs to one run.
 */
public final class StepHooks {
    private StepHooks() {}

    /** Ends the run after so many steps. */
    public static Hook stepLimit(int steps) {
        return before(now ->
                now.steps() < steps
                        ? HookOutcome.goOn()
                        : new HookOutcome.Terminate("step limit of " + steps + " reached"));
    }

    /** Ends the run when more than that is spent, or when nobody knows what is. */
    public static Hook priceLimit(BigDecimal usd) {
        return before(now -> {
            BigDecimal spent = now.usd();
            if (spent == null) {
                return new HookOutcome.Terminate(
                        "the cost is not known, so a price limit cannot hold: give the model's"
                                + " price");
            }
            return spent.compareTo(usd) <= 0
                    ? HookOutcome.goOn()
                    : new HookOutcome.Terminate(
                            "price limit exceeded: $"
                                    + spent.toPlainString()
                                    + " of $"
                                    + usd.toPlainString());
        });
    }

    /** Makes the history shorter whenever it has grown to so many tokens. */
    public static Hook autoCompact(long tokens) {
        return before(now ->
                now.contextTokens() < tokens ? HookOutcome.goOn() : new HookOutcome.Compact());
    }

    /** Tells the model once that its context is filling up, from {@code share} of it on. */
    public static Hook contextWarning(long maxTokens, double share) {
        AtomicBoolean told = new AtomicBoolean();
        return before(now -> {
            if (now.contextTokens() < maxTokens * share || told.getAndSet(true)) {
                return HookOutcome.goOn();
            }
            long percent = 100 * now.contextTokens() / maxTokens;
            return new HookOutcome.Inject(
                    "The context is "
                            + percent
                            + " % full ("
                            + now.contextTokens()
                            + " of "
                            + maxTokens
                            + " tokens).");
        });
    }

    /** Tells the model something once before its first step, e.g. that it is only to plan. */
    public static Hook reminder(String text) {
        AtomicBoolean told = new AtomicBoolean();
        return before(
                _ -> told.getAndSet(true) ? HookOutcome.goOn() : new HookOutcome.Inject(text));
    }

    private static Hook before(Function<Progress, HookOutcome> decide) {
        return event ->
                event instanceof HookEvent.StepBegins(Progress now)
                        ? decide.apply(now)
                        : HookOutcome.goOn();
    }
}
