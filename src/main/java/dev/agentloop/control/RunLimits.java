package dev.agentloop.control;

import java.time.Duration;
import java.util.Optional;

/**
 * Where a run's watchdogs end it. A new limit is one method here with a default that sets none, so
 * that only who knows the limit has to speak of it.
 */
public interface RunLimits {
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
    static RunLimits of(int maxSteps, Optional<Duration> timeout, Optional<Duration> stepTimeout) {
        return new Of(maxSteps, timeout, stepTimeout);
    }

    /** The limits of {@link #of}. */
    record Of(int maxSteps, Optional<Duration> timeout, Optional<Duration> stepTimeout)
            implements RunLimits {}
}
