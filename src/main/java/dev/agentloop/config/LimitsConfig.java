package dev.agentloop.config;

import dev.agentloop.config.key.KeyPath;
import dev.agentloop.loop.run.Watchdogs;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

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
        OptionalLong maxToolCalls)
        implements Watchdogs.Limits {

    /**
     * The same with an agent's own limits.
     *
     * @param fixed whether a limit was said for this one run, by its name
     */
    LimitsConfig with(AgentProfile.Limits agent, Predicate<String> fixed) {
        return new LimitsConfig(
                fixed.test("max_steps") ? maxSteps : agent.maxSteps().orElse(maxSteps),
                fixed.test("budget") ? budget : agent.budget().or(() -> budget),
                fixed.test("timeout") ? timeout : agent.timeout().or(() -> timeout),
                stepTimeout,
                fixed.test("max_tokens_total") || agent.maxTokensTotal().isEmpty()
                        ? maxTokensTotal
                        : agent.maxTokensTotal(),
                maxToolCalls);
    }

    static LimitsConfig of(SettingsReader read) {
        return new LimitsConfig(
                read.whole("limits.max_steps"),
                read.money(KeyPath.of("limits.budget")),
                read.limit("limits.timeout"),
                read.limit("limits.step_timeout"),
                read.count("limits.max_tokens_total"),
                read.count("limits.max_tool_calls"));
    }
}
