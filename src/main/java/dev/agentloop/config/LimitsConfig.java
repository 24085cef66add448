package dev.agentloop.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where a run ends at the latest. Empty: no such limit.
 *
 * @param maxSteps model calls with tools; 0 closes at once
 * @param budget US dollars; 0 allows only what costs nothing
 * @param timeout of the whole run
 * @param stepTimeout of one model call
 * @param maxTokensTotal tokens in and out; 0 closes at once
 * @param maxToolCalls tool calls that are run
 */
public record LimitsConfig(
        int maxSteps,
        Optional<BigDecimal> budget,
        Optional<Duration> timeout,
        Optional<Duration> stepTimeout,
        OptionalLong maxTokensTotal,
        OptionalLong maxToolCalls) {

    /** The same with another limit of steps. */
    LimitsConfig withMaxSteps(int steps) {
        return new LimitsConfig(steps, budget, timeout, stepTimeout, maxTokensTotal, maxToolCalls);
    }
}
