package dev.agentloop.loop.run;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The two gates of a step. Before the model: interrupt, hook, steps, tool calls, budget, deadline,
 * context, loop, in this order. Before tools: what must stop even work that the model has already
 * asked for.
 */
public record Watchdogs(Watchdog llmGate, Watchdog toolGate) {
    public static Watchdogs standard(Limits limits, Predicate<Run> contextCriticallyFull) {
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

    /**
     * Where watchdogs end a run. A new limit is one method here, with a default that sets none, and
     * its watchdog above: only who knows the limit has to speak of it.
     */
    public interface Limits {
        /** Replies of the model with or without tool calls; 0 closes before the first call. */
        int maxSteps();

        /** Wall clock of the whole run. */
        default Optional<Duration> timeout() {
            return Optional.empty();
        }

        /** Of one model call. */
        default Optional<Duration> stepTimeout() {
            return Optional.empty();
        }

        /** These three and no other limit. */
        static Limits of(int maxSteps, Optional<Duration> timeout, Optional<Duration> stepTimeout) {
            return new Of(maxSteps, timeout, stepTimeout);
        }

        /** The limits of {@link #of}. */
        record Of(int maxSteps, Optional<Duration> timeout, Optional<Duration> stepTimeout)
                implements Limits {}
    }
}
