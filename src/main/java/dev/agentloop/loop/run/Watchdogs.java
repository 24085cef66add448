package dev.agentloop.loop.run;

import dev.agentloop.control.RunLimits;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The two gates of a step. Before the model: interrupt, hook, steps, tool calls, budget, deadline,
 * context, loop, in this order. Before tools: what must stop even work that the model has already
 * asked for.
 */
public record Watchdogs(Watchdog llmGate, Watchdog toolGate) {
    public static Watchdogs standard(RunLimits limits, Predicate<Run> contextCriticallyFull) {
        Watchdog beforeLlm =
                Watchdog.interrupt()
                        .or(Watchdog.hook())
                        .or(Watchdog.maxSteps(limits.maxSteps()))
                        .or(Watchdog.toolCalls())
                        .or(Watchdog.budget())
                        .or(Watchdog.deadline())
                        .or(Watchdog.contextFull(contextCriticallyFull))
                        .or(Watchdog.loop());
        Watchdog beforeTools =
                Watchdog.interrupt()
                        .or(Watchdog.hook())
                        .or(Watchdog.budget())
                        .or(Watchdog.deadline());
        return new Watchdogs(beforeLlm, beforeTools);
    }

    public Optional<StopReason> beforeLlm(Run run) {
        return llmGate.check(run);
    }

    public Optional<StopReason> beforeTools(Run run) {
        return toolGate.check(run);
    }
}
